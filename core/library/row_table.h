// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/library/run_listing.h"

namespace SQLite {
class Database;
}

namespace fathom {

// The table of rows behind curve_index.h. These throw SQLite::Exception; curve_index catches it.
void createRowTable(SQLite::Database& database);
std::vector<IndexedRun> loadIndexedRuns(SQLite::Database& database);
void storeRow(SQLite::Database& database, const std::string& stamp, const RunRow& row);
void removeRow(SQLite::Database& database, const std::string& path);
// Nothing when it is not there, has another stamp, or is damaged.
std::optional<RunRow> loadRow(SQLite::Database& database, const std::string& path, const std::string& stamp,
                              RowParts parts);

}  // namespace fathom
