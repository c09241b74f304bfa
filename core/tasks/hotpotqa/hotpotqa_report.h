// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/options/metric.h"
#include "core/tasks/hotpotqa/hotpotqa_task.h"

namespace fathom {

// Scores of completed predictions, in per cent; records[i] is that of predictions[i].
std::vector<TaskScore> hotpotqaScores(const std::vector<HotpotRecord>& records,
                                      const std::vector<const Prediction*>& predictions);
Metrics hotpotqaMetrics();
std::vector<StatisticField> hotpotqaStatistics();
// Counts of an example that was laid.
void countHotpotqa(HotpotqaPart& part, const HotpotRecord& record, const HotpotExample& example);
Json hotpotqaStatisticsOf(const HotpotqaPart& part);

// Facts as predictions and files write them: [[title, sentence], …].
Json factsJson(const std::vector<SupportingFact>& facts);
std::vector<SupportingFact> factsIn(const Json& list);

}  // namespace fathom
