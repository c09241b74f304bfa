// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/task.h"
#include "core/tasks/text_to_sql/sql_examples.h"

namespace fathom {

// Text in the place of an absent query, as in the released code. It does not parse.
inline constexpr const char* kNoSql = "SELECT *";

// Scores of completed predictions: of every kept example exactly one; those whose row is too wide count as
// wrong. Error: one that is missing, named twice or not evaluated.
Result<std::vector<TaskScore>> scoreSqlPredictions(const SqlPart& part, const SqlDatabases& databases,
                                                   const std::vector<Prediction>& predictions);

// Metrics of the scores, and those that the objective reports beside them.
Metrics textToSqlMetrics();

// Actions without their columns: equal sketches are queries of one shape.
std::vector<GrammarAction> sketchOf(const std::vector<GrammarAction>& actions);

}  // namespace fathom
