// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as points: an option of theirs across, what they reached upwards (docs/analyses.md §13).
#include <cmath>

#include "core/analysis/statistics/rank_correlation.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "views/figure/figure_text.h"
#include "views/figures/comparison/run_score_fields.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/figures/training_curve_figure.h"

namespace fathom {

namespace {

constexpr MarkerShape kPointShapes[] = {MarkerShape::Disc, MarkerShape::Square, MarkerShape::Triangle,
                                        MarkerShape::Diamond, MarkerShape::Cross};
constexpr double kLogMargin = 1.3, kLinearMargin = 0.06;  // around the outermost points

// Room beside the outermost points; one value stands in the middle.
FigureAxis scatterAxis(const OptionAxis& option) {
  if (!option.numeric) return categoryAxis(option.words, markupOf(option.key));
  FigureAxis axis;
  axis.label = markupOf(option.key);
  if (option.logarithmic) {
    axis.scale = AxisScale::Log;
    axis.minimum = option.low / kLogMargin;
    axis.maximum = option.high * kLogMargin;
    return axis;
  }
  const double span =
      option.high > option.low ? option.high - option.low : std::max(1.0, std::abs(option.low));
  axis.minimum = option.low - kLinearMargin * span;
  axis.maximum = option.high + kLinearMargin * span;
  return axis;
}

// Points of the runs for which `belongs` is true; each selects its run.
template <typename Belongs>
FigureMark pointsOf(const ScoredRuns& runs, const OptionAxis& option, std::size_t look, Belongs belongs) {
  FigureMark mark;
  PointsMark points;
  mark.selection = "run:";
  for (std::size_t i = 0; i < runs.facts.size(); ++i) {
    if (!belongs(i) || !std::isfinite(option.positions[i]) || !std::isfinite(runs.scores.values[i])) continue;
    points.x.push_back(option.positions[i]);
    points.y.push_back(runs.scores.values[i]);
    mark.columnParts.push_back(runs.facts[i].run);
  }
  mark.style.colour = seriesStyle(look).colour;
  mark.style.marker = kPointShapes[look % std::size(kPointShapes)];
  mark.shape = std::move(points);
  return mark;
}

Phrase scatterSummary(const ScoredRuns& runs, const OptionAxis& option, std::optional<double> correlation) {
  Phrase text = Phrase::tr("%1 of %2 runs by %3.")(metricLabel(runs.metric), runs.facts.size(), option.key);
  if (correlation) text.append(Phrase::tr("Spearman’s ρ: %1.")(formatted("%.2f", *correlation)));
  return text;
}

Status addPoints(FigurePanel& panel, const ScoredRuns& runs, const OptionAxis& option,
                 const std::string& colour) {
  if (colour.empty()) {
    panel.marks.push_back(pointsOf(runs, option, 0, [](std::size_t) { return true; }));
    return {};
  }
  FATHOM_TRY(const OptionAxis by, optionAxis(runs.facts, colour));
  std::vector<double> values;
  for (const double position : by.positions)
    if (std::isfinite(position) && std::find(values.begin(), values.end(), position) == values.end())
      values.push_back(position);
  std::sort(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    FigureMark mark =
        pointsOf(runs, option, i, [&](std::size_t run) { return by.positions[run] == values[i]; });
    if (mark.columnParts.empty()) continue;
    const std::string value =
        by.numeric ? shortestText(values[i]) : by.words[static_cast<std::size_t>(values[i])];
    mark.label = markupOf(colour + " = " + value);
    panel.marks.push_back(std::move(mark));
  }
  return {};
}

Result<FigureSpec> buildOptionScatter(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const ScoredRuns runs, scoredRuns(source, options));
  std::string key = options.text("option");
  const auto differing = differingKeys(runs.facts);
  if (key.empty() && differing.empty())
    return dataError(Phrase::tr("the runs differ in no option that sets runs apart"),
                     Phrase::tr("name an option, or choose other runs"));
  if (key.empty()) key = differing.front();
  FATHOM_TRY(const OptionAxis option, optionAxis(runs.facts, key));
  FigureSpec spec;
  FigurePanel panel;
  panel.x = scatterAxis(option);
  panel.y.label = metricLabel(runs.metric);
  FATHOM_CHECK(addPoints(panel, runs, option, options.text("colour")));
  spec.panels.push_back(std::move(panel));
  const auto correlation =
      option.numeric ? rankCorrelation(option.positions, runs.scores.values) : std::nullopt;
  spec.title = Phrase::tr("%1 by %2")(metricLabel(runs.metric), markupOf(key));
  spec.summary = scatterSummary(runs, option, correlation);
  spec.notes = scoredRunNotes(runs);
  if (correlation) spec.notes.push_back(Phrase::tr("Spearman’s ρ = %1")(formatted("%.2f", *correlation)));
  setSize(spec, options);
  return spec;
}

}  // namespace

FigureEntry optionScatterFigureEntry() {
  return {
      .id = "option_scatter",
      .title = "Option against a metric",
      .fields = joinedFields({{typedField("option", "Option",
                                          "Key of the option across; empty: the first in which the runs "
                                          "differ."),
                               typedField("colour", "Colour",
                                          "Key of a second option, whose values have a colour and a shape "
                                          "each; empty: none.")},
                              runScoreFields(),
                              sizeFields()}),
      .build = buildOptionScatter,
      .inTrain = true};
}

}  // namespace fathom
