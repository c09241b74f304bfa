// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/library/records/library_error.h"
#include "core/record/events/scalar_reader.h"

namespace fathom {

inline constexpr std::size_t kBlockPoints = 1024;

// The tables behind curve_index.h. These throw SQLite::Exception; curve_index catches it.
void createCurveTables(SQLite::Database& database);
// Removes a run with its curves; not its row.
void removeSeries(SQLite::Database& database, const std::string& path);

// Writes the scalars of a run as they are read, in blocks: whatever the length of the run, a few megabytes
// are in memory. Rows with the same metrics, as all updates have, share one stored axis.
class CurveWriter {
 public:
  CurveWriter(SQLite::Database& database, std::int64_t run);
  void add(const ScalarRow& row);
  void finish();

 private:
  struct Series {
    std::int64_t id = 0;
    std::vector<double> value;
  };
  struct Group {
    std::int64_t axis = 0, blocks = 0;
    std::vector<double> line, step, time, epoch, tokens, clock;
    std::vector<Series> series;
  };
  Group& groupOf(const ScalarRow& row);
  void addRow(const ScalarRow& row);
  void flush(Group& group);
  SQLite::Database& m_database;
  std::int64_t m_run;
  std::int64_t m_lines = 0;
  std::size_t m_held = 0;                           // numbers
  std::unordered_map<std::string, Group> m_groups;  // by the names of their metrics
  std::string m_names;
  SQLite::Statement m_axisBlock, m_valueBlock;
};

// In order of first appearance.
std::vector<std::string> loadMetrics(SQLite::Database& database, std::int64_t run);
// The points block by block, so that one of them is in memory. False, and nothing was taken, where their
// steps fall somewhere or the run has no such metric.
using TakeBlock = std::function<Status(const ScalarSeries& block)>;
Result<bool> visitBlocks(SQLite::Database& database, std::int64_t run, const std::string& metric,
                         const TakeBlock& take);
// std::nullopt where the run has no such metric.
std::optional<ScalarSeries> loadSeries(SQLite::Database& database, std::int64_t run,
                                       const std::string& metric);

}  // namespace fathom
