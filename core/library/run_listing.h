// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/library/project_library.h"
#include "core/record/run_folder.h"

namespace fathom {

class CurveIndex;

// One row of the run table: what is in the run's folder, joined with what people said about it.
struct RunRow {
  std::string path;
  RunIdentity identity;
  RunNotes notes;
  std::string name;  // notes.name, else the run's own, else the folder's
  RunState state = RunState::Queued;
  int attempts = 0;
  std::int64_t step = 0;           // last update in the events
  std::int64_t totalUpdates = -1;  // as announced by the last attempt, -1 = unknown
  double elapsed = 0;              // seconds over all attempts, without the gaps between them
  std::string finishedAt;          // ISO 8601 UTC, "" while it runs
  std::string cause;               // of the outcome
  std::string message;
  Json details = Json::object();  // what the message is made of, see RunOutcome
  // Last value of each validation metric and of the scalars of the last update; final scores win.
  std::map<std::string, double> last;
  // Best value of each validation metric (see largerIsBetter), superseded steps left out.
  std::map<std::string, double> best;
  std::map<std::string, std::int64_t> bestStep;  // the update each best value was reached at
  Json options = Json::object();                 // effective options of the last attempt
  std::string preset;
};

// True where a larger value of the metric is better: bleu, accuracy, exact match, f1 and their like.
bool largerIsBetter(const std::string& metric);

// Without the path and the notes; what index.sqlite keeps of a run and what --json prints.
Json runRowToJson(const RunRow& row);
RunRow runRowFromJson(const Json& json);

// Reads one run's row from its folder. Validation lines are found by text search, so a run of 100 MB takes
// about 0.1 s. Notes are left empty.
Result<RunRow> readRunRow(const std::string& runPath);
// Changes whenever the row could have changed by writing in the folder (not: state, which also depends on the
// run's lock).
std::string runStamp(const RunFolder& run);

// The run table, read again and again: runs whose files did not change are not read again. With an index,
// they are not even read the first time. One thread.
class RunListing {
 public:
  explicit RunListing(ProjectLibrary& library, CurveIndex* index = nullptr)
      : m_library(library), m_index(index) {}
  // All runs of the project (runs/ and linked ones), oldest first. A folder that cannot be read gives a row
  // of state Lost with the reason in `message`.
  Result<std::vector<RunRow>> rows();

 private:
  RunRow rowOf(const std::string& runPath);
  ProjectLibrary& m_library;
  CurveIndex* m_index;
  std::map<std::string, std::pair<std::string, RunRow>> m_known;  // path → stamp, row
};

Result<std::vector<RunRow>> listRuns(ProjectLibrary& library);
// The run people mean by a UUID, the beginning of one (at least 4 characters), a name or a path; usage error
// that names the nearest, or all that fit.
Result<RunRow> findRun(ProjectLibrary& library, const std::string& wanted);

}  // namespace fathom
