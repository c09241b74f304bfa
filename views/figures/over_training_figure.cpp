// SPDX-License-Identifier: GPL-3.0-or-later
// An analysis against the updates of a run: entropy, divergence, own branch or gradient of every layer, from
// the states that were analysed while the run was trained, or afterwards.
#include <algorithm>
#include <iterator>

#include "core/analysis/training/over_training.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
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

namespace fathom {

namespace {

constexpr double kPanelMm = 44;
constexpr std::size_t kColumns = 3;  // panels side by side; more go below

struct FollowedRun {
  std::string name;
  std::vector<LayerCourse> courses;
  std::size_t states = 0;
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

Result<std::vector<FollowedRun>> follow(AnalysisSource& source, const OptionValues& options) {
  std::vector<FollowedRun> runs;
  for (const std::string& run : source.runs()) {
    FollowedRun followed;
    const std::string analysis = options.text("analysis");
    FATHOM_TRY(const auto states, statesOf(source, run, options, followed.name));
    followed.states = states.size();
    FATHOM_TRY(followed.courses, overTraining(analysis, states, options.text("statistic") == "median"));
    runs.push_back(std::move(followed));
  }
  if (runs.empty()) return noRunChosen();
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

FigurePanel panelOf(const FollowedRun& run, const std::string& part, bool logarithmic, int& missing) {
  FigurePanel panel;
  std::size_t layers = 0;
  for (const LayerCourse& course : run.courses)
    if (course.part == part) layers = std::max(layers, static_cast<std::size_t>(course.layer) + 1);
  for (const LayerCourse& course : run.courses) {
    if (course.part != part) continue;
    std::vector<double> values = course.values;
    missing += hideMissing(values, logarithmic);
    panel.x.minimum = 0;
    if (!course.steps.empty()) panel.x.maximum = course.steps.back() * 1.03;  // the last point stays whole
    panel.marks.push_back(
        layerLine(static_cast<std::size_t>(course.layer), layers, course.steps, std::move(values)));
  }
  if (logarithmic) panel.y.scale = AxisScale::Log;
  return panel;
}

// "encoder.self_attention" as words.
std::string wordsOf(std::string part) {
  std::replace(part.begin(), part.end(), '_', ' ');
  std::replace(part.begin(), part.end(), '.', ' ');
  return part;
}

// Beside the name of a run there is no room for a word that ends all parts ("attention").
std::vector<std::string> titlesOf(const std::vector<std::string>& parts, bool severalRuns) {
  std::vector<std::string> titles;
  std::transform(parts.begin(), parts.end(), std::back_inserter(titles), wordsOf);
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

// All panels share their ranges, so that runs and parts compare.
void shareRanges(FigureSpec& spec, bool logarithmic) {
  ValueRange range;
  double updates = 0;
  for (const FigurePanel& panel : spec.panels) {
    updates = std::max(updates, panel.x.maximum.value_or(0));
    for (const FigureMark& mark : panel.marks) range.add(std::get<LineMark>(mark.shape).y);
  }
  for (FigurePanel& panel : spec.panels)
    if (updates > 0) panel.x.maximum = updates;
  if (!(range.high > range.low)) return;
  for (FigurePanel& panel : spec.panels) {
    panel.y.minimum = logarithmic ? range.low / 1.2 : std::min(0.0, range.low);
    panel.y.maximum = logarithmic ? range.high * 1.2 : range.high * 1.05;
  }
}

Phrase summaryOf(const std::vector<FollowedRun>& runs, const Phrase& quantity) {
  Phrase text = Phrase::tr("%1 of each layer against updates.")(quantity);
  for (const FollowedRun& run : runs) {
    for (const LayerCourse& course : run.courses)
      text.append(Phrase::tr("%1, %2 layer %3: from %4 to %5.")(
          run.name, course.part, course.layer + 1, shortValueText(course.values.front()).toStdString(),
          shortValueText(course.values.back()).toStdString()));
  }
  return text;
}

Result<FigureSpec> buildOverTraining(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const auto runs, follow(source, options));
  FATHOM_TRY(const auto parts, partsOf(runs, options.text("part")));
  const AnalysisEntry& analysis = *findAnalysisEntry(options.text("analysis"));  // one of its choices
  const LayerNumbers& numbers = *analysis.layers;
  const Phrase quantity = quantityOf(numbers, options);
  const bool logarithmic = numbers.logarithmic;
  FigureSpec spec;
  spec.title = Phrase::tr("Over training: %1")(Phrase::known(analysis.title));
  spec.summary = summaryOf(runs, quantity);
  int missing = 0;
  const std::vector<std::string> titles = titlesOf(parts, runs.size() > 1);
  const std::size_t rowsOfRun = (parts.size() + kColumns - 1) / kColumns;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      FigurePanel panel = panelOf(runs[run], parts[i], logarithmic, missing);
      panel.row = static_cast<int>(run * rowsOfRun + i / kColumns);
      panel.column = static_cast<int>(i % kColumns);
      panel.title = runs.size() > 1 ? markupOf(runs[run].name) + ", " + titles[i] : titles[i];
      if (panel.column == 0) panel.y.label = quantity;
      panel.x.whole = true;
      if (i + kColumns >= parts.size()) panel.x.label = Phrase::tr("update");
      panel.legend = spec.panels.empty() && runs.size() == 1 ? LegendPlace::Auto : LegendPlace::None;
      spec.panels.push_back(std::move(panel));
    }
    spec.notes.push_back(Phrase::tr("%1: %2 states of the run.")(runs[run].name, runs[run].states));
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
  return joinedFields({{choiceField("analysis", "Analysis", "What is followed over the updates.", followed),
                        statistic, part, computedField()},
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
