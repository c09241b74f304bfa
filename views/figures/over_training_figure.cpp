// SPDX-License-Identifier: GPL-3.0-or-later
// An analysis against the updates of a run: entropy, divergence, own branch or gradient of every layer, from
// the states that were analysed while the run was trained, or afterwards.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/analysis/training/over_training.h"
#include "core/analysis/training/state_positions.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/metric_kinds.h"
#include "core/base/text/text_list.h"
#include "core/record/runs/checkpoint_choice.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_text.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/layer_curves.h"
#include "views/figures/probe_fields.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"
#include "views/figures/training_curve_figure.h"

namespace fathom {

namespace {

constexpr double kPanelMm = 44;
constexpr std::size_t kColumns = 3;  // panels side by side; more go below

struct FollowedRun {
  std::string name;
  std::vector<LayerCourse> courses;
  std::size_t states = 0;
  std::int64_t placeless = 0;  // states that the axis does not place
};

// The axis that all runs are drawn against.
struct DrawnAxis {
  CurveAxis kind = CurveAxis::Step;
  Metric metric;             // of CurveAxis::Metric
  double low = 0, high = 0;  // of all states that have a place
  double origin = 0;         // of dates
  AxisUnit unit = {{}, 1};
};

// One state for each update: what a later attempt repeated counts.
Result<std::vector<AnalysedState>> statesOf(AnalysisSource& source, const std::string& run,
                                            const OptionValues& options, std::string& name) {
  const std::string analysis = options.text("analysis");
  const bool any = options.text("computed").empty();
  std::vector<AnalysedState> states;
  for (const std::string& checkpoint : source.probedCheckpoints(run, analysis)) {
    Result<ProbedResult> found = probedAs(source, run, analysis, checkpoint, options);
    if (!found.ok() && !any) continue;  // computed with something else
    FATHOM_TRY(ProbedResult probed, std::move(found));
    const std::int64_t step = checkpointStep(checkpoint).value_or(0);
    if (!states.empty() && states.back().step == step) states.pop_back();
    states.push_back({step, std::move(probed.result)});
    name = probed.name;
  }
  if (states.size() > 1) return states;
  const auto facts = source.facts(run);
  return dataError(Phrase::tr("run “%1”: states with %2: %3, two are needed")(facts.ok() ? facts->name : run,
                                                                              analysis, states.size()),
                   Phrase::tr("train with analysis.interval, or compute it for several checkpoints: fathom "
                              "analyse %1 --project DIR --run %2 --checkpoint all")(analysis, run));
}

// States without a place become gaps.
Status placeStates(AnalysisSource& source, const std::string& run, const OptionValues& options,
                   FollowedRun& followed, DrawnAxis& axis) {
  if (axis.kind == CurveAxis::Step || followed.courses.empty()) return {};
  FATHOM_TRY(const StatePositions placed, statePositions(source, run, followed.courses.front().steps,
                                                         axis.kind, options.text("axis_metric")));
  for (LayerCourse& course : followed.courses) course.steps = placed.positions;
  followed.placeless = std::count_if(placed.positions.begin(), placed.positions.end(),
                                     [](double position) { return std::isnan(position); });
  if (axis.kind == CurveAxis::Metric)
    axis.metric = axis.metric.id.empty() ? placed.axisMetric : commonMetric(axis.metric, placed.axisMetric);
  return {};
}

// Label and divisor suit the largest position of all runs; dates are counted from the first one.
void measureAxis(std::vector<FollowedRun>& runs, DrawnAxis& axis) {
  ValueRange range;
  for (const FollowedRun& run : runs)
    for (const LayerCourse& course : run.courses) range.add(course.steps);
  if (!range.any()) range.low = range.high = 0;
  axis.unit = axis.kind == CurveAxis::Step ? AxisUnit{Phrase::tr("update"), 1}
                                           : axisUnit(axis.kind, range.low, range.high, axis.metric);
  axis.origin = axis.kind == CurveAxis::Clock ? std::floor(range.low) : 0;
  const auto place = [&axis](double position) { return (position - axis.origin) / axis.unit.divisor; };
  for (FollowedRun& run : runs)
    for (LayerCourse& course : run.courses)
      for (double& step : course.steps) step = place(step);
  axis.low = place(range.low);
  axis.high = place(range.high);
}

Result<std::vector<FollowedRun>> follow(AnalysisSource& source, const OptionValues& options,
                                        DrawnAxis& axis) {
  std::vector<FollowedRun> runs;
  for (const std::string& run : source.runs()) {
    FollowedRun followed;
    const std::string analysis = options.text("analysis");
    FATHOM_TRY(const auto states, statesOf(source, run, options, followed.name));
    followed.states = states.size();
    FATHOM_TRY(followed.courses, overTraining(analysis, states, options.text("statistic") == "median"));
    FATHOM_CHECK(placeStates(source, run, options, followed, axis));
    runs.push_back(std::move(followed));
  }
  if (runs.empty()) return noRunChosen();
  measureAxis(runs, axis);
  return runs;
}

// The parts asked for, in the order of the models.
Result<std::vector<std::string>> partsOf(const std::vector<FollowedRun>& runs, const std::string& wanted) {
  std::vector<std::string> parts;
  for (const FollowedRun& run : runs)
    for (const LayerCourse& course : run.courses)
      if (std::find(parts.begin(), parts.end(), course.part) == parts.end()) parts.push_back(course.part);
  if (wanted.empty() || parts.empty()) return parts;
  if (std::find(parts.begin(), parts.end(), wanted) != parts.end()) return std::vector<std::string>{wanted};
  return aboutKey("part", usageError(Phrase::tr("there is no part '%1'")(wanted),
                                     Phrase::tr("there are: %1")(joined(parts))));
}

Phrase quantityOf(const LayerNumbers& numbers, const OptionValues& options) {
  if (!numbers.ofSamples) return Phrase::known(numbers.quantity);
  return (options.text("statistic") == "median" ? Phrase::tr("median %1")
                                                : Phrase::tr("mean %1"))(Phrase::known(numbers.quantity));
}

FigurePanel panelOf(const FollowedRun& run, const std::string& part, const DrawnAxis& axis, bool logarithmic,
                    int& missing) {
  FigurePanel panel;
  std::size_t layers = 0;
  for (const LayerCourse& course : run.courses)
    if (course.part == part) layers = std::max(layers, static_cast<std::size_t>(course.layer) + 1);
  for (const LayerCourse& course : run.courses) {
    if (course.part != part) continue;
    std::vector<double> values = course.values;
    missing += hideMissing(values, logarithmic);
    const bool fromZero = axis.kind != CurveAxis::Metric && axis.kind != CurveAxis::Clock;
    panel.x.minimum = fromZero ? 0 : axis.low;
    // The last point stays whole.
    const double room = fromZero ? 1.03 * axis.high : axis.high + 0.03 * (axis.high - axis.low);
    if (!course.steps.empty()) panel.x.maximum = room;
    panel.marks.push_back(
        layerLine(static_cast<std::size_t>(course.layer), layers, course.steps, std::move(values)));
  }
  if (logarithmic) panel.y.scale = AxisScale::Log;
  return panel;
}

// "encoder.self_attention" as words.
std::string partWords(std::string part) {
  std::replace(part.begin(), part.end(), '_', ' ');
  std::replace(part.begin(), part.end(), '.', ' ');
  return part;
}

// Beside the name of a run there is no room for a word that ends all parts ("attention").
std::vector<std::string> titlesOf(const std::vector<std::string>& parts, bool severalRuns) {
  std::vector<std::string> titles;
  std::transform(parts.begin(), parts.end(), std::back_inserter(titles), partWords);
  if (!severalRuns || titles.size() < 2) return titles;
  const std::string& first = titles.front();
  const std::size_t begin = first.rfind(' ');
  if (begin == std::string::npos) return titles;
  const std::string shared = first.substr(begin);
  const bool ofAll = std::all_of(titles.begin(), titles.end(),
                                 [&](const std::string& title) { return title.ends_with(shared); });
  if (ofAll)
    for (std::string& title : titles) title.resize(title.size() - shared.size());
  return titles;
}

// All panels share their ranges, so that runs and parts compare; that of the axis is one already.
void shareRanges(FigureSpec& spec, bool logarithmic) {
  ValueRange range;
  for (const FigurePanel& panel : spec.panels)
    for (const FigureMark& mark : panel.marks) range.add(std::get<LineMark>(mark.shape).y);
  if (!(range.high > range.low)) return;
  for (FigurePanel& panel : spec.panels) {
    panel.y.minimum = logarithmic ? range.low / 1.2 : std::min(0.0, range.low);
    panel.y.maximum = logarithmic ? range.high * 1.2 : range.high * 1.05;
  }
}

Phrase summaryOf(const std::vector<FollowedRun>& runs, const Phrase& quantity, const DrawnAxis& axis) {
  Phrase text = axis.kind == CurveAxis::Step
                    ? Phrase::tr("%1 of each layer against updates.")(quantity)
                    : Phrase::tr("%1 of each layer against %2.")(quantity, axis.unit.label);
  for (const FollowedRun& run : runs) {
    for (const LayerCourse& course : run.courses)
      text.append(Phrase::tr("%1, %2 layer %3: from %4 to %5.")(
          run.name, course.part, course.layer + 1, shortValueText(course.values.front()).toStdString(),
          shortValueText(course.values.back()).toStdString()));
  }
  return text;
}

Result<FigureSpec> buildOverTraining(AnalysisSource& source, const OptionValues& options) {
  DrawnAxis axis;
  axis.kind = valueOf(kCurveAxes, options.text("axis"));
  FATHOM_TRY(const auto runs, follow(source, options, axis));
  FATHOM_TRY(const auto parts, partsOf(runs, options.text("part")));
  const AnalysisEntry& analysis = *findAnalysisEntry(options.text("analysis"));  // one of its choices
  const LayerNumbers& numbers = *analysis.layers;
  const Phrase quantity = quantityOf(numbers, options);
  const bool logarithmic = numbers.logarithmic;
  FigureSpec spec;
  spec.title = Phrase::tr("Over training: %1")(Phrase::known(analysis.title));
  spec.summary = summaryOf(runs, quantity, axis);
  int missing = 0;
  const std::vector<std::string> titles = titlesOf(parts, runs.size() > 1);
  const std::size_t rowsOfRun = (parts.size() + kColumns - 1) / kColumns;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      FigurePanel panel = panelOf(runs[run], parts[i], axis, logarithmic, missing);
      panel.row = static_cast<int>(run * rowsOfRun + i / kColumns);
      panel.column = static_cast<int>(i % kColumns);
      panel.title = runs.size() > 1 ? markupOf(runs[run].name) + ", " + titles[i] : titles[i];
      if (panel.column == 0) panel.y.label = quantity;
      panel.x.whole = axis.kind == CurveAxis::Step;
      if (axis.kind == CurveAxis::Clock) panel.x.datesFrom = axis.origin;
      if (i + kColumns >= parts.size()) panel.x.label = axis.unit.label;
      panel.legend = spec.panels.empty() && runs.size() == 1 ? LegendPlace::Auto : LegendPlace::None;
      spec.panels.push_back(std::move(panel));
    }
    spec.notes.push_back(Phrase::tr("%1: %2 states of the run.")(runs[run].name, runs[run].states));
    if (runs[run].placeless > 0)
      spec.notes.push_back(
          Phrase::tr("%1: %2 states have no place on this axis.")(runs[run].name, runs[run].placeless));
  }
  if (runs.size() > 1) addDepthLegends(spec, rowsOfRun);
  shareRanges(spec, logarithmic);
  if (missing > 0)
    spec.notes.push_back(Phrase::tr("%1 values are zero or not numbers and not drawn.")(missing));
  setSize(spec, options, kPanelMm * static_cast<double>(runs.size() * rowsOfRun) + 8);
  return spec;
}

