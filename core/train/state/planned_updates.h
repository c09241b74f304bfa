// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/tasks/task.h"
#include "core/train/parts/train_settings.h"

namespace fathom {

// Length of a run in updates; epochs and tokens through the fixed batches of the task.
std::int64_t plannedUpdatesOf(const Task& task, const TrainSettings& settings);
// Number of times that an interval passes within so many updates; 0 for never.
std::int64_t timesWithin(const Task& task, const TrainSettings& settings, const TrainingTime& interval,
                         std::int64_t updates);

}  // namespace fathom
