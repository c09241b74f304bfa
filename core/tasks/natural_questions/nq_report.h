// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/options/metric.h"
#include "core/tasks/natural_questions/nq_scores.h"
#include "core/tasks/task.h"

namespace fathom {

// The answer of a completed prediction as it stands in Prediction::details, and back.
Json nqAnswerJson(const NqPrediction& prediction);
NqPrediction nqAnswerFrom(const Json& details);

std::vector<TaskScore> nqScores(const std::vector<std::vector<NqAnnotation>>& pages,
                                const std::vector<NqPrediction>& predictions);
Metrics nqMetrics();

// An entry of the benchmark's predictions.json.
Json nqSubmissionEntry(const std::string& id, const NqPrediction& prediction);

}  // namespace fathom
