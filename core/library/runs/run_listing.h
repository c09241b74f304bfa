// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_looks.h"
#include "core/record/events/scalar_summary.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

class CurveIndex;

// One row of the run table: what is in the run's folder, joined with what people said about it. Of
// identity.metrics only what this program does not declare in the same way.
struct RunRow {
  std::string path;
  RunIdentity identity;
  RunNotes notes;
  std::string name;  // notes.name, else the run's own, else the folder's
  // The number it is drawn with (run_looks.h); -1 where it has none yet: RowParts::WithoutOptions.
  int look = -1;
  RunState state = RunState::Queued;
  int attempts = 0;
  std::int64_t step = 0;           // last update in the events
  std::int64_t totalUpdates = -1;  // as announced by the last attempt, -1 = unknown
  // Work of a run: what it does now, how long its engine says that the training takes (-1 = not
  // known yet), for how many minutes it has not been heard.
  ScalarSummary::Phase phase;
  double remaining = -1;
  int silentMinutes = 0;
  double elapsed = 0;      // seconds over all attempts, without the gaps between them
  std::string finishedAt;  // ISO 8601 UTC, "" while it runs
  std::string cause;       // of the outcome
  Phrase message;
  Json details = Json::object();  // the facts behind it, see RunOutcome
  // Last value of each validation metric and of the scalars of the last update; final scores win.
  std::map<std::string, double> last;
  // Best value of each validation metric (MetricCatalogue), superseded steps left out; the latest of one
  // whose values are not compared.
  std::map<std::string, double> best;
  std::map<std::string, std::int64_t> bestStep;  // the update each best value was reached at
  Json options = Json::object();                 // effective options of the last attempt
  std::string preset;
};

// Parts of a row that are wanted: options and provenance are most of it and rarely asked.
enum class RowParts { All, WithoutOptions };

// Without the path and the notes; what index.sqlite keeps of a run and what --json prints.
Json runRowToJson(const RunRow& row, RowParts parts = RowParts::All);
RunRow runRowFromJson(const Json& json);

// Reads one run's row from its folder. Validation lines are found by text search, so a run of 100 MB takes
// about 0.1 s. Notes are left empty.
Result<RunRow> readRunRow(const std::string& runPath);
// Changes whenever the row could have changed by writing in the folder (not: state, which also depends on the
// run's lock). A stamp from `before` spares looking for the last attempt while the folder of attempts is as
// it was: five stat calls and nothing opened.
std::string runStamp(const RunFolder& run, const std::string& before = {});

// Facts that a list of runs is made from, without the rows themselves.
struct IndexedRun {
  std::string path;
  std::string stamp;  // runStamp of the folder the row was read from
  std::string uuid, name, created;
  bool ended = false;  // the last attempt has an outcome: the state no longer depends on the run's lock
};

// The run table, read again and again. What a folder holds is read when its stamp is not that of the index
// (or of the last time); a run that goes on is asked for its state every time. One thread.
class RunListing {
 public:
  explicit RunListing(ProjectLibrary& library, CurveIndex* index = nullptr)
      : m_library(library), m_index(index) {}
  // All runs of the project (runs/ and linked ones), oldest first. A folder that cannot be read gives a row
  // of state Lost with the reason in `message`.
  Result<std::vector<RunRow>> rows(RowParts parts = RowParts::All);
  // The same, one after the other: however many runs there are, a few hundred rows are in memory.
  Status visit(RowParts parts, const std::function<void(RunRow)>& take);
  // The same of these runs only, in the order of their UUIDs; those that are not there are left out. Where
  // the index knows them only their folders are looked at.
  Status select(const std::vector<std::string>& uuids, const std::function<void(RunRow)>& take);
  // UUID and shown name of all runs, oldest first; reads no rows.
  Status names(const std::function<void(const std::string& uuid, const std::string& name)>& take);
  // The folder of the run with this UUID, or "".
  Result<std::string> pathOf(const std::string& uuid);
  // The run people mean, see findRun.
  Result<RunRow> find(const std::string& wanted);

