// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/train/dry/dry_run.h"

namespace fathom {

struct RemedyRequest {
  const OptionValues& options;
  const TaskEntry& task;
  std::int64_t vocabulary = 0;
  const ModelBytes& bytes;
  const std::optional<StepCosts>& costs;
  const DryRun& run;  // that does not fit
};
// Changes of one thing each with which it would fit, the mildest first: smaller batches, fewer layers, a
// narrower model. None of them: two together.
std::vector<MemoryRemedy> remedies(const RemedyRequest& request);

}  // namespace fathom
