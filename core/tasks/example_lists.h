// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/task.h"

namespace fathom {

// The predictions of the examples 0 .. examples - 1, borrowed, in that order. Data error unless there is one
// of each.
Result<std::vector<const Prediction*>> inExampleOrder(const std::vector<Prediction>& predictions,
                                                      std::int64_t examples);

// So many in a batch, the rest in the last one.
std::vector<std::vector<ExampleId>> batchesOf(const std::vector<ExampleId>& examples, std::int64_t most);

}  // namespace fathom
