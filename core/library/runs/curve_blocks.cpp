// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/curve_blocks.h"

#include <algorithm>
#include <cstring>

namespace fathom {

namespace {

constexpr std::size_t kMostHeld = std::size_t{1} << 20;  // numbers in memory
constexpr std::size_t kMostGroups = 1000;
constexpr int kAxisColumns = 6;  // of axis_block, beside its keys

void bindBlob(SQLite::Statement& statement, int index, const std::vector<double>& values) {
  statement.bindNoCopy(index, values.data(), static_cast<int>(values.size() * sizeof(double)));
}

void appendBlob(const SQLite::Column& column, std::vector<double>& values) {
  const std::size_t count = static_cast<std::size_t>(column.getBytes()) / sizeof(double);
  const std::size_t before = values.size();
  values.resize(before + count);
  if (count > 0) std::memcpy(values.data() + before, column.getBlob(), count * sizeof(double));
}

void execute(SQLite::Statement& statement) {
  statement.exec();
  statement.reset();
}

struct StoredSeries {
  std::int64_t id = 0, axis = 0;
};

std::vector<StoredSeries> findSeries(SQLite::Database& database, std::int64_t run,
                                     const std::string& metric) {
  std::vector<StoredSeries> found;
  SQLite::Statement query = statementOf(
      database, "SELECT id, axis FROM series WHERE run = ? AND metric = ? ORDER BY id", run, metric);
  while (query.executeStep()) found.push_back({query.getColumn(0).getInt64(), query.getColumn(1).getInt64()});
  return found;
}

bool stepsRise(SQLite::Database& database, std::int64_t axis) {
  SQLite::Statement query =
      statementOf(database, "SELECT step FROM axis_block WHERE axis = ? ORDER BY number", axis);
  double last = 0;
  for (std::vector<double> step; query.executeStep(); step.clear()) {
    appendBlob(query.getColumn(0), step);
    if (step.empty() || step.front() < last || !std::is_sorted(step.begin(), step.end())) return false;
    last = step.back();
  }
  return true;
}

SQLite::Statement blocksOf(SQLite::Database& database, const StoredSeries& series) {
  SQLite::Statement query = statementOf(
      database,
      "SELECT a.line, a.step, a.time, a.epoch, a.tokens, a.clock, v.value FROM value_block v JOIN "
      "axis_block a ON a.axis = ? AND a.number = v.number WHERE v.series = ? ORDER BY "
      "v.number",
      series.axis, series.id);
  return query;
}

// False where they do not fit each other.
bool appendBlock(SQLite::Statement& query, std::vector<double>& line, ScalarSeries& series) {
  std::vector<double>* const columns[] = {&line,          &series.step,  &series.time, &series.epoch,
                                          &series.tokens, &series.clock, &series.value};
  bool fits = true;
  for (int i = 0; i < 7; ++i) {
    appendBlob(query.getColumn(i), *columns[i]);
    fits = fits && columns[i]->size() == line.size();
  }
  return fits;
}

}  // namespace

void createCurveTables(SQLite::Database& database) {
  database.exec(R"sql(
CREATE TABLE run (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, attempt INTEGER NOT NULL,
  start REAL NOT NULL, step REAL NOT NULL
);
CREATE TABLE axis (id INTEGER PRIMARY KEY);
CREATE TABLE axis_block (
  axis INTEGER NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL, step BLOB NOT NULL, time BLOB NOT NULL,
  epoch BLOB NOT NULL, tokens BLOB NOT NULL, clock BLOB NOT NULL, PRIMARY KEY (axis, number)
) WITHOUT ROWID;
CREATE TABLE series (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, metric TEXT NOT NULL,
  axis INTEGER NOT NULL
);
CREATE INDEX series_of_run ON series (run, metric);
CREATE TABLE value_block (
  series INTEGER NOT NULL, number INTEGER NOT NULL, value BLOB NOT NULL, PRIMARY KEY (series, number)
) WITHOUT ROWID;
)sql");
}

// Written out, since connections run no triggers (library_error.h).
void removeSeries(SQLite::Database& database, const std::string& path) {
  const char* const kSteps[] = {
      "DELETE FROM value_block WHERE series IN (SELECT s.id FROM series s JOIN run r ON r.id = s.run WHERE "
      "r.path = ?)",
      "DELETE FROM axis_block WHERE axis IN (SELECT s.axis FROM series s JOIN run r ON r.id = s.run WHERE "
      "r.path = ?)",
      "DELETE FROM axis WHERE id IN (SELECT s.axis FROM series s JOIN run r ON r.id = s.run WHERE r.path = "
      "?)",
      "DELETE FROM series WHERE run IN (SELECT id FROM run WHERE path = ?)",
      "DELETE FROM run WHERE path = ?"};
  for (const char* step : kSteps) {
    executeSql(database, step, path);
  }
}

CurveWriter::CurveWriter(SQLite::Database& database, std::int64_t run)
    : m_database(database),
      m_run(run),
      m_axisBlock(
          database,
          "INSERT INTO axis_block (axis, number, line, step, time, epoch, tokens, clock) VALUES (?, ?, ?, ?, "
          "?, ?, ?, ?)"),
      m_valueBlock(database, "INSERT INTO value_block (series, number, value) VALUES (?, ?, ?)") {}

// Metrics that come in ever new company (of an imported run) are kept apart after a while, each with its own
// axis.
void CurveWriter::add(const ScalarRow& row) {
  m_names.clear();
  for (const auto& [name, value] : row.values) m_names.append(name) += '\n';
  if (m_groups.size() < kMostGroups || row.values.size() < 2 || m_groups.contains(m_names)) {
    addRow(row);
  } else {
    for (const auto& value : row.values) {
      m_names = std::string(value.first) + '\n';
      addRow({row.step, row.seconds, row.epoch, row.tokens, {value}, row.validation, row.clock});
    }
  }
  ++m_lines;
  if (m_held > kMostHeld) finish();
}

CurveWriter::Group& CurveWriter::groupOf(const ScalarRow& row) {
  const auto [it, added] = m_groups.try_emplace(m_names);
  Group& group = it->second;
  if (!added) return group;
  m_database.exec("INSERT INTO axis DEFAULT VALUES");
  group.axis = m_database.getLastInsertRowid();
  SQLite::Statement insert(m_database, "INSERT INTO series (run, metric, axis) VALUES (?, ?, ?)");
  for (const auto& [name, value] : row.values) {
    insert.bind(1, m_run);
    insert.bind(2, std::string(name));
    insert.bind(3, group.axis);
    execute(insert);
    group.series.push_back({m_database.getLastInsertRowid(), {}});
  }
  return group;
}

void CurveWriter::addRow(const ScalarRow& row) {
  Group& group = groupOf(row);
  group.line.push_back(static_cast<double>(m_lines));
  group.step.push_back(row.step);
  group.time.push_back(row.seconds);
  group.epoch.push_back(row.epoch);
  group.tokens.push_back(row.tokens);
  group.clock.push_back(row.clock);
  for (std::size_t i = 0; i < row.values.size(); ++i) group.series[i].value.push_back(row.values[i].second);
  m_held += kAxisColumns + row.values.size();
  if (group.step.size() >= kBlockPoints) flush(group);
}

void CurveWriter::flush(Group& group) {
  if (group.step.empty()) return;
  m_held -= group.step.size() * (kAxisColumns + group.series.size());
  m_axisBlock.bind(1, group.axis);
  m_axisBlock.bind(2, group.blocks);
  const std::vector<double>* const columns[] = {&group.line,  &group.step,   &group.time,
                                                &group.epoch, &group.tokens, &group.clock};
  for (int i = 0; i < kAxisColumns; ++i) bindBlob(m_axisBlock, 3 + i, *columns[i]);
  execute(m_axisBlock);
  for (Series& series : group.series) {
    m_valueBlock.bind(1, series.id);
    m_valueBlock.bind(2, group.blocks);
    bindBlob(m_valueBlock, 3, series.value);
    execute(m_valueBlock);
    series.value.clear();
  }
  for (auto* column : {&group.line, &group.step, &group.time, &group.epoch, &group.tokens, &group.clock})
    column->clear();
  ++group.blocks;
}

void CurveWriter::finish() {
  for (auto& [names, group] : m_groups) flush(group);
}

std::vector<std::string> loadMetrics(SQLite::Database& database, std::int64_t run) {
  std::vector<std::string> names;
  SQLite::Statement query =
      statementOf(database, "SELECT metric FROM series WHERE run = ? GROUP BY metric ORDER BY min(id)", run);
  while (query.executeStep()) names.push_back(query.getColumn(0).getString());
  return names;
}

Result<bool> visitBlocks(SQLite::Database& database, std::int64_t run, const std::string& metric,
                         const TakeBlock& take) {
  const auto found = findSeries(database, run, metric);
  if (found.size() != 1 || !stepsRise(database, found.front().axis)) return false;
  SQLite::Statement query = blocksOf(database, found.front());
  while (query.executeStep()) {
    ScalarSeries block;
    block.metric = metric;
    std::vector<double> line;
    if (!appendBlock(query, line, block))
      return dataError(Phrase::tr("the blocks of a curve do not fit each other"));
    FATHOM_CHECK(take(block));
  }
  return true;
}

std::optional<ScalarSeries> loadSeries(SQLite::Database& database, std::int64_t run,
                                       const std::string& metric) {
  const auto found = findSeries(database, run, metric);
  if (found.empty()) return std::nullopt;
  ScalarSeries series;
  series.metric = metric;
  std::vector<double> line;
  for (const StoredSeries& stored : found) {
    SQLite::Statement query = blocksOf(database, stored);
    while (query.executeStep())
      if (!appendBlock(query, line, series)) return std::nullopt;
  }
  if (found.size() > 1) sortSeries(series, line);  // points of several groups in the order of their lines
  sortSeries(series, series.step);
  return series;
}

}  // namespace fathom
