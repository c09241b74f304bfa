// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// Pages made by rules in OpenKP's layout: a heading, and blocks of text under it. The key phrases are what
// the headings name; text blocks name other things alike. SampleMaker's functions.
Json openKpSampleFiles(const std::string& folder);
Result<TaskSample> writeOpenKpSample(const std::string& folder, std::uint64_t seed, SampleSize size);

}  // namespace fathom
