// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/library/row_table.h"
#include "core/library/run_listing.h"
#include "core/record/event_reader.h"

namespace SQLite {
class Database;
}

namespace fathom {

// A thinned piece of a curve: the smallest and largest finite value of the steps firstStep..lastStep.
struct CurveBin {
  double firstStep = 0, lastStep = 0;
  double minimum = 0, maximum = 0;
};

// index.sqlite of a project: run rows, and curves as blocks of 1,024 points headed by their range of steps
// and values. Disposable: WAL, one writer (who has index.lock), any number of readers; on another schema or
// damage it is deleted and rebuilt from the run folders. Where there is none (a full disk, a read-only
// project), and for what it does not have or has of an older state of the folder, the run folder is read
// instead: answers are always those of the folder, and nothing fails because of the index. The engine never
// opens it. One object, one thread.
class CurveIndex {
 public:
  // Always one to ask, whatever the state of index.sqlite.
  static Result<std::unique_ptr<CurveIndex>> open(const std::string& projectPath);
  ~CurveIndex();
  bool writer() const { return m_lockFd >= 0; }
  bool wasRebuilt() const { return m_rebuilt; }  // thrown away at open or since, for damage or another schema

  // Why the index is not used although nobody else writes it, or "".
  const std::string& problem() const { return m_problem; }

  // Brings one run up to date; true when something was stored. Cheap when nothing changed.
  Result<bool> refresh(const std::string& runPath);
  // The run's row (see readRunRow); stores nothing.
  Result<RunRow> row(const std::string& runPath);
  // All rows it has, in no order, current or not; and one of them, where it has the stamp.
  std::vector<IndexedRun> indexedRuns();
  std::optional<RunRow> storedRow(const std::string& runPath, const std::string& stamp, RowParts parts);
  // Keeps rows (by stamp) in one transaction. False where it could not; that costs time only.
  bool keepRows(const std::vector<std::pair<std::string, RunRow>>& rows);
  // In order of first appearance.
  Result<std::vector<std::string>> metrics(const std::string& runPath);
  // All points of a metric; empty when the run has none of it.
  Result<ScalarSeries> series(const std::string& runPath, const std::string& metric);
  // About `bins` (at least 1) bins of equal width over the steps first..last (everything when first > last).
  // Blocks that fall into one bin are answered from their heads. Bins without a finite value are left out.
  Result<std::vector<CurveBin>> overview(const std::string& runPath, const std::string& metric, double first,
                                         double last, int bins);
  // Forgets a run that was deleted or moved.
  void forget(const std::string& runPath);

 private:
  CurveIndex() = default;
  void becomeWriter();
  Status openToRead();
  Status openDatabase();
  Status startAgain();
  void giveUp(const Error& why);  // the run folders answer from now on
  Status store(const std::string& runPath, const std::string& stamp);
  // Id of the run's entry, up to date; 0 when the folder has to be read instead.
  std::int64_t currentRun(const std::string& runPath);
  std::string m_project, m_file;
  std::unique_ptr<SQLite::Database> m_database;
  std::string m_problem;
  int m_lockFd = -1;
  bool m_rebuilt = false;
  std::chrono::steady_clock::time_point m_asked{};  // for the lock
};

}  // namespace fathom
