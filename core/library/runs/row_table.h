// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/library/runs/run_listing.h"

namespace SQLite {
class Database;
}

namespace fathom {

// How many threads so many rows are read by: a few are read sooner than a thread is started.
int listingThreads(std::size_t count);

// The table of rows behind curve_index.h. These throw SQLite::Exception; curve_index catches it.
void createRowTable(SQLite::Database& database);
std::vector<IndexedRun> loadIndexedRuns(SQLite::Database& database);
void storeRow(SQLite::Database& database, const std::string& stamp, const RunRow& row);
void removeRow(SQLite::Database& database, const std::string& path);
// Of these runs, in their order; nothing for one that is not there, has another stamp, or is damaged.
std::vector<std::optional<RunRow>> loadRows(SQLite::Database& database,
                                            const std::vector<const IndexedRun*>& runs, RowParts parts);

}  // namespace fathom
