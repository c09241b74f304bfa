// SPDX-License-Identifier: GPL-3.0-or-later
// The gain of more processes for runs of one: the efficiency of an update, predicted
// (docs/parallel.md "What more bring").
#include <algorithm>

#include "core/analysis/training/rank_scaling.h"
#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "views/figure/figure_text.h"
#include "views/figures/comparison/rank_efficiency.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/size_fields.h"

namespace fathom {

namespace {

struct ScaledRun {
  std::string run, name;
  int look = -1;
  RankWork work;
};

Result<ScaledRun> scaledRun(AnalysisSource& source, const std::string& run) {
  FATHOM_TRY(const RunFacts facts, source.facts(run));
  FATHOM_TRY(const std::int64_t ranks, source.ranks(run));
  if (ranks > 1)
    return dataError(
        Phrase::tr("run “%1” was trained by %2 processes: its time by one is not known")(facts.name, ranks),
        Phrase::tr("choose a run of one process"));
  FATHOM_TRY(const double parameters, source.parameters(run));
  FATHOM_TRY(const RunCurve curve, source.curve(run, "loss"));
  ScaledRun scaled{run, facts.name, curve.look, {}};
  scaled.work.seconds = secondsAnUpdate(curve);
  if (scaled.work.seconds <= 0)
    return dataError(Phrase::tr("run “%1” has no two updates with a time")(facts.name),
                     Phrase::tr("train it further"));
  scaled.work.batches = std::max<std::int64_t>(1, memberInteger(facts.options, "training.accumulation", 1));
  const bool wide = memberText(facts.options, "precision") == "float64";
  scaled.work.gradientBytes = parameters * (wide ? sizeof(double) : sizeof(float));
  return scaled;
}

FigureMark efficiencyLine(const ScaledRun& run, const RankLink& link, std::size_t index) {
  std::vector<double> ranks, efficiencies;
  for (const RankPrediction& one : predictedCurve(run.work, link)) {
    ranks.push_back(static_cast<double>(one.ranks));
    efficiencies.push_back(one.efficiency);
  }
  FigureMark mark = rankEfficiencyLine(ranks, efficiencies);
  const MarkerShape marker = mark.style.marker;
  mark.label = markupOf(run.name);
  mark.selection = "run:" + run.run;
  mark.style = seriesStyle(run.look >= 0 ? static_cast<std::size_t>(run.look) : index);
  mark.style.marker = marker;
  return mark;
}

Phrase scalingLimit(const ScaledRun& run, const RankLink& link) {
  const auto below = firstBelowGood(run.work, link);
  if (!below)
    return Phrase::tr("%1: 80 % or more up to %2 processes.")(markupOf(run.name), kMostPredictedRanks);
  return Phrase::tr("%1: below 80 % from %2 processes on, where %3 batches per update would lift it.")(
      markupOf(run.name), below->ranks, below->batches);
}

constexpr double kMilli = 1e3;

Result<FigureSpec> buildRankScaling(AnalysisSource& source, const OptionValues& options) {
  std::vector<ScaledRun> runs;
  const double step = options.real("step") / kMilli;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(ScaledRun scaled, scaledRun(source, run));
    const std::string milliseconds = formatted("%.3g", kMilli * scaled.work.seconds);
    if (step >= scaled.work.seconds)
      return aboutKey("step",
                      usageError(Phrase::tr("an update of run “%1” takes %2 ms, no more than its step")(
                                     scaled.name, milliseconds),
                                 Phrase::tr("give the time of its optimiser alone")));
    scaled.work.step = step;
    runs.push_back(std::move(scaled));
  }
  if (runs.empty()) return noRunChosen();
  constexpr double kGiga = 1e9, kMicro = 1e-6;
  const RankLink link{options.real("latency") * kMicro, options.real("bandwidth") * kGiga};
  FigureSpec spec;
  spec.title = Phrase::tr("Predicted efficiency of more processes");
  spec.summary = Phrase::tr("Predicted efficiency of an update against the number of processes.");
  spec.notes.push_back(
      Phrase::tr("Predicted, not measured: %1 GB/s and %2 µs a message between processes that each have the "
                 "cores of the run; nothing of the communication is hidden.")(
          formatted("%.4g", options.real("bandwidth")), formatted("%.4g", options.real("latency"))));
  for (const ScaledRun& run : runs) {
    spec.summary.append(scalingLimit(run, link));
    spec.notes.push_back(scalingLimit(run, link));
  }
  FigurePanel panel = rankEfficiencyPanel();
  for (std::size_t i = 0; i < runs.size(); ++i) panel.marks.push_back(efficiencyLine(runs[i], link, i));
  spec.panels.push_back(std::move(panel));
  setSize(spec, options);
  return spec;
}

}  // namespace

FigureEntry rankScalingFigureEntry() {
  return {
      .id = "rank_scaling",
      .title = "Efficiency of more processes",
      .fields = joinedFields(
          {{realField("bandwidth", "Bandwidth",
                      "Between the processes, by fathom-engine all-reduce; 10 Gbit/s are "
                      "1.125 that arrive.",
                      1.125)
                .unit("GB/s")
                .above(0),
            realField("latency", "Latency", "Time of one message between them.", 30).unit("µs").atLeast(0),
            realField(
                "step", "Optimiser's step",
                "The part of an update that every process does whole: clipping and the optimiser. A dry "
                "run measures it.",
                0)
                .unit("ms")
                .atLeast(0)},
           sizeFields()}),
      .build = buildRankScaling,
      .inTrain = true};
}

}  // namespace fathom
