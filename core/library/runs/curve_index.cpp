// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/curve_index.h"

#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/library/records/library_error.h"
#include "core/library/runs/curve_blocks.h"
#include "core/record/runs/project_folder.h"

namespace fathom {

namespace {

constexpr int kIndexApplicationId = 0x46544349;  // "FTCI"
constexpr int kIndexSchema = 8;
constexpr std::chrono::seconds kAskAgain{1};

bool isRegular(const std::string& file) {
  std::error_code code;
  return std::filesystem::is_regular_file(file, code);
}

void removeDatabase(const std::string& file) {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove_all(file + suffix, ignored);
}

Status checkSchema(SQLite::Database& database, const std::string& file) {
  if (database.execAndGet("PRAGMA application_id").getInt() == kIndexApplicationId &&
      database.execAndGet("PRAGMA user_version").getInt() == kIndexSchema)
    return {};
  return dataErrorAt(file, 0, Phrase::tr("the index has another schema"));
}

}  // namespace

Result<std::unique_ptr<CurveIndex>> CurveIndex::open(const std::string& projectPath) {
  std::unique_ptr<CurveIndex> index(new CurveIndex);
  index->m_project = projectPath;
  index->m_file = ProjectFolder(projectPath).indexPath();
  index->becomeWriter();
  if (!index->writer() && !index->openToRead().ok()) index->m_database.reset();
  return index;
}

// The lock may be somebody else's for a moment only (a command in the shell): it is asked for again before
// something is stored, but not for each of thousands of runs.
void CurveIndex::becomeWriter() {
  const auto now = std::chrono::steady_clock::now();
  if (writer() || (m_asked != std::chrono::steady_clock::time_point{} && now - m_asked < kAskAgain)) return;
  m_asked = now;
  const Result<int> lock = openLockFile(m_project + "/index.lock");
  if (!lock.ok()) return;
  if (::flock(*lock, LOCK_EX | LOCK_NB) != 0) {
    ::close(*lock);
    return;
  }
  m_lockFd = *lock;
  m_database.reset();
  Status opened = openDatabase();
  // Only what is damaged or foreign is thrown away; a full disk says nothing about the file.
  if (!opened.ok() && opened.error().kind == ErrorKind::Data) opened = startAgain();
  if (!opened.ok()) giveUp();
}

void CurveIndex::giveUp() {
  m_database.reset();
  if (m_lockFd >= 0) ::close(std::exchange(m_lockFd, -1));
}

CurveIndex::~CurveIndex() {
  m_database.reset();
  if (m_lockFd >= 0) ::close(m_lockFd);
}

// Beside a writer. One that starts again while we read leaves us its old file; stamps tell what is out of
// date.
Status CurveIndex::openToRead() {
  if (!isRegular(m_file)) return unavailableError(Phrase::tr("there is no index"));
  return guarded(m_file, [&]() -> Status {
    m_database = std::make_unique<SQLite::Database>(m_file, SQLite::OPEN_READONLY, 1000);
    hardenConnection(*m_database);
    return checkSchema(*m_database, m_file);
  });
}

Status CurveIndex::openDatabase() {
  if (fileExists(m_file) && !isRegular(m_file))
    return dataErrorAt(m_file, 0, Phrase::tr("the index is no file"));
  return guarded(m_file, [&]() -> Status {
    const bool fresh = !fileExists(m_file);
    m_database =
        std::make_unique<SQLite::Database>(m_file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 1000);
    hardenConnection(*m_database);
    m_database->exec("PRAGMA journal_mode=WAL");
    m_database->exec("PRAGMA synchronous=NORMAL");
    m_database->exec("PRAGMA journal_size_limit=67108864");
    if (fresh) {
      createRowTable(*m_database);
      createCurveTables(*m_database);
      m_database->exec("PRAGMA application_id=" + std::to_string(kIndexApplicationId));
      m_database->exec("PRAGMA user_version=" + std::to_string(kIndexSchema));
      return {};
    }
    return checkSchema(*m_database, m_file);
  });
}

Status CurveIndex::startAgain() {
  m_database.reset();
  removeDatabase(m_file);
  const Status opened = openDatabase();
  if (!opened.ok()) {
    m_database.reset();
    removeDatabase(m_file);
  }
  return opened;
}

Status CurveIndex::store(const std::string& runPath, const std::string& stamp) {
  FATHOM_TRY(const RunRow row, readRunRow(runPath));
  return transacted(*m_database, m_file, [&]() -> Status {
    removeSeries(*m_database, runPath);
    executeSql(*m_database, "INSERT INTO run (path, stamp, attempt, start, step) VALUES (?, ?, 0, 0, 0)",
               runPath, stamp);
    const std::int64_t id = m_database->getLastInsertRowid();
    CurveWriter writer(*m_database, id);
    FATHOM_TRY(const ScalarsEnd end, visitRunScalars(runPath, [&](const ScalarRow& scalars) -> Status {
                 writer.add(scalars);
                 return {};
               }));
    writer.finish();
    executeSql(*m_database, "UPDATE run SET attempt = ?, start = ?, step = ? WHERE id = ?", end.attempt,
               end.start, end.step, id);
    storeRow(*m_database, stamp, row);
    return {};
  });
}

// A failure to read the run is the run's error; a failure of the index itself costs time only.
Result<bool> CurveIndex::refresh(const std::string& runPath) {
  becomeWriter();
  if (!writer()) return false;
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  if (!run.outcome(run.lastAttempt())) return false;
  const std::string stamp = runStamp(run);
  const auto known = guarded(m_file, [&]() -> Result<bool> {
    SQLite::Statement query =
        statementOf(*m_database, "SELECT 1 FROM run WHERE path = ? AND stamp = ?", runPath, stamp);
    return query.executeStep();
  });
  if (known.ok() && *known) return false;
  Status stored = known.ok() ? store(runPath, stamp) : Status(known.error());
  const auto ofIndex = [this](const Status& status) { return !status.ok() && status.error().file == m_file; };
  if (ofIndex(stored) && stored.error().kind == ErrorKind::Data) {
    stored = startAgain();
    if (stored.ok()) stored = store(runPath, stamp);
  }
  if (ofIndex(stored)) {
    if (m_database == nullptr) giveUp();
    return false;
  }
  FATHOM_CHECK(stored);
  return true;
}

CurveIndex::StoredRun CurveIndex::currentRun(const std::string& runPath) {
  if (!refresh(runPath).ok() || !m_database) return {};
  const auto run = guarded(m_file, [&]() -> Result<StoredRun> {
    SQLite::Statement query =
        statementOf(*m_database, "SELECT id, attempt, start, step FROM run WHERE path = ? AND stamp = ?",
                    runPath, runStamp(RunFolder(runPath)));
    if (!query.executeStep()) return StoredRun();
    return StoredRun{
        query.getColumn(0).getInt64(),
        {query.getColumn(1).getInt(), query.getColumn(2).getDouble(), query.getColumn(3).getDouble()}};
  });
  return run.ok() ? *run : StoredRun();
}

std::vector<IndexedRun> CurveIndex::indexedRuns() {
  if (!m_database) return {};
  auto runs =
      guarded(m_file, [&]() -> Result<std::vector<IndexedRun>> { return loadIndexedRuns(*m_database); });
  return runs.ok() ? std::move(*runs) : std::vector<IndexedRun>();
}

std::vector<std::optional<RunRow>> CurveIndex::storedRows(const std::vector<const IndexedRun*>& runs,
                                                          RowParts parts) {
  using Rows = std::vector<std::optional<RunRow>>;
  if (!m_database) return Rows(runs.size());
  auto rows = guarded(m_file, [&]() -> Result<Rows> { return loadRows(*m_database, runs, parts); });
  return rows.ok() ? std::move(*rows) : Rows(runs.size());
}

bool CurveIndex::keepRows(const std::vector<std::pair<std::string, RunRow>>& rows) {
  becomeWriter();
  if (!writer()) return false;
  const auto store = [&] {
    return transacted(*m_database, m_file, [&]() -> Status {
      for (const auto& [stamp, row] : rows) storeRow(*m_database, stamp, row);
      return {};
    });
  };
  Status stored = store();  // damage shows when pages are written
  if (!stored.ok() && stored.error().kind == ErrorKind::Data) {
    stored = startAgain();
    if (stored.ok()) stored = store();
  }
  if (m_database == nullptr) giveUp();
  return stored.ok();
}

Result<std::vector<std::string>> CurveIndex::metrics(const std::string& runPath) {
  if (const StoredRun run = currentRun(runPath); run.id != 0) {
    auto names = guarded(
        m_file, [&]() -> Result<std::vector<std::string>> { return loadMetrics(*m_database, run.id); });
    if (names.ok()) return names;
  }
  std::vector<std::string> names;
  FATHOM_CHECK(visitRunScalars(runPath, [&names](const ScalarRow& row) -> Status {
    for (const auto& [name, value] : row.values)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    return {};
  }));
  return names;
}

Status CurveIndex::visitSeries(const std::string& runPath, const std::string& metric,
                               const std::function<Status(const ScalarSeries& part)>& take) {
  if (const StoredRun run = currentRun(runPath); run.id != 0) {
    bool any = false;
    const auto visited = guarded(m_file, [&]() -> Result<bool> {
      return visitBlocks(*m_database, run.id, metric, [&](const ScalarSeries& block) {
        any = true;
        return take(block);
      });
    });
    if (visited.ok() && *visited) return {};
    if (any) return visited.error();
  }
  FATHOM_TRY(const ScalarSeries all, series(runPath, metric));
  return all.value.empty() ? Status() : take(all);
}

Result<ScalarSeries> CurveIndex::series(const std::string& runPath, const std::string& metric) {
  if (const StoredRun run = currentRun(runPath); run.id != 0) {
    auto stored = guarded(m_file, [&]() -> Result<std::optional<ScalarSeries>> {
      return loadSeries(*m_database, run.id, metric);
    });
    if (stored.ok() && *stored) return std::move(**stored);
  }
  FATHOM_TRY(auto found, readRunScalars(runPath, metric));
  if (!found.empty()) return std::move(found.front());
  ScalarSeries none;
  none.metric = metric;
  return none;
}

Result<std::vector<ScalarSeries>> CurveIndex::allSeries(const std::string& runPath, ScalarsEnd* end) {
  if (const StoredRun run = currentRun(runPath); run.id != 0) {
    auto stored = guarded(m_file, [&]() -> Result<std::vector<ScalarSeries>> {
      std::vector<ScalarSeries> all;
      for (const std::string& metric : loadMetrics(*m_database, run.id)) {
        auto series = loadSeries(*m_database, run.id, metric);
        if (!series) return dataErrorAt(m_file, 0, Phrase::tr("the blocks of a curve do not fit each other"));
        all.push_back(std::move(*series));
      }
      return all;
    });
    if (stored.ok()) {
      *end = run.end;
      return stored;
    }
  }
  return readRunScalars(runPath, {}, end);
}

void CurveIndex::forget(const std::string& runPath) {
  if (!writer()) return;
  // A failure here leaves the row: it is of a run that nobody asks for.
  (void)transacted(*m_database, m_file, [&]() -> Status {
    removeSeries(*m_database, runPath);
    removeRow(*m_database, runPath);
    return {};
  });
}

}  // namespace fathom
