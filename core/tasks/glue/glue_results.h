// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/json/json.h"
#include "core/tasks/task_facts.h"

namespace fathom {

// The lines of RealFormer Table 3 that a run of this task fills, in its order; a table of one's own is named
// by its training file.
std::vector<ResultLine> glueResultLines(const Json& options);

}  // namespace fathom
