// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// A table like RTE made by rules (made_facts.h): facts about a building, and a claim that one of them
// entails or which is contrary to one. DataMaker's functions.
Json madeGlueFiles(const std::string& folder);
Result<MadeData> writeMadeGlue(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
