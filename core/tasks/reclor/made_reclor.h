// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// Questions in the form of ReClor made by rules (made_facts.h): facts about a building, and four claims of
// which one is among them. DataMaker's functions.
Json madeReclorFiles(const std::string& folder);
Result<MadeData> writeMadeReclor(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
