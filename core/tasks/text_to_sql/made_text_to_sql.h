// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tasks/task_facts.h"

namespace fathom {

// A data set made by rules (core/spider/data/made_spider.h): three databases, questions and SQL from
// templates, and a vocabulary of their words. DataMaker's functions.
Json madeTextToSqlFiles(const std::string& folder);
Result<MadeData> writeMadeTextToSql(const std::string& folder, std::uint64_t seed, MadeDataSize size);

}  // namespace fathom
