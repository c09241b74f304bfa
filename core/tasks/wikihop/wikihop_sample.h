// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// The made task for global tokens (long_sample.h) as the sample of WikiHop. Functions of SampleMaker.
Json wikihopSampleFiles(const std::string& folder);
Result<TaskSample> writeWikihopSample(const std::string& folder, std::uint64_t seed, SampleSize size);

}  // namespace fathom
