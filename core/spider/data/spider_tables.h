// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spider/data/prediction_file.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// readSpiderTables for the databases of `ids` alone: a file of 166 is read in a tenth of the time when only
// the 20 of one split occur. The whole file is checked to be JSON; keys and columns only of those asked for.
// `all` gets the ids of every database in the file.
Result<SpiderSchemas> readSpiderTablesOf(const std::string& path, const SpiderDatabaseIds& ids,
                                         SpiderDatabaseIds* all = nullptr);
Result<SpiderSchemas> parseSpiderTablesOf(std::string_view text, const std::string& path,
                                          const SpiderDatabaseIds& ids, SpiderDatabaseIds* all = nullptr);

}  // namespace fathom
