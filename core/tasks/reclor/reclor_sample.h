// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// Questions in the form of ReClor made by rules (sample_facts.h): facts about a building, and four claims of
// which one is among them. SampleMaker's functions.
Json reclorSampleFiles(const std::string& folder);
Result<TaskSample> writeReclorSample(const std::string& folder, std::uint64_t seed, SampleSize size);

}  // namespace fathom
