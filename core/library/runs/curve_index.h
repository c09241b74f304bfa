// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/library/runs/row_table.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/scalar_reader.h"

namespace SQLite {
class Database;
}

namespace fathom {

// index.sqlite of a project: run rows, and the curves of runs that have ended as blocks of 1,024 points;
// those of a run that goes on are read from its folder. Disposable: WAL, one writer (who has index.lock), any
// number of readers; on another schema or damage it is deleted and rebuilt from the run folders. Where there
// is none (a full disk, a read-only project), and for what it does not have or has of an older state of the
// folder, the run folder is read instead: answers are always those of the folder (scalar_reader.h), and
// nothing fails because of the index. Shell and window read curves through it; the engine never opens it. One
// object, one thread.
class CurveIndex {
 public:
  // Always one to ask, whatever the state of index.sqlite.
  static Result<std::unique_ptr<CurveIndex>> open(const std::string& projectPath);
  ~CurveIndex();
  bool writer() const { return m_lockFd >= 0; }

  // Stores the row and the curves of a run that has ended; true when something was stored. Cheap when nothing
  // changed.
  Result<bool> refresh(const std::string& runPath);
  // All rows it has, in no order, current or not; and those of some runs, in their order, where it has the
  // stamps.
  std::vector<IndexedRun> indexedRuns();
  std::vector<std::optional<RunRow>> storedRows(const std::vector<const IndexedRun*>& runs, RowParts parts);
  // Keeps rows (by stamp) in one transaction. False where it could not; that costs time only.
  bool keepRows(const std::vector<std::pair<std::string, RunRow>>& rows);
  // In order of first appearance.
  Result<std::vector<std::string>> metrics(const std::string& runPath);
  // The points of a metric in parts, in the order of steps; none when the run has none of it. In memory is
  // one part, or those of this metric where the index has them not.
  Status visitSeries(const std::string& runPath, const std::string& metric,
                     const std::function<Status(const ScalarSeries& part)>& take);
  // All points of a metric; empty when the run has none of it.
  Result<ScalarSeries> series(const std::string& runPath, const std::string& metric);
  // All of them, and where what is being written goes on.
  Result<std::vector<ScalarSeries>> allSeries(const std::string& runPath, ScalarsEnd* end);
  // Forgets a run that was deleted or moved.
  void forget(const std::string& runPath);

 private:
  CurveIndex() = default;
  void becomeWriter();
  Status openToRead();
  Status openDatabase();
  Status startAgain();
  void giveUp();  // the run folders answer from now on
  Status store(const std::string& runPath, const std::string& stamp);
  struct StoredRun {
    std::int64_t id = 0;  // 0: the folder has to be read instead
    ScalarsEnd end;
  };
  StoredRun currentRun(const std::string& runPath);
  std::string m_project, m_file;
  std::unique_ptr<SQLite::Database> m_database;
  int m_lockFd = -1;
  std::chrono::steady_clock::time_point m_asked{};  // for the lock
};

}  // namespace fathom
