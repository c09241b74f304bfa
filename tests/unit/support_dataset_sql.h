// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json/json.h"
#include "core/spider/official/sql_parser.h"

namespace fathom::fixtures {

// A record's own `sql` member as our structure, for checking the parser against the data. Integer column and
// table ids are those of tables.json. Error: something that is not the format.
Result<SqlQuery> queryFromDatasetJson(const Json& sql, const SpiderSchema& schema);

}  // namespace fathom::fixtures