std::vector<OptionField> overTrainingFields() {
  const OptionField part =
      typedField("part", "Part", "Such as encoder.self_attention; empty: all, side by side.");
  OptionField statistic = choiceField("statistic", "Statistic", "Of the tokens and heads of a layer.",
                                      {{"mean", "mean"}, {"median", "median"}});
  std::vector<OptionChoice> followed;
  std::vector<Json> ofSamples;
  for (const AnalysisEntry& entry : analyses()) {
    if (!entry.layers) continue;
    followed.push_back({entry.id, entry.title});
    if (entry.layers->ofSamples) ofSamples.push_back(entry.id);
  }
  statistic.enabledWhen = {{"analysis", OptionClause::Test::In, ofSamples}};
  const OptionField axis =
      choiceField("axis", "Horizontal axis", "What the curves are drawn against.", choicesOf(kCurveAxes));
  const OptionField metric =
      textField("axis_metric", "Metric of the axis",
                "The metric whose value at the same step, else the last one before it, is the position of a "
                "point, by its name in the run.")
          .when("axis", {"metric"});
  return joinedFields({{choiceField("analysis", "Analysis", "What is followed over the updates.", followed),
                        statistic, part, axis, metric, computedField()},
                       sizeFields()});
}

}  // namespace

FigureEntry overTrainingFigureEntry() {
  return {.id = "over_training",
          .title = "Analysis over training",
          .fields = overTrainingFields(),
          .sentence = Phrase::tr("{analysis} over training · {statistic} of a layer · {part}"),
          .build = buildOverTraining,
          .ofStates = true};
}

}  // namespace fathom
