// SPDX-License-Identifier: Apache-2.0
#include "core/imports/trackio_rows.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/imports/grown_file.h"

namespace fathom {

namespace {

constexpr std::int64_t kRowsAtATime = 100'000;
constexpr std::size_t kMostConfigs = 10'000;

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string inodeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) != 0 ? ""
                                          : std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino);
}

// The column, or what stands for it in a schema without it.
std::string columnOr(const std::vector<std::string>& columns, const std::string& name,
                     const char* otherwise) {
  return holds(columns, name) ? name : otherwise;
}

TrackioOwner ownerOf(SQLite::Statement& statement) {
  return {statement.getColumn(0).getString(), statement.getColumn(1).getString()};
}

std::string selectOf(const std::vector<std::string>& columns, const std::string& more) {
  return "SELECT " + columnOr(columns, "run_id", "''") + ", " + columnOr(columns, "run_name", "''") + more;
}

// Table metrics: rowid is its id, which never falls.
class MetricRows {
 public:
  MetricRows(SQLite::Database& database, const std::vector<std::string>& columns)
      : m_database(database),
        m_counted(m_database.tableExists("sqlite_sequence")),
        m_select(selectOf(columns, ", step, metrics, " + columnOr(columns, "timestamp", "''") + ", " +
                                       columnOr(columns, "log_id", "''") +
                                       ", rowid FROM metrics WHERE rowid ")) {}

  // Another row stands where the last one was: another database, unless rows were deleted.
  bool isAnother(const TrackioPlace& place, const std::string& inode) const {
    if (place.row == 0) return false;
    SQLite::Statement last(m_database, m_select + "= ?");
    last.bind(1, place.row);
    if (last.executeStep()) return sumWithoutIds(last) != place.sum;
    return inode != place.inode || (m_counted && highestId() < place.row);
  }

  void take(TrackioPlace& place, TrackioRows& out) const {
    SQLite::Statement rows(m_database, m_select + "> ? ORDER BY rowid LIMIT ?");
    rows.bind(1, place.row);
    rows.bind(2, kRowsAtATime);
    while (rows.executeStep()) {
      TrackioRow row;
      row.owner = ownerOf(rows);
      row.step = rows.getColumn(2).getDouble();
      row.metrics = rows.getColumn(3).getString();
      row.time = isoSeconds(rows.getColumn(4).getString());
      row.log = rows.getColumn(5).getString();
      place.row = rows.getColumn(6).getInt64();
      place.sum = sumWithoutIds(rows);
      out.rows.push_back(std::move(row));
    }
    out.more = static_cast<std::int64_t>(out.rows.size()) == kRowsAtATime;
  }

 private:
  // The highest id that was ever given, also to a row that is deleted.
  std::int64_t highestId() const {
    SQLite::Statement counter(m_database, "SELECT seq FROM sqlite_sequence WHERE name = 'metrics'");
    return counter.executeStep() ? counter.getColumn(0).getInt64() : 0;
  }

  // A newer trackio gives ids to runs and calls that had none.
  static std::uint32_t sumWithoutIds(SQLite::Statement& row) {
    std::string all;
    for (const int column : {1, 2, 3, 4}) all += row.getColumn(column).getString() + "\n";
    return crc32c(all);
  }
  SQLite::Database& m_database;
  bool m_counted;  // ids are never given twice
  std::string m_select;
};

void takeConfigs(SQLite::Database& database, TrackioRows& out) {
  const auto columns = columnsOfTable(database, "configs");
  if (!holds(columns, "config")) return;
  SQLite::Statement rows(database, selectOf(columns, ", config FROM configs ORDER BY rowid"));
  while (out.configs.size() < kMostConfigs && rows.executeStep())
    out.configs.emplace_back(ownerOf(rows), rows.getColumn(2).getString());
}