  enum class Scope {
    Everything,  // every folder's stamp
    Likely       // runs that have not ended, those named by `also`, and what came to or went from runs/
  };
  // Tells what is new or different since the last call of this function, oldest first, and the paths that are
  // gone. Notes of people and linked runs are looked at when the library has changed.
  Status changes(Scope scope, const std::set<std::string>& also, const std::function<void(RunRow)>& changed,
                 const std::function<void(const std::string& path)>& gone);
  // The look of a run that has no folder yet, as the library was when runs were listed last; keepGivenLooks
  // stores those that are new.
  int lookOf(const std::string& uuid, const Json& options);
  Status keepGivenLooks();
  // As if this run had changed.
  void touch(const std::string& path);

  // Counters for tests: how little is read can be seen nowhere else.
  std::int64_t foldersRead() const { return m_foldersRead; }   // rows that did not come from the index
  std::int64_t foldersLookedAt() const { return m_lookedAt; }  // stamps taken

 private:
  static constexpr std::size_t kRowsAtOnce = 500;  // kept in one transaction of the index
  struct Known {
    IndexedRun run;
    Phrase problem;  // why it cannot be read
    RunState state = RunState::Lost;
    int silentMinutes = 0;
    bool told = true;                   // `changes` has told it as it is, or it was never seen
    int seen = 0;                       // round of the last look
    std::shared_ptr<const RunRow> row;  // where no index keeps it
  };
  using Fresh = std::vector<std::pair<std::string, RunRow>>;  // by stamp
  // Facts found of a folder when it was looked at with many others.
  struct Found {
    std::string stamp;
    bool run = false;
    std::optional<Result<RunRow>> row;  // where it is not as it was
  };
  void lookAhead(const std::string* first, const std::string* last);
  Found foundAt(const std::string& path) const;
  Status readLibrary();
  void loadIndexed();
  Status scan(Scope scope, const std::set<std::string>& also);
  void scanOpen(const std::set<std::string>& also);
  Result<bool> readPaths(Scope scope);
  bool settled(const std::string& path) const;
  void lookAndNote(const std::string& path, Fresh& fresh);
  void look(const std::string& path, Fresh& fresh);
  void tell(Known& known);
  Result<const Known*> locate(const std::string& uuid);
  const Known* seenWith(const std::string& uuid) const;
  bool isOurs(const std::string& path) const;
  std::vector<const Known*> seenByAge() const;
  void keep(Fresh& fresh);
  void readFolder(const std::string& path, const std::string& stamp, Result<RunRow> row, Known& known,
                  Fresh& fresh);
  Result<RunRow> keptOrRead(const Known& known, std::optional<RunRow> stored);
  RunRow rowOf(const Known& known, std::optional<RunRow> stored);
  RunRow wholeRow(const Known& known);
  void tellRows(const std::vector<const Known*>& runs, RowParts parts,
                const std::function<void(RunRow)>& take);
  void forgetUnseen();
  void forget(const std::string& path);
  static void sortByAge(std::vector<const Known*>& runs);
  void giveLook(RunRow& row, RowParts parts);
  void fillNotes(const RunRow& row);
  const RunNotes& notesOf(const std::string& uuid) const;
  std::string shownName(const Known& known) const;
  ProjectLibrary& m_library;
  CurveIndex* m_index;
  std::map<std::string, Known> m_known;  // by path
  std::vector<std::string> m_gone;
  std::map<std::string, RunNotes> m_notes;
  LookGiver m_looks;
  std::vector<std::string> m_linked;
  std::vector<std::string> m_paths;  // in runs/ and linked ones
  std::set<std::string> m_open;  // those of them whose state may change without a word: not ended, no run yet
  std::vector<std::string> m_untold;
  std::map<std::string, Found> m_ahead;  // by path
  std::string m_runsStamp;
  std::int64_t m_libraryCounter = -1;
  bool m_pathsStale = true, m_indexLoaded = false;
  int m_round = 0;
  std::int64_t m_foldersRead = 0, m_lookedAt = 0;
};

// With the project's index, if there can be one.
Result<std::vector<RunRow>> listRuns(ProjectLibrary& library);
// The run people mean by a UUID, the beginning of one (at least 4 characters), a name or a path; usage error
// that names the nearest, or all that fit. By UUID (one that the index knows, or the folder's name) or path
// only that run is looked at; by name every folder's stamp, and rows only where the index is behind.
Result<RunRow> findRun(ProjectLibrary& library, const std::string& wanted);

}  // namespace fathom
