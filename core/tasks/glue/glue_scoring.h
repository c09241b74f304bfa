// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options/metric.h"
#include "core/tasks/glue/glue_rules.h"
#include "core/tasks/task.h"

namespace fathom {

// Scores of completed predictions, one for each label, in their order: what the rule asks for, times 100. The
// labels behind the first `matched` ones are MNLI's mismatched part.
std::vector<TaskScore> glueScores(const GlueRule& rule, const std::vector<std::string>& classes,
                                  const std::vector<double>& labels,
                                  const std::vector<const Prediction*>& predictions, std::int64_t matched);

Metrics glueMetrics();

}  // namespace fathom
