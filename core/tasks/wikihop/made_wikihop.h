// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// The made task for global tokens (made_long.h) as the sample of WikiHop. Functions of DataMaker.
Json madeWikihopFiles(const std::string& folder);
Result<MadeData> writeMadeWikihop(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
