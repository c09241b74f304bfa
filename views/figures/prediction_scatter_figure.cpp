// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/analysis/statistics/paper_table.h"
#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

Result<ReviewFigure> buildPredictionScatter(const ReviewFigureInput& input, const OptionValues& options) {
  const std::size_t number = systemOf(input, options);
  const ReviewModel& model = input.review.models[number];
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Gold and predicted numbers of %1")(model.name);
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "index"), 0},
                          {QT_TRANSLATE_NOOP("Command", "gold"), 3},
                          {QT_TRANSLATE_NOOP("Command", "predicted"), 3},
                          {QT_TRANSLATE_NOOP("Command", "residual"), 3}};
  PointsMark points;
  FigureMark mark;
  ValueRange range;
  const std::string base = reviewSelection(model.name);
  for (std::size_t i = 0; i < input.review.examples(); ++i) {
    const ReviewOutput& output = model.outputs[i];
    const double gold = input.review.gold.examples[i].value;
    if (std::isnan(gold)) return usageError(Phrase::tr("this figure needs numbers"));
    if (!output.given) continue;
    points.x.push_back(gold);
    points.y.push_back(output.value);
    range.add(gold);
    range.add(output.value);
    mark.columnParts.push_back(examplesPart({i}));
    figure.table.rows.push_back({double(i), gold, output.value, output.value - gold});
    figure.lastRowLeadsTo(reviewSelection(model.name, "", {i}));
  }
  if (points.x.empty()) return usageError(Phrase::tr("%1 gives no predictions")(model.name));
  mark.shape = std::move(points);
  mark.style = modelStyle(number);
  mark.style.markerSize = 2.5;
  mark.style.opacity = 0.6;
  mark.style.fill = 0.4;
  mark.selection = base;
  // Both axes alike, and no point on the frame.
  const double apart = 0.04 * (range.high - range.low);
  range.low -= apart;
  range.high += apart;
  FigureMark diagonal;
  diagonal.shape = LineMark{{range.low, range.high}, {range.low, range.high}};
  diagonal.style.colour = "secondary";
  diagonal.style.dash = LineDash::Dash;
  FigurePanel panel;
  panel.x.label = Phrase::tr("gold");
  panel.y.label = Phrase::tr("predicted");
  panel.legend = LegendPlace::None;
  if (input.review.models.size() > 1) panel.title = markupOf(model.name);  // one of several
  if (apart > 0) {
    panel.x.minimum = panel.y.minimum = range.low;
    panel.x.maximum = panel.y.maximum = range.high;
  }
  panel.marks = {std::move(diagonal), std::move(mark)};
  figure.spec.panels = {std::move(panel)};
  for (const ReviewScore& score : model.scores)
    if (score.value)
      figure.spec.summary.append(Phrase::tr("%1: %2.")(score.title, fixedText(*score.value, score.decimals)));
  setSize(figure.spec, options, 66);
  return figure;
}

}  // namespace

FigureEntry predictionScatterFigureEntry() {
  return {.id = "prediction_scatter",
          .title = "Gold and predicted numbers",
          .fields = joinedFields({{systemField()}, sizeFields()}),
          .buildReview = buildPredictionScatter};
}

}  // namespace fathom
