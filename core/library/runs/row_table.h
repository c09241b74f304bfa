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

// Number of threads that read so many rows: a few are read sooner than a thread is started.
int listingThreads(std::size_t count);

// The table of rows behind curve_index.h. These throw SQLite::Exception; curve_index catches it.
void createRowTable(SQLite::Database& database);
std::vector<IndexedRun> loadIndexedRuns(SQLite::Database& database);
void storeRow(SQLite::Database& database, const std::string& stamp, const RunRow& row);
void removeRow(SQLite::Database& database, const std::string& path);
// Rows of these runs, in their order; std::nullopt for one that is absent, has another stamp, or is damaged.
std::vector<std::optional<RunRow>> loadRows(SQLite::Database& database,
                                            const std::vector<const IndexedRun*>& runs, RowParts parts);

}  // namespace fathom
