// SPDX-License-Identifier: Apache-2.0
#include "core/imports/mlflow_rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

constexpr std::int64_t kMetricsAtATime = 200'000;
constexpr double kMilliseconds = 1e-3;

bool hasTable(const std::vector<std::string>& tables, const std::string& name) {
  return std::find(tables.begin(), tables.end(), name) != tables.end();
}

bool hasMlflowTables(SQLite::Database& database) {
  const auto metrics = columnsOfTable(database, "metrics"), runs = columnsOfTable(database, "runs");
  return hasTable(metrics, "run_uuid") && hasTable(metrics, "key") && hasTable(metrics, "value") &&
         hasTable(runs, "run_uuid");
}

std::string columnIf(const std::vector<std::string>& columns, const std::string& name,
                     const char* otherwise) {
  return hasTable(columns, name) ? name : otherwise;
}

// Infinities are written as the largest number there is.
double valueOf(double value, bool nan) {
  if (nan) return kNaN;
  if (std::abs(value) >= std::numeric_limits<double>::max())
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return value;
}

std::uint32_t rowSum(SQLite::Statement& row) {
  std::string all;
  for (int i = 0; i < row.getColumnCount() - 1; ++i) all += row.getColumn(i).getString() + "\n";
  return crc32c(all);
}

void takeMetricRows(SQLite::Database& database, MlflowPlace& place, MlflowRows& out) {
  const auto columns = columnsOfTable(database, "metrics");
  const std::string select = "SELECT run_uuid, key, value, " + columnIf(columns, "timestamp", "NULL") + ", " +
                             columnIf(columns, "step", "NULL") + ", " + columnIf(columns, "is_nan", "0") +
                             ", rowid FROM metrics WHERE rowid ";
  if (place.row > 0) {
    SQLite::Statement last(database, select + "= ?");
    last.bind(1, place.row);
    out.anew = !last.executeStep() || rowSum(last) != place.sum;
    if (out.anew) place = {};
  }
  SQLite::Statement rows(database, select + "> ? ORDER BY rowid LIMIT ?");
  rows.bind(1, place.row);
  rows.bind(2, kMetricsAtATime);
  while (rows.executeStep()) {
    MlflowRow row{rows.getColumn(0).getString(), rows.getColumn(1).getString()};
    row.value = valueOf(rows.getColumn(2).getDouble(), rows.getColumn(5).getInt() != 0);
    if (!rows.getColumn(3).isNull()) row.time = rows.getColumn(3).getDouble() * kMilliseconds;
    if (!rows.getColumn(4).isNull()) row.step = rows.getColumn(4).getDouble();
    place.row = rows.getColumn(6).getInt64();
    place.sum = rowSum(rows);
    out.rows.push_back(std::move(row));
  }
  out.more = static_cast<std::int64_t>(out.rows.size()) == kMetricsAtATime;
}

void takeRuns(SQLite::Database& database, MlflowRows& out) {
  const auto columns = columnsOfTable(database, "runs");
  const bool named = hasTable(columns, "experiment_id") &&
                     hasTable(columnsOfTable(database, "experiments"), "experiment_id");
  SQLite::Statement rows(
      database,
      "SELECT run_uuid, " + columnIf(columns, "name", "''") + ", " + columnIf(columns, "status", "''") +
          ", " + columnIf(columns, "end_time", "NULL") + ", " + columnIf(columns, "lifecycle_stage", "''") +
          ", " +
          (named ? "(SELECT e.name FROM experiments e WHERE e.experiment_id = runs.experiment_id)" : "''") +
          " FROM runs");
  while (rows.executeStep()) {
    MlflowFacts& facts = out.runs[rows.getColumn(0).getString()];
    facts.name = rows.getColumn(1).getString();
    facts.status = mlflowStatus(rows.getColumn(2).getString());
    if (!rows.getColumn(3).isNull()) facts.end = rows.getColumn(3).getDouble() * kMilliseconds;
    facts.deleted = rows.getColumn(4).getString() == "deleted";
    facts.experiment = rows.getColumn(5).getString();
  }
}

void takePairs(SQLite::Database& database, const std::string& table,
               std::map<std::string, std::string> MlflowFacts::*into, MlflowRows& out) {
  if (!hasTable(columnsOfTable(database, table), "run_uuid")) return;
  SQLite::Statement rows(database, "SELECT run_uuid, key, value FROM " + table);
  while (rows.executeStep())
    if (const auto run = out.runs.find(rows.getColumn(0).getString()); run != out.runs.end())
      (run->second.*into)[rows.getColumn(1).getString()] = rows.getColumn(2).getString();
}

}  // namespace

Json MlflowPlace::state() const {
  return {{"row", row}, {"sum", sum}};
}

void MlflowPlace::restore(const Json& state) {
  row = memberInteger(state, "row");
  sum = static_cast<std::uint32_t>(memberInteger(state, "sum"));
}

bool isMlflowDatabase(const std::string& path) {
  bool known = false;
  ForeignDatabase database(path);
  const auto seen = database.read(StopToken(), [&](SQLite::Database& open) -> Status {
    known = hasMlflowTables(open);
    return {};
  });
  return seen.ok() && known;
}

Result<ForeignDatabase::Outcome> readMlflowRows(ForeignDatabase& database, MlflowPlace& place,
                                                const StopToken& stop, MlflowRows& out) {
  MlflowPlace reached;
  const auto outcome = database.read(stop, [&](SQLite::Database& open) -> Status {
    out = {};
    reached = place;
    if (tablesOf(open).empty()) return {};  // they may be in a log that is still to come
    if (!hasMlflowTables(open))
      return dataErrorAt(database.path(), 0, Phrase::tr("an SQLite database, but not one of MLflow"));
    takeRuns(open, out);
    takePairs(open, "params", &MlflowFacts::params, out);
    takePairs(open, "tags", &MlflowFacts::tags, out);
    takeMetricRows(open, reached, out);
    return {};
  });
  if (outcome.ok() && *outcome == ForeignDatabase::Outcome::Read) place = reached;
  return outcome;
}

}  // namespace fathom
