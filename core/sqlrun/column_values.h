// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "core/sqlrun/sqlrun_pool.h"

namespace fathom {

// Upper bounds of what is read of one database; the rest is left out and told.
struct ValueLimits {
  std::int64_t values = 20'000;                 // distinct ones of a column
  std::int64_t characters = 300;                // of a value; longer ones are cut
  std::int64_t bytes = std::int64_t{16} << 20;  // of all values of a database
  std::size_t columns = 2'000;                  // of a database
  double seconds = 10;                          // for a column
};

// The texts that stand in databases, for linking words of questions (docs/schema_linking.md §5): per database
// {"database": file name without its ending, "sha256", "columns": [{"table", "column", "values": [distinct
// texts in ASCII lower case], "cut": what was left out and why, or absent}]}. One that cannot be read has
// "error" instead of "columns"; the others go on. Error: interrupted.
Result<std::vector<Json>> readColumnValues(const SqlRunPoolOptions& options,
                                           const std::vector<std::string>& databases,
                                           const ValueLimits& limits, Progress& progress,
                                           const StopToken& stop = {});

// The prepared file of such objects: a line that says what it is, then one line per database.
std::string valuesFileText(const std::vector<Json>& databases);

}  // namespace fathom
