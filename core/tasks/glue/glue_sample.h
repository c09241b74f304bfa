// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// A table like RTE made by rules (sample_facts.h): facts about a building, and a claim that one of them
// entails or which is contrary to one. SampleMaker's functions.
Json glueSampleFiles(const std::string& folder);
Result<TaskSample> writeGlueSample(const std::string& folder, std::uint64_t seed, SampleSize size);

}  // namespace fathom
