// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// A made world of people and towns: where the town lies that somebody lives in, whether two live in one town.
// Both facts stand in paragraphs of their own among others of the same form; a vocabulary of their words is
// written beside. Functions of DataMaker.
Json madeHotpotqaFiles(const std::string& folder);
Result<MadeData> writeMadeHotpotqa(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
