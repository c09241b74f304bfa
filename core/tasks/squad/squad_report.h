// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options/metric.h"
#include "core/tasks/squad/squad_task.h"

namespace fathom {

// Scores of completed predictions; questions[i] is that of predictions[i].
std::vector<TaskScore> squadScores(const SquadPart& part, const std::vector<std::int64_t>& questions,
                                   const std::vector<const Prediction*>& predictions, bool version2);
Metrics squadMetrics();
// The rows of RealFormer Table 4 that a run fills.
std::vector<ResultLine> squadResultLines(const Json& options);
std::vector<StatisticField> squadStatistics();
// Answers that are not where the file says, each kind with the first question's id.
std::vector<std::string> squadOddities(const SquadPart& part);
Json squadStatisticsOf(const SquadPart& part, const TextEncoding& encoding);

}  // namespace fathom
