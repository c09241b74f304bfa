// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/optim/optimizer.h"
#include "core/train/loop/run_analyst.h"
#include "core/train/loop/run_recorder.h"
#include "core/train/parts/train_settings.h"
#include "core/train/state/checkpoint.h"

namespace fathom {

// Lets an analyst look at a run at the moments its options name, and records what came of it: an "array"
// event with update, analysis, folder and seconds for each result, one warning for each analysis that fails.
// Its time is not part of the updates'. Without an analyst nothing happens. One thread.
class AnalysisSchedule {
 public:
  struct Parts {
    RunAnalyst* analyst = nullptr;  // borrowed, may be null
    RunParts& run;
    Optimizer& optimizer;
    const OptionValues& options;
    RunRecorder& recorder;
    const CheckpointContext& checkpoint;
    StopToken stop;
  };
  explicit AnalysisSchedule(Parts parts);

  // Before the first update of an attempt. Throws Failure(usage) for options that cannot be served.
  void begin(const LoopState& state);
  // Tensors that a checkpoint of this state must hold for the analyst.
  std::vector<std::pair<std::string, torch::Tensor>> keep(const LoopState& state) const;
  // After an update; `savedAs` is the checkpoint of this very state, "" = it was not saved. `due`: the
  // interval was passed.
  void afterUpdate(const LoopState& state, bool due, bool endedEpoch, const std::string& savedAs);
  // Logs the largest attention logit of this state, and warns once of each attention whose entropy has
  // collapsed (options analysis.max_logit, analysis.collapse_below). `epoch`: epochs trained, with the part
  // of the current one.
  void pulse(const LoopState& state, double epoch);
  // After the last update, when its checkpoint is there.
  void end(const LoopState& state, const std::string& savedAs);
  double seconds() const { return m_seconds; }

 private:
  using Look = std::vector<AnalysisReport> (RunAnalyst::*)(const RunMoment&);
  RunMoment momentOf(const LoopState& state, const std::string& savedAs);
  void look(Look what, const LoopState& state, const std::string& savedAs);
  void record(const LoopState& state, const AnalysisReport& report);
  void warnOfFailure(const LoopState& state, const std::string& analysis, const Error& error);
  void warnOfCollapse(const LoopState& state, const AttentionPulse& pulse, double least);
  Parts m_parts;
  bool m_scheduled = false, m_norms = false;
  std::int64_t m_lastStep = -1;
  double m_seconds = 0;
  Progress m_progress;
  std::set<std::string> m_warned, m_collapsed;
};

}  // namespace fathom
