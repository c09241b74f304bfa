// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/spider/linking/stored_values.h"
#include "core/sqlrun/sqlrun_pool.h"

namespace fathom {

// Where the texts of databases come from. With neither there are none.
struct ValueSources {
  std::string databases;  // folder with <db_id>/<db_id>.sqlite
  std::string file;       // prepared file (docs/schema_linking.md §5): read, or made of the databases
};

struct SpiderValues {
  StoredValues values;
  std::vector<std::string> notes;  // databases that are missing or damaged, what was left out
  bool made = false;               // the prepared file was written
};

// Values of the databases `ids`. A prepared file is used as it is when no databases are named or it is of
// these very files (by hash); else it is made anew, of every database in `all`. Without a file the databases
// of `ids` are read. Errors name the file; a database that cannot be read is a note.
Result<SpiderValues> spiderValues(const ValueSources& sources, const SpiderDatabaseIds& ids,
                                  const SpiderDatabaseIds& all, const SqlRunPoolOptions& options,
                                  Progress& progress, const StopToken& stop = {});

}  // namespace fathom
