// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// SQuAD 1.1 made by rules (sample_facts.h): passages of facts about two buildings, questions about single
// ones. SampleMaker's functions.
Json squadSampleFiles(const std::string& folder);
Result<TaskSample> writeSquadSample(const std::string& folder, std::uint64_t seed, SampleSize size);

}  // namespace fathom
