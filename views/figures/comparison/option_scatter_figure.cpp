// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as points: an option of theirs across, what they reached upwards (docs/analyses.md §13).
#include <algorithm>
#include <cmath>

#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "views/figure/figure_text.h"
#include "views/figures/comparison/run_score_fields.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/option_titles.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/figures/training_curve_figure.h"

namespace fathom {

namespace {

constexpr MarkerShape kPointShapes[] = {MarkerShape::Disc, MarkerShape::Square, MarkerShape::Triangle,
                                        MarkerShape::Diamond, MarkerShape::Cross};
constexpr double kLogMargin = 1.3, kLinearMargin = 0.06;  // around the outermost points

// Room beside the outermost points; one value stands in the middle.
FigureAxis scatterAxis(const OptionAxis& option, const Phrase& label) {
  if (!option.numeric) return categoryAxis(option.words, label);
  FigureAxis axis;
  axis.label = label;
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
  for (std::size_t i = 0; i < runs.facts.size(); ++i) {
    if (!belongs(i) || !std::isfinite(option.positions[i]) || !std::isfinite(runs.scores.values[i])) continue;
    points.x.push_back(option.positions[i]);
    points.y.push_back(runs.scores.values[i]);
    mark.columnParts.push_back("run:" + runs.facts[i].run);
  }
  mark.style.colour = seriesStyle(look).colour;
  mark.style.marker = kPointShapes[look % std::size(kPointShapes)];
  mark.shape = std::move(points);
  return mark;
}

Phrase scatterSummary(const ScoredRuns& runs, const Phrase& option, std::optional<double> correlation) {
  Phrase text = Phrase::tr("%1 of %2 runs by %3.")(metricLabel(runs.metric), runs.facts.size(), option);
  if (correlation) text.append(Phrase::tr("Spearman’s ρ: %1.")(formatted("%.2f", *correlation)));
  return text;
}

// Runs with a score that are no point for want of the option, which the note says.
void noteLacking(FigureSpec& spec, const ScoredRuns& runs, const OptionAxis& option, const Phrase& label) {
  std::size_t lacking = 0;
  for (std::size_t i = 0; i < runs.facts.size(); ++i)
    if (std::isfinite(runs.scores.values[i]) && !std::isfinite(option.positions[i])) ++lacking;
  if (lacking > 0)
    spec.notes.push_back(
        Phrase::tr("%1 of %2 runs do not have the option %3")(lacking, runs.facts.size(), label));
}

// Points for each value of a second option.
void addColoured(FigurePanel& panel, const ScoredRuns& runs, const OptionAxis& option, const OptionAxis& by,
                 const Phrase& label) {
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
    mark.label = label;
    mark.label.append(Phrase::words("= " + markupOf(value)));
    panel.marks.push_back(std::move(mark));
  }
}

Result<FigureSpec> buildOptionScatter(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const ScoredRuns runs, scoredRuns(source, options));
  std::string key = options.text("option");
  const auto differing = differingKeys(runs.facts);
  if (key.empty() && differing.empty())
    return dataError(Phrase::tr("the runs differ in no option that sets runs apart"),
                     Phrase::tr("name an option, or choose other runs"));
  if (key.empty()) key = differing.front();
  FATHOM_TRY(OptionAxis option, optionAxis(runs.facts, key));
  const std::string colour = options.text("colour");
  const Phrase label = optionLabel(key, {key, colour});
  FigureSpec spec;
  spec.notes = scoredRunNotes(runs);
  noteLacking(spec, runs, option, label);
  FigurePanel panel;
  panel.x = scatterAxis(option, label);
  panel.y.label = metricLabel(runs.metric);
  if (colour.empty()) {
    panel.marks.push_back(pointsOf(runs, option, 0, [](std::size_t) { return true; }));
  } else {
    FATHOM_TRY(const OptionAxis by, optionAxis(runs.facts, colour));
    const Phrase byLabel = optionLabel(colour, {key, colour});
    if (colour != key) noteLacking(spec, runs, by, byLabel);
    addColoured(panel, runs, option, by, byLabel);
    for (std::size_t i = 0; i < by.positions.size(); ++i)  // what has no colour is not drawn
      if (!std::isfinite(by.positions[i])) option.positions[i] = by.positions[i];
  }
  spec.panels.push_back(std::move(panel));
  const auto correlation = rankCorrelation(option, runs.scores);
  spec.title = Phrase::tr("%1 by %2")(metricLabel(runs.metric), label);
  spec.summary = scatterSummary(runs, label, correlation);
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
      .ofOptions = true,
      .inTrain = true};
}

}  // namespace fathom
