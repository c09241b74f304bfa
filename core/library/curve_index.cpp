// SPDX-License-Identifier: Apache-2.0
#include "core/library/curve_index.h"

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/base/input_file.h"
#include "core/base/path_facts.h"
#include "core/library/curve_blocks.h"
#include "core/library/library_error.h"

namespace fathom {

namespace {

constexpr int kIndexApplicationId = 0x46544349;  // "FTCI"
constexpr int kIndexSchema = 3;

void removeDatabase(const std::string& file) {
  for (const char* suffix : {"", "-wal", "-shm"}) ::unlink((file + suffix).c_str());
}

}  // namespace

Result<std::unique_ptr<CurveIndex>> CurveIndex::open(const std::string& projectPath) {
  std::unique_ptr<CurveIndex> index(new CurveIndex);
  index->m_file = projectPath + "/index.sqlite";
  const Result<int> lock = openLockFile(projectPath + "/index.lock");
  if (lock.ok() && ::flock(*lock, LOCK_EX | LOCK_NB) == 0) {
    index->m_lockFd = *lock;
  } else if (lock.ok()) {
    ::close(*lock);
  }
  if (!index->writer()) return index;  // answers come from the run folders
  if (!index->openDatabase().ok()) FATHOM_CHECK(index->startAgain());
  return index;
}

CurveIndex::~CurveIndex() {
  m_database.reset();
  if (m_lockFd >= 0) ::close(m_lockFd);
}

Status CurveIndex::openDatabase() {
  return guarded(m_file, [&]() -> Status {
    const bool fresh = !fileExists(m_file);
    m_database =
        std::make_unique<SQLite::Database>(m_file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 1000);
    hardenConnection(*m_database);
    m_database->exec("PRAGMA journal_mode=WAL");
    m_database->exec("PRAGMA synchronous=NORMAL");
    m_database->exec("PRAGMA journal_size_limit=67108864");
    if (fresh) {
      createCurveTables(*m_database);
      m_database->exec("PRAGMA application_id=" + std::to_string(kIndexApplicationId));
      m_database->exec("PRAGMA user_version=" + std::to_string(kIndexSchema));
      return {};
    }
    if (m_database->execAndGet("PRAGMA application_id").getInt() != kIndexApplicationId ||
        m_database->execAndGet("PRAGMA user_version").getInt() != kIndexSchema)
      return dataErrorAt(m_file, 0, "the index has another schema");
    return {};
  });
}

Status CurveIndex::startAgain() {
  m_database.reset();
  removeDatabase(m_file);
  m_rebuilt = true;
  return openDatabase();
}

Status CurveIndex::store(const std::string& runPath, const std::string& stamp) {
  FATHOM_TRY(const auto series, readRunScalars(runPath));
  FATHOM_TRY(const RunRow row, readRunRow(runPath));
  return transacted(*m_database, m_file, [&]() -> Status {
    SQLite::Statement remove(*m_database, "DELETE FROM run WHERE path = ?");
    remove.bind(1, runPath);
    remove.exec();
    SQLite::Statement insert(*m_database, "INSERT INTO run (path, stamp, row) VALUES (?, ?, ?)");
    insert.bind(1, runPath);
    insert.bind(2, stamp);
    insert.bind(3, runRowToJson(row).dump(-1, ' ', false, Json::error_handler_t::replace));
    insert.exec();
    storeSeries(*m_database, m_database->getLastInsertRowid(), series);
    return {};
  });
}

Result<bool> CurveIndex::refresh(const std::string& runPath) {
  if (!writer()) return false;
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  const std::string stamp = runStamp(run);
  const auto known = guarded(m_file, [&]() -> Result<bool> {
    SQLite::Statement query(*m_database, "SELECT 1 FROM run WHERE path = ? AND stamp = ?");
    query.bind(1, runPath);
    query.bind(2, stamp);
    return query.executeStep();
  });
  if (known.ok() && *known) return false;
  Status stored = known.ok() ? store(runPath, stamp) : Status(known.error());
  if (!stored.ok() && stored.error().file == m_file && stored.error().kind == ErrorKind::Data) {
    FATHOM_CHECK(startAgain());
    stored = store(runPath, stamp);
  }
  FATHOM_CHECK(stored);
  return true;
}

std::int64_t CurveIndex::currentRun(const std::string& runPath) {
  if (!refresh(runPath).ok() || !writer()) return 0;
  const auto id = guarded(m_file, [&]() -> Result<std::int64_t> {
    SQLite::Statement query(*m_database, "SELECT id FROM run WHERE path = ?");
    query.bind(1, runPath);
    return query.executeStep() ? query.getColumn(0).getInt64() : 0;
  });
  return id.ok() ? *id : 0;
}

Result<RunRow> CurveIndex::row(const std::string& runPath) {
  if (!writer()) return readRunRow(runPath);
  const auto text = guarded(m_file, [&]() -> Result<std::string> {
    SQLite::Statement query(*m_database, "SELECT row FROM run WHERE path = ? AND stamp = ?");
    query.bind(1, runPath);
    query.bind(2, runStamp(RunFolder(runPath)));
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
  });
  if (!text.ok() || text->empty()) return readRunRow(runPath);
  const auto json = parseJson(*text);
  if (!json.ok() || !json->is_object()) return readRunRow(runPath);
  RunRow row = runRowFromJson(*json);
  row.path = runPath;
  return row;
}

Result<std::vector<std::string>> CurveIndex::metrics(const std::string& runPath) {
  std::vector<std::string> names;
  if (const std::int64_t run = currentRun(runPath); run != 0) {
    const Status status = guarded(m_file, [&]() -> Status {
      SQLite::Statement query(*m_database, "SELECT metric FROM series WHERE run = ? ORDER BY id");
      query.bind(1, run);
      while (query.executeStep()) names.push_back(query.getColumn(0).getString());
      return {};
    });
    if (status.ok()) return names;
    names.clear();
  }
  FATHOM_TRY(const auto all, readRunScalars(runPath));
  for (const ScalarSeries& series : all) names.push_back(series.metric);
  return names;
}

Result<ScalarSeries> CurveIndex::series(const std::string& runPath, const std::string& metric) {
  if (const std::int64_t run = currentRun(runPath); run != 0) {
    auto stored = guarded(m_file, [&]() -> Result<std::optional<ScalarSeries>> {
      return loadSeries(*m_database, run, metric);
    });
    if (stored.ok() && *stored) return std::move(**stored);
  }
  FATHOM_TRY(auto all, readRunScalars(runPath));
  for (ScalarSeries& series : all) {
    if (series.metric == metric) return std::move(series);
  }
  ScalarSeries none;
  none.metric = metric;
  return none;
}

Result<std::vector<CurveBin>> CurveIndex::overview(const std::string& runPath, const std::string& metric,
                                                   double first, double last, int bins) {
  if (const std::int64_t run = currentRun(runPath); run != 0) {
    auto stored = guarded(m_file, [&]() -> Result<std::vector<CurveBin>> {
      return loadOverview(*m_database, run, metric, first, last, bins);
    });
    if (stored.ok()) return stored;
  }
  FATHOM_TRY(const ScalarSeries all, series(runPath, metric));
  return binPoints(all, first, last, bins);
}

Status CurveIndex::forget(const std::string& runPath) {
  if (!writer()) return {};
  return transacted(*m_database, m_file, [&]() -> Status {
    SQLite::Statement remove(*m_database, "DELETE FROM run WHERE path = ?");
    remove.bind(1, runPath);
    remove.exec();
    return {};
  });
}

}  // namespace fathom
