// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/analysis_schedule.h"

#include <utility>

#include "core/base/files/hash.h"
#include "core/base/text/number_text.h"
#include "core/record/runs/run_folder.h"
#include "core/train/state/stored_run.h"

namespace fathom {

AnalysisSchedule::AnalysisSchedule(Parts parts) : m_parts(std::move(parts)) {
  if (m_parts.analyst == nullptr) return;
  m_scheduled = !m_parts.options.time("analysis.interval").never();
  m_norms = m_parts.options.flag("analysis.epoch_norms");
  m_progress = m_parts.recorder.progress();
}

RunMoment AnalysisSchedule::momentOf(const LoopState& state, const std::string& savedAs) {
  const std::int64_t step = state.clock.updates;
  const CheckpointContext& context = m_parts.checkpoint;
  std::string hash;
  if (!savedAs.empty()) {
    const std::string folder = RunFolder(context.runPath).checkpointsPath() + "/" + savedAs;
    if (const auto known = sha256OfFile(checkpointManifestFile(folder)); known.ok()) hash = *known;
  }
  const std::string name = step == 0 ? kInitialWeights : checkpointName(context.attempt, step);
  return {m_parts.run,        m_parts.options,           context.runPath, name,         hash, step,
          state.clock.epochs, state.position.batch == 0, &m_progress,     m_parts.stop, {}};
}

void AnalysisSchedule::begin(const LoopState& state) {
  if (!m_scheduled && !m_norms) return;
  {
    const AveragedWeights averaged(m_parts.optimizer);
    RunMoment moment = momentOf(state, "");
    if (m_norms && !moment.epochStarts && !m_parts.checkpoint.resumedFrom.empty())
      moment.kept = readAnalystState(m_parts.checkpoint.resumedFrom).value();
    m_parts.analyst->begin(moment).value();
  }
  if (state.clock.updates > 0) {
    m_lastStep = state.clock.updates;
    return;
  }
  if (m_scheduled) look(&RunAnalyst::scheduled, state, "");
  if (m_norms) look(&RunAnalyst::epochEnded, state, "");
}

std::vector<std::pair<std::string, torch::Tensor>> AnalysisSchedule::keep(const LoopState& state) const {
  // At the beginning of an epoch the weights themselves are what would be kept.
  if (!m_norms || state.position.batch == 0) return {};
  return m_parts.analyst->keep();
}

void AnalysisSchedule::afterUpdate(const LoopState& state, bool due, bool endedEpoch,
                                   const std::string& savedAs) {
  if (m_norms && endedEpoch) look(&RunAnalyst::epochEnded, state, savedAs);
  if (m_scheduled && due) look(&RunAnalyst::scheduled, state, savedAs);
}

void AnalysisSchedule::end(const LoopState& state, const std::string& savedAs) {
  if (m_scheduled && m_lastStep != state.clock.updates) look(&RunAnalyst::scheduled, state, savedAs);
}

void AnalysisSchedule::look(Look what, const LoopState& state, const std::string& savedAs) {
  if (m_parts.stop.stopRequested()) return;  // a probe of the checkpoint that is saved now gives the same
  const AveragedWeights averaged(m_parts.optimizer);
  const RunMoment moment = momentOf(state, savedAs);
  for (const AnalysisReport& report : (m_parts.analyst->*what)(moment)) record(state, report);
  if (what == &RunAnalyst::scheduled) m_lastStep = state.clock.updates;
}

void AnalysisSchedule::warnOfFailure(const LoopState& state, const std::string& analysis,
                                     const Error& error) {
  if (error.kind == ErrorKind::Interrupted || !m_warned.insert(analysis).second) return;
  m_parts.recorder.warn(
      Phrase::tr("%1 at update %2: %3; the training goes on")(analysis, state.clock.updates, error.phrase()),
      "analysis_failed", {{"analysis", analysis}, {"step", state.clock.updates}, {"error", error.text()}});
}

void AnalysisSchedule::pulse(const LoopState& state, double epoch) {
  if (m_parts.analyst == nullptr || m_parts.stop.stopRequested()) return;
  const double least = m_parts.options.real("analysis.collapse_below");
  const AveragedWeights averaged(m_parts.optimizer);
  const AttentionPulse pulse = m_parts.analyst->pulse(momentOf(state, ""), least > 0);
  m_seconds += pulse.seconds;
  if (!pulse.error.message.empty()) return warnOfFailure(state, "analysis.max_logit", pulse.error);
  Json members;
  members["step"] = state.clock.updates;
  members["epoch"] = jsonReal(epoch);
  members["tokens"] = state.clock.targetTokens;
  members["m"] = {{"attention.max_logit", jsonReal(pulse.largestLogit)}};
  m_parts.recorder.event("step", members);
  if (least > 0) warnOfCollapse(state, pulse, least);
}

void AnalysisSchedule::warnOfCollapse(const LoopState& state, const AttentionPulse& pulse, double least) {
  for (const AttentionPulse::Layer& each : pulse.layers) {
    if (!(each.entropy < least) || !m_collapsed.insert(each.part).second) continue;
    m_parts.recorder.warn(
        Phrase::tr("attention has collapsed at update %1: the entropy of %2, layer %3, is %4 nats, below %5")(
            state.clock.updates, each.part, each.layer + 1, formatted("%.3f", each.entropy),
            formatted("%g", least)),
        "entropy_collapse",
        {{"step", state.clock.updates},
         {"attention", each.part},
         {"layer", each.layer},
         {"entropy", each.entropy},
         {"limit", least},
         {"max_logit", jsonReal(pulse.largestLogit)}});
  }
}

void AnalysisSchedule::record(const LoopState& state, const AnalysisReport& report) {
  m_seconds += report.seconds;
  if (!report.error.message.empty()) return warnOfFailure(state, report.analysis, report.error);
  Json members;
  members["step"] = state.clock.updates;
  members["epoch"] = state.clock.epochs;
  members["analysis"] = report.analysis;
  members["folder"] = report.folder;
  members["seconds"] = report.seconds;
  m_parts.recorder.event("array", members);
  m_parts.recorder.say(report.analysis + " at update " + std::to_string(state.clock.updates) + ": " +
                       formatted("%.1f s", report.seconds));
}

}  // namespace fathom
