// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/nn/models/sql_network.h"
#include "core/objectives/device_batch.h"
#include "core/spider/grammar/action_sequence.h"

namespace fathom {

// A batch of the task "text_to_sql" (core/tasks/text_to_sql/text_to_sql_task.h) as the network reads it.
// Throws Failure(internal) naming an array that it lacks.
SqlInputs inputsOf(const DeviceBatch& batch);
// The gold actions of its rows.
std::vector<std::vector<GrammarAction>> goldOf(const DeviceBatch& batch);
// The questions' tokens; none for rows of a batch that does not tell them.
std::vector<std::vector<std::string>> questionsOf(const DeviceBatch& batch);

}  // namespace fathom
