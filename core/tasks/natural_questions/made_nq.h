// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// Pages about bridges made by rules, in the simplified layout: who built it and when, how long it is, whether
// cars may cross it. Questions have a short answer in a paragraph, YES or NO, a paragraph alone, or none;
// pages of validation and test have five annotations. DataMaker's functions.
Json madeNqFiles(const std::string& folder);
Result<MadeData> writeMadeNq(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
