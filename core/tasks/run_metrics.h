// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/options/metric.h"

namespace fathom {

// What a run of this task reports: what every task's objective and the training loop do, and what the task
// declares itself. That of all tasks together is programMetrics().
Metrics metricsOfTask(std::string_view task);

}  // namespace fathom
