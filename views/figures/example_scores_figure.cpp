// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/analysis/statistics/paper_table.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

constexpr int kScoreBins = 20;

// The first number of the kind over the examples: residuals, F1, sentence chrF.
Result<ReviewFigure> buildExampleScores(const ReviewFigureInput& input, const OptionValues& options) {
  const Review& review = input.review;
  if (review.kind->numbers.empty()) return usageError(Phrase::tr("this kind has no numbers of examples"));
  ValueRange range;
  for (const ReviewModel& model : review.models)
    for (const ReviewVerdict& verdict : model.verdicts) range.add(double{verdict.numbers[0]});
  if (!range.any()) return usageError(Phrase::tr("no example has a number"));
  const double width = range.high > range.low ? (range.high - range.low) / kScoreBins : 1;
  ReviewFigure figure;
  const Phrase title = review.kind->numbers[0].title;
  figure.spec.title = Phrase::tr("%1 of the examples")(title);
  figure.table.columns = {{QT_TRANSLATE_NOOP("Command", "system")},
                          {QT_TRANSLATE_NOOP("Command", "from"), 3},
                          {QT_TRANSLATE_NOOP("Command", "to"), 3},
                          {QT_TRANSLATE_NOOP("Command", "examples"), 0}};
  FigurePanel panel;
  panel.x.label = title;
  panel.y.label = Phrase::tr("examples");
  panel.y.minimum = 0;
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    const ReviewModel& model = review.models[m];
    std::vector<std::vector<std::size_t>> bins(kScoreBins);
    for (std::size_t i = 0; i < review.examples(); ++i) {
      const auto value = double{model.verdicts[i].numbers[0]};
      if (std::isnan(value)) continue;
      bins[std::size_t(std::clamp(int((value - range.low) / width), 0, kScoreBins - 1))].push_back(i);
    }
    LineMark line;
    FigureMark mark;
    const std::string base = reviewSelection(model.name);
    for (int b = 0; b < kScoreBins; ++b) {
      const double from = range.low + b * width;
      line.x.push_back(from + width / 2);
      line.y.push_back(double(bins[std::size_t(b)].size()));
      mark.columnParts.push_back(examplesPart(bins[std::size_t(b)]));
      figure.table.rows.push_back({markupOf(model.name), from, from + width, line.y.back()});
      figure.lastRowLeadsTo(selectionOfExamples(model.name, bins[std::size_t(b)]));
    }
    mark.shape = std::move(line);
    mark.style = modelStyle(m);
    mark.label = Phrase::words(markupOf(model.name));
    mark.selection = base;
    panel.marks.push_back(std::move(mark));
  }
  figure.spec.panels = {std::move(panel)};
  figure.spec.summary = Phrase::tr("How many examples have which number, for each system.");
  setSize(figure.spec, options, 56);
  return figure;
}

}  // namespace

FigureEntry exampleScoresFigureEntry() {
  return {.id = "example_scores",
          .title = "Numbers of the examples",
          .fields = sizeFields(),
          .buildReview = buildExampleScores};
}

}  // namespace fathom
