// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/options/metric.h"

namespace fathom {

// Metrics of a run of this task: those of every task's objective and of the training loop, and those that
// the task declares itself. The ones of all tasks together are programMetrics().
Metrics metricsOfTask(std::string_view task);

}  // namespace fathom
