// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/probe/probe_entry.h"
#include "core/record/results/analysis_store.h"
#include "core/train/loop/run_analyst.h"

namespace fathom {

// The probes of a run that goes on (options analysis.*): the same probe, data and request as `probe` would
// have for a checkpoint of the same state, so that either finds what the other has computed. A state that was
// not saved has no hash of a manifest; its name, "<attempt>-<update>", is its own.
class RunAnalyses final : public RunAnalyst {
 public:
  Status begin(const RunMoment& moment) override;
  std::vector<AnalysisReport> scheduled(const RunMoment& moment) override;
  std::vector<AnalysisReport> epochEnded(const RunMoment& moment) override;
  AttentionPulse pulse(const RunMoment& moment, bool entropies) override;
  std::vector<std::pair<std::string, torch::Tensor>> keep() const override;

 private:
  std::vector<torch::Tensor> m_before;  // attention matrices when the last epoch ended; empty = unknown
};

}  // namespace fathom
