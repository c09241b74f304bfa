// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// A data set made by rules (core/spider/data/spider_sample.h): three databases, questions and SQL from
// templates, and a vocabulary of their words. SampleMaker's functions.
Json textToSqlSampleFiles(const std::string& folder);
Result<TaskSample> writeTextToSqlSample(const std::string& folder, std::uint64_t seed, SampleSize size);

}  // namespace fathom
