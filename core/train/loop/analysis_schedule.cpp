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

void AnalysisSchedule::record(const LoopState& state, const AnalysisReport& report) {
  m_seconds += report.seconds;
  if (!report.error.message.empty()) {
    if (report.error.kind == ErrorKind::Interrupted || !m_warned.insert(report.analysis).second) return;
    m_parts.recorder.warn(
        Phrase::tr("%1 at update %2: %3; the training goes on")(report.analysis, state.clock.updates,
                                                                report.error.phrase()),
        "analysis_failed",
        {{"analysis", report.analysis}, {"step", state.clock.updates}, {"error", report.error.text()}});
    return;
  }
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
