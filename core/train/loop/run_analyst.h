// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/train/parts/run_parts.h"

namespace fathom {

// A state of a run between two updates, as somebody may look at it. Everything is borrowed for the call.
struct RunMoment {
  RunParts& run;  // with the averaged weights where such are kept: those a probe of a checkpoint would see
  const OptionValues& options;
  std::string runPath;
  std::string checkpoint;      // "init", or "<attempt>-<step>" whether or not this state was saved
  std::string checkpointHash;  // SHA-256 of its manifest; "" when this state was not saved
  std::int64_t step = 0;       // updates done
  std::int64_t epochs = 0;     // epochs done
  bool epochStarts = false;    // no batch of the next epoch was given out yet
  Progress* progress = nullptr;
  StopToken stop;
  // Tensors that the analyst kept in the checkpoint of a resumed attempt; empty where it has none.
  std::map<std::string, torch::Tensor> kept = {};
};

// Outcome of one analysis.
struct AnalysisReport {
  std::string analysis;
  std::string folder;  // where its result lies, relative to the run
  double seconds = 0;
  Error error;  // when there is none; an empty message otherwise
};

// Attention of one batch of validation data.
struct AttentionPulse {
  struct Layer {
    std::string part;    // "encoder.self_attention"
    int layer = 0;       // 0-based
    double entropy = 0;  // mean over heads and queries, nats
  };
  double largestLogit = 0;    // of all heads
  std::vector<Layer> layers;  // empty where entropies were not asked for
  double seconds = 0;
  Error error;  // as AnalysisReport::error
};

// Looks at a run while it is trained (the engine's probes). Called on the loop's thread; must leave weights,
// gradients and optimiser as they are, so that a run is the same bits with and without.
class RunAnalyst {
 public:
  virtual ~RunAnalyst() = default;
  // Before the first update of an attempt: usage error naming the key of an option that cannot be served.
  virtual Status begin(const RunMoment& moment) = 0;
  // The scheduled analyses of this state (option analysis.ids).
  virtual std::vector<AnalysisReport> scheduled(const RunMoment& moment) = 0;
  // At the end of an epoch and before the first one, where analysis.epoch_norms is on.
  virtual std::vector<AnalysisReport> epochEnded(const RunMoment& moment) = 0;
  // Where the interval analysis.max_logit was passed; `entropies` of the layers, too.
  virtual AttentionPulse pulse(const RunMoment& moment, bool entropies) = 0;
  // Tensors for a checkpoint in the middle of an epoch, so that a resumed run is analysed as if it had not
  // stopped: names and tensors, on the CPU.
  virtual std::vector<std::pair<std::string, torch::Tensor>> keep() const { return {}; }
};

}  // namespace fathom
