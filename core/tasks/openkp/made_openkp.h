// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// Pages made by rules in OpenKP's layout: a heading, and blocks of text under it. The key phrases are what
// the headings name; text blocks name other things alike. DataMaker's functions.
Json madeOpenKpFiles(const std::string& folder);
Result<MadeData> writeMadeOpenKp(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
