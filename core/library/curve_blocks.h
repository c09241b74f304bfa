// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/library/curve_index.h"

namespace SQLite {
class Database;
}

namespace fathom {

inline constexpr std::size_t kBlockPoints = 1024;

// The tables behind curve_index.h. These throw SQLite::Exception; curve_index catches it.
void createCurveTables(SQLite::Database& database);
// Removes a run with its curves; not its row.
void removeSeries(SQLite::Database& database, const std::string& path);
// Series that share their steps, as all scalars of one update do, share one stored axis.
void storeSeries(SQLite::Database& database, std::int64_t run, const std::vector<ScalarSeries>& all);
std::optional<ScalarSeries> loadSeries(SQLite::Database& database, std::int64_t run,
                                       const std::string& metric);
std::vector<CurveBin> loadOverview(SQLite::Database& database, std::int64_t run, const std::string& metric,
                                   double first, double last, int bins);
// The same from points in memory: the plain version the blocks are tested against, and the answer where there
// is no index.
std::vector<CurveBin> binPoints(const ScalarSeries& series, double first, double last, int bins);

}  // namespace fathom