void takeAlerts(SQLite::Database& database, TrackioPlace& place, TrackioRows& out) {
  const auto columns = columnsOfTable(database, "alerts");
  if (!holds(columns, "title")) return;
  SQLite::Statement rows(
      database,
      selectOf(columns, ", " + columnOr(columns, "step", "0") + ", title, " +
                            columnOr(columns, "text", "''") + ", " + columnOr(columns, "timestamp", "''") +
                            ", rowid FROM alerts WHERE rowid > ? ORDER BY rowid LIMIT ?"));
  rows.bind(1, place.alert);
  rows.bind(2, kRowsAtATime);
  while (rows.executeStep()) {
    TrackioAlert alert;
    alert.owner = ownerOf(rows);
    alert.step = rows.getColumn(2).getDouble();
    alert.text = rows.getColumn(3).getString();
    const std::string text = rows.getColumn(4).getString();
    if (!text.empty()) alert.text += ": " + text;
    alert.time = isoSeconds(rows.getColumn(5).getString());
    place.alert = rows.getColumn(6).getInt64();
    out.alerts.push_back(std::move(alert));
  }
}

void takeLoads(SQLite::Database& database, TrackioPlace& place, TrackioRows& out) {
  const auto columns = columnsOfTable(database, "system_metrics");
  if (!holds(columns, "metrics") || !holds(columns, "timestamp")) return;
  SQLite::Statement rows(database, selectOf(columns,
                                            ", metrics, timestamp, rowid FROM system_metrics "
                                            "WHERE rowid > ? ORDER BY rowid LIMIT ?"));
  rows.bind(1, place.load);
  rows.bind(2, kRowsAtATime);
  while (rows.executeStep()) {
    out.loads.push_back(
        {ownerOf(rows), isoSeconds(rows.getColumn(3).getString()), rows.getColumn(2).getString()});
    place.load = rows.getColumn(4).getInt64();
  }
  out.more = out.more || static_cast<std::int64_t>(out.loads.size()) == kRowsAtATime;
}

void countUnread(SQLite::Database& database, const std::string& table, TrackioRows& out) {
  const auto columns = columnsOfTable(database, table);
  if (!holds(columns, "run_name")) return;
  SQLite::Statement rows(database, selectOf(columns, ", count(*) FROM " + table + " GROUP BY 1, 2"));
  while (rows.executeStep()) out.unread.push_back({ownerOf(rows), {table, rows.getColumn(2).getInt64()}});
}

Error notTrackio(const std::string& path, const std::vector<std::string>& tables) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> some(tables.begin(), tables.begin() + std::min(tables.size(), kNamed));
  if (tables.size() > kNamed) some.emplace_back("…");
  return dataErrorAt(path, 0,
                     tables.empty()
                         ? Phrase::tr("an SQLite database without a table")
                         : Phrase::tr("an SQLite database of neither trackio nor MLflow, with the tables %1")(
                               joined(some, ", ")));
}

}  // namespace

Json TrackioPlace::state() const {
  return {{"row", row}, {"alert", alert}, {"load", load}, {"sum", sum}, {"inode", inode}};
}

void TrackioPlace::restore(const Json& state) {
  row = memberInteger(state, "row");
  alert = memberInteger(state, "alert");
  load = memberInteger(state, "load");
  sum = static_cast<std::uint32_t>(memberInteger(state, "sum"));
  inode = memberText(state, "inode");
}

bool isTrackio(SQLite::Database& database) {
  const auto columns = columnsOfTable(database, "metrics");
  return holds(columns, "run_name") && holds(columns, "metrics") && holds(columns, "step");
}

Result<ForeignDatabase::Outcome> readTrackioRows(ForeignDatabase& database, TrackioPlace& place,
                                                 const StopToken& stop, TrackioRows& out) {
  TrackioPlace reached;
  const std::string inode = inodeOf(database.path());
  const auto outcome = database.read(stop, [&](SQLite::Database& open) -> Status {
    out = {};
    reached = place;
    const auto tables = tablesOf(open);
    // Its schema may be in a log that is still to come.
    if (tables.empty()) return {};
    if (!isTrackio(open)) return notTrackio(database.path(), tables);
    out.version = open.execAndGet("PRAGMA user_version").getInt64();
    const MetricRows metrics(open, columnsOfTable(open, "metrics"));
    out.anew = metrics.isAnother(place, inode);
    if (out.anew) reached = {};
    metrics.take(reached, out);
    takeConfigs(open, out);
    takeAlerts(open, reached, out);
    takeLoads(open, reached, out);
    countUnread(open, "traces", out);
    reached.inode = inode;
    return {};
  });
  if (outcome.ok() && *outcome == ForeignDatabase::Outcome::Read) place = reached;
  return outcome;
}

}  // namespace fathom
