// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>

#include "core/base/options/field_builder.h"
#include "core/review/failure_sets.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

using Sets = std::vector<FailureIntersection>;

FigurePanel sizesPanel(const Sets& sets) {
  FigurePanel panel;
  panel.rowSpan = 2;
  panel.x.scale = AxisScale::None;
  panel.x.grid = false;
  panel.y.label = Phrase::tr("examples");
  panel.y.minimum = 0;
  const double most = sets.empty() ? 1 : static_cast<double>(sets.front().examples.size());
  panel.y.maximum = most * 1.12;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto count = static_cast<double>(sets[i].examples.size());
    FigureMark bar = barsMark({static_cast<double>(i)}, {count}, 0.62, "accent");
    bar.selection = reviewSelection("", "", sets[i].examples);
    FigureMark number =
        textMark(static_cast<double>(i), count + most * 0.05, std::to_string(sets[i].examples.size()));
    number.selection = bar.selection;
    panel.marks.push_back(std::move(bar));
    panel.marks.push_back(std::move(number));
  }
  return panel;
}

// A disc per set and model, filled where the model is in the set, and a line through the filled ones.
FigurePanel matrixPanel(const ReviewFigureInput& input, const Sets& sets,
                        const std::vector<std::vector<std::size_t>>& wrong) {
  FigurePanel panel;
  panel.row = 2;
  panel.x.scale = AxisScale::None;
  panel.x.grid = false;
  std::vector<std::string> names;
  for (std::size_t m = 0; m < wrong.size(); ++m)
    names.push_back(input.review.models[m].name + " (" + std::to_string(wrong[m].size()) + ")");
  panel.y = categoryAxis(names);
  panel.y.reversed = true;
  PointsMark in, out;
  std::vector<std::string> inParts, outParts, rowParts;
  SegmentsMark lines;
  for (std::size_t m = 0; m < wrong.size(); ++m)
    rowParts.push_back(selectionOfExamples(input.review.models[m].name, wrong[m]));
  for (std::size_t i = 0; i < sets.size(); ++i) {
    std::vector<double> rows;
    for (std::size_t m = 0; m < wrong.size(); ++m) {
      PointsMark& points = sets[i].models >> m & 1 ? in : out;
      (&points == &in ? inParts : outParts).push_back(examplesPart(sets[i].examples));
      points.x.push_back(static_cast<double>(i));
      points.y.push_back(static_cast<double>(m));
      if (&points == &in) rows.push_back(static_cast<double>(m));
    }
    lines.x0.push_back(static_cast<double>(i));
    lines.x1.push_back(static_cast<double>(i));
    lines.y0.push_back(rows.front());
    lines.y1.push_back(rows.back());
  }
  const auto add = [&panel](MarkShape shape, const char* colour, std::vector<std::string> columnParts = {},
                            std::vector<std::string> names = {}) {
    FigureMark mark;
    mark.columnParts = std::move(columnParts);
    mark.rowParts = std::move(names);
    mark.shape = std::move(shape);
    mark.style.colour = colour;
    mark.style.marker = MarkerShape::Disc;
    mark.style.markerSize = 5;
    mark.style.fill = 1;
    panel.marks.push_back(std::move(mark));
  };
  add(std::move(out), "separator", std::move(outParts));
  add(std::move(lines), "text");
  add(std::move(in), "text", std::move(inParts), std::move(rowParts));
  return panel;
}

Result<ReviewFigure> buildFailureUpset(const ReviewFigureInput& input, const OptionValues& options) {
  const auto& models = input.review.models;
  Sets sets = failureIntersections(input.categories);
  std::vector<std::vector<std::size_t>> wrong(models.size());
  for (std::size_t m = 0; m < models.size(); ++m) {
    for (const auto& set : sets)
      if (set.models >> m & 1) wrong[m].insert(wrong[m].end(), set.examples.begin(), set.examples.end());
    std::sort(wrong[m].begin(), wrong[m].end());
  }
  ReviewFigure figure;
  figure.spec.title = Phrase::tr("Wrong predictions");
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "wrong in exactly")},
                          {QT_TRANSLATE_NOOP("Command", "systems"), 0},
                          {QT_TRANSLATE_NOOP("Command", "examples"), 0}};
  for (const auto& set : sets) {
    std::string names;
    for (std::size_t m = 0; m < models.size(); ++m) {
      if (set.models >> m & 1) names += (names.empty() ? "" : " & ") + modelLabel(models[m]);
    }
    figure.spec.summary.append(Phrase::tr("Only %1: %2.")(names, set.examples.size()));
    figure.table.rows.push_back({names, double(std::popcount(set.models)), double(set.examples.size())});
    figure.lastRowLeadsTo(reviewSelection("", "", set.examples));
  }
  const auto most = static_cast<std::size_t>(options.integer("most"));
  if (sets.size() > most) {
    std::size_t left = 0;
    for (std::size_t i = most; i < sets.size(); ++i) left += sets[i].examples.size();
    figure.spec.notes.push_back(
        Phrase::tr("%1 smaller sets with %2 examples are not shown.")(sets.size() - most, left));
    sets.resize(most);
  }
  figure.spec.panels = {sizesPanel(sets), matrixPanel(input, sets, wrong)};
  for (auto& panel : figure.spec.panels) {
    panel.x.minimum = -0.6;
    panel.x.maximum = std::max(static_cast<double>(sets.size()), 1.0) - 0.4;
    panel.legend = LegendPlace::None;
  }
  setSize(figure.spec, options, 44 + 6 * static_cast<double>(models.size()) * 1.5);
  return figure;
}

}  // namespace

FigureEntry failureUpsetFigureEntry() {
  return {.id = "failure_upset",
          .title = "Wrong predictions, UpSet plot",
          .fields = joinedFields({{integerField("most", "Sets shown",
                                                "The largest sets; what is left out is named in a note.", 15)
                                       .between(1, 200)},
                                  sizeFields()}),
          .buildReview = buildFailureUpset,
          .ofEveryKind = true};
}

}  // namespace fathom
