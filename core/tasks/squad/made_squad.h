// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// SQuAD 1.1 made by rules (made_facts.h): passages of facts about two buildings, questions about single
// ones. DataMaker's functions.
Json madeSquadFiles(const std::string& folder);
Result<MadeData> writeMadeSquad(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
