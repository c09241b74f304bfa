// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/statistics/paired_test.h"
#include "core/base/errors/name_list.h"
#include "core/base/numbers/not_a_number.h"
#include "core/base/options/field_builder.h"
#include "views/figures/figure_entry.h"
#include "views/figures/review_figure.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

struct LevelExamples {
  std::vector<std::size_t> all, right;
  double share() const {
    return all.empty() ? kNaN : static_cast<double>(right.size()) / static_cast<double>(all.size());
  }
};

// The examples that count, of each level and then of all.
std::vector<LevelExamples> examplesOfLevels(const ReviewModel& model, const SpiderReview& spider) {
  std::vector<LevelExamples> levels(hardnessLabels().size());
  for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
    const ReviewVerdict& verdict = model.verdicts[i];
    if (!verdict.right && !verdict.wrong) continue;
    for (const std::size_t level : {static_cast<std::size_t>(spider.hardness(i)), levels.size() - 1}) {
      levels[level].all.push_back(i);
      if (verdict.right) levels[level].right.push_back(i);
    }
  }
  return levels;
}

Result<ReviewFigure> buildExactMatch(const ReviewFigureInput& input, const OptionValues& options) {
  FATHOM_TRY(const SpiderReview* spider, spiderOf(input));
  ReviewFigure figure;
  const std::optional<JudgedReview> people = peoplesReview(input, options, figure.spec);
  const auto& models = people ? people->review.models : input.review.models;
  figure.spec.title = Phrase::tr("Exact match by hardness");
  figure.table.columns = {
      {QT_TRANSLATE_NOOP("Command", "model")},          {QT_TRANSLATE_NOOP("Command", "level")},
      {QT_TRANSLATE_NOOP("Command", "examples"), 0},    {QT_TRANSLATE_NOOP("Command", "right"), 0},
      {QT_TRANSLATE_NOOP("Command", "exact match"), 4}, {QT_TRANSLATE_NOOP("Command", "low"), 4},
      {QT_TRANSLATE_NOOP("Command", "high"), 4}};
  FigurePanel panel;
  panel.x = hardnessAxis(hardnessLabels().size());
  panel.y.label = Phrase::tr("exact match (%)");
  panel.y.minimum = 0;
  panel.y.maximum = 100;
  panel.legend = LegendPlace::Below;
  const double width = 0.84 / static_cast<double>(models.size());
  FigureMark intervals;
  SegmentsMark segments;
  for (std::size_t m = 0; m < models.size(); ++m) {
    std::vector<double> x, height;
    std::vector<std::string> parts;
    std::vector<Phrase> words;
    const std::vector<LevelExamples> levels = examplesOfLevels(models[m], *spider);
    for (std::size_t level = 0; level < hardnessLabels().size(); ++level) {
      const LevelExamples& counted = levels[level];
      const int examples = static_cast<int>(counted.all.size()),
                right = static_cast<int>(counted.right.size());
      const Interval interval = wilsonInterval(right, examples);
      const bool any = examples > 0;  // a share of nothing is none
      figure.table.rows.push_back({modelLabel(models[m]), hardnessLabels()[level], double(examples),
                                   double(right), counted.share(), any ? interval.low : kNaN,
                                   any ? interval.high : kNaN});
      figure.lastRowLeadsTo(selectionOfExamples(models[m].name, counted.all));
      figure.cells.back()[3] = selectionOfExamples(models[m].name, counted.right);
      if (!any) continue;
      parts.push_back(examplesPart(counted.all));
      x.push_back(static_cast<double>(level) - 0.42 + width * (static_cast<double>(m) + 0.5));
      height.push_back(100 * counted.share());
      segments.x0.push_back(x.back());
      segments.x1.push_back(x.back());
      segments.y0.push_back(100 * interval.low);
      segments.y1.push_back(100 * interval.high);
      words.push_back(Phrase::tr("%1 %2 of %3")(hardnessLabels()[level], right, examples));
    }
    figure.spec.summary.append(Phrase::tr("%1: %2.")(models[m].name, listed(std::move(words))));
    FigureMark bars = barsMark(std::move(x), std::move(height), width * 0.94, modelStyle(m).colour);
    bars.label = modelLabel(models[m]);
    bars.selection = reviewSelection(models[m].name);
    bars.columnParts = std::move(parts);
    panel.marks.push_back(std::move(bars));
  }
  intervals.style.colour = "text";
  intervals.style.width = 0.6;
  intervals.shape = std::move(segments);
  panel.marks.push_back(std::move(intervals));
  figure.spec.panels.push_back(std::move(panel));
  figure.spec.notes.push_back(Phrase::tr("Lines show Wilson's 95 % interval."));
  setSize(figure.spec, options, 60);
  return figure;
}

}  // namespace

FigureEntry exactMatchFigureEntry() {
  return {.id = "exact_match",
          .title = "Exact match by hardness",
          .reference = "DT-Fixup, Table 3",
          .fields = joinedFields({{verdictsField()}, sizeFields()}),
          .buildReview = buildExactMatch};
}

}  // namespace fathom
