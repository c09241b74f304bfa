// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/nn/models/model.h"
#include "core/tasks/task.h"

namespace fathom {

// Depths of the stacks that the options name and use, by key: {"encoder.layers": 6}.
std::map<std::string, std::int64_t> stackDepths(const OptionValues& options);
// The same options with no stack deeper than `most`.
OptionValues noDeeperThan(const OptionValues& options, std::int64_t most);
// Padded tokens of a full batch as the task's batch options say; 0: they do not say.
double fullBatchTokens(const OptionValues& options, const TaskEntry& task);
// The key that says how large a batch is, or "".
std::string batchKey(const OptionValues& options, const TaskEntry& task);
// The task's facts about a model, its vocabularies of `pieces` where they are smaller.
ModelInputs inputsOfVocabulary(const std::map<std::string, std::int64_t>& sizes, std::int64_t pieces);

// Cost of an update beyond weights and optimiser, as a function of depth and of the padded tokens of the
// batch: a part that is always there, one for each token, one for each token and layer (docs/dry_run.md §3).
class StepCosts {
 public:
  struct Line {
    double fixed = 0, perToken = 0;
    std::map<std::string, double> perLayerToken;  // of each layer beyond the first, by key of the depth
    double at(const std::map<std::string, std::int64_t>& depths, double tokens) const;
  };
  Line forwardBytes, backwardBytes, seconds;  // backward: what the backward pass needs above the forward's
  Line processorSeconds;                      // of all threads
  double optimiserSeconds = 0;                // for each parameter
};

struct StepCostRequest {
  const OptionValues& options;
  torch::Device device = torch::kCPU;
  std::int64_t vocabulary = 0;       // pieces
  std::int64_t mostBytes = 1 << 30;  // a shallow model with more is made narrower, and what it costs scaled
  Progress* progress = nullptr;      // may be null
  StopToken stop = {};
};
// Measured on models of one layer a stack, and of two in each stack by turns, with small batches of the
// task's made data: no data are read and nothing of the size of the run is made. Usage error for a
// task without made data.
Result<StepCosts> measureStepCosts(const StepCostRequest& request);

}  // namespace fathom
