// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/train/dry/dry_model.h"

namespace fathom {

// Batches of a run that stand for all of them.
struct TimedBatches {
  HostBatch longest;               // the most padded tokens of those looked at; of several, the widest
  std::vector<HostBatch> typical;  // evenly spread over the first epoch
  double meanTokens = 0;           // padded, of those looked at
};
// Looks at all batches where there are few, else at those with the most target units and at a spread of the
// others. Throws Failure.
TimedBatches batchesToTime(const Task& task, std::uint64_t seed);

struct TimedUpdatesRequest {
  const OptionValues& options;
  const Task& task;
  torch::Device device;
  const TimedBatches& batches;
  double seconds = 3;            // spent on updates
  Progress* progress = nullptr;  // may be null
  StopToken stop = {};
};
struct TimedUpdates {
  std::int64_t updates = 0;
  double updateSeconds = 0;
  double stepSeconds = 0;  // of these, the optimiser
  // Once before the first update, for all examples, and the bytes that are then held; 0: nothing is made.
  double prepareSeconds = 0;
  std::int64_t prepared = 0;
  std::optional<double> validationSeconds, scoreSeconds;  // of all validation batches
  std::int64_t forward = 0, step = 0, look = 0;           // bytes, as StepCost; look: of a validation
  std::int64_t program = 0;  // bytes in physical memory beside tensors; 0 on an accelerator

  // Bytes beyond weights, gradients and optimiser at the worst moment.
  std::int64_t activations(const ModelBytes& bytes, bool accumulates) const;
};
// The model itself for so long: the longest batch first, then typical ones in turn, one validation batch with
// and without outputs. Throws Failure.
TimedUpdates timeUpdates(const TimedUpdatesRequest& request);

}  // namespace fathom
