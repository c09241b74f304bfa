// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/base/options/metric.h"

namespace fathom {

// States a run can be in. Diverged is an outcome, not an accident; of a run of another program that ended
// (Ended) nobody knows how.
enum class RunState { Queued, Running, Finished, Stopped, Diverged, Failed, Crashed, Killed, Lost, Ended };
const char* runStateName(RunState state);
std::optional<RunState> runStateFromName(std::string_view name);
// Waits or is at work: there is no result yet.
bool isOpen(RunState state);
// An engine is at work on it, however long it has been silent.
bool isLive(RunState state);
// An end without a result: diverged, failed, crashed, killed, lost.
bool isFailure(RunState state);

// run.json: written once when the run is created; name and tags people give live in the library.
struct RunIdentity {
  std::string uuid;
  std::string name;
  std::string created;               // ISO 8601 UTC
  Json provenance = Json::object();  // program, revision, library versions, data hashes, host, threads
  Metrics metrics;  // what its engine declared of the scalars it logs; empty in older records
};

// The cause of a run that did all its updates with finite numbers and has learnt nothing.
inline constexpr const char* kNotLearning = "no_learning";

// attempts/NNNN/outcome.json, immutable once final.
struct RunOutcome {
  RunState state = RunState::Failed;
  std::string
      cause;  // "", nan_loss, inf_loss, nonfinite_grad, loss_above, no_learning, oom, disk, data, config, ...
  std::int64_t step = 0;  // updates done
  std::int64_t lastFiniteStep = 0;
  std::string firstModule;         // first bad module of a divergence
  std::string lastGoodCheckpoint;  // folder name, or ""
  Phrase message;
  // The facts behind `message`: {"step": 1200, "nll": 6.37, ...}; see divergence_detector.h and
  // app/runner/attempt_outcome.cpp. Empty in older records.
  Json details = Json::object();
  int exitCode = 0;
  Json scores = Json::object();  // final scores by metric name, e.g. {"valid.bleu": 98.2}
  std::string finishedAt;        // ISO 8601 UTC
  std::string askedBy;  // who asked for a stop or an abort: "SIGTERM", "ana@login1", …; "" = nobody
};

// Names of its folders and what stands in them while it is made.
inline constexpr const char* kCheckpointsName = "checkpoints";
inline constexpr const char* kPredictionsName = "predictions";
inline constexpr const char* kUnbegunName = ".new";    // an attempt
inline constexpr const char* kUnfinishedEnd = ".tmp";  // a checkpoint, a stored result

// A run on disk (docs/project_files.md §2). All functions are safe to call while the engine writes.
class RunFolder {
 public:
  explicit RunFolder(std::string path) : m_path(std::move(path)) {}
  const std::string& path() const { return m_path; }
  // Paths of the parts of a run, there or not; the parts have their names here alone.
  std::string identityPath() const;            // run.json
  std::string attemptsPath() const;            // attempts
  std::string attemptPath(int attempt) const;  // attempts/0001
  std::string configPath(int attempt) const;   // attempts/0001/config.json
  std::string eventsPath(int attempt) const;   // attempts/0001/events.jsonl
  std::string outcomePath(int attempt) const;  // attempts/0001/outcome.json
  std::string detailsPath(int attempt) const;  // attempts/0001/details.json
  std::string unbegunAttemptPath() const;      // attempts/.new
  std::string checkpointsPath() const;         // checkpoints
  std::string averagesPath() const;            // averages
  std::string predictionsPath() const;         // predictions
  std::string analysesPath() const;            // analyses
  std::string artifactsPath() const;           // artifacts
  // True if the folder is a run: run.json is there.
  bool exists() const;

  // Creates the folder with run.json; fails when it exists with anything in it but the remains of a run that
  // was killed while it was made.
  static Result<RunFolder> create(const std::string& path, const RunIdentity& identity);
  // The same in steps, for whoever begins the first attempt before anybody takes the folder for a run: makes
  // the folder, or takes one where a run was cut off while it was made; empties it (with the run's lock
  // held); writes run.json, last.
  static Result<RunFolder> prepare(const std::string& path);
  Status clear() const;
  Status describe(const RunIdentity& identity) const;
  // Deletes the folder: for one that prepare() has made and that became nothing.
  void discard() const;
  // Opens an existing one; a newer format is refused with a sentence.
  static Result<RunFolder> open(const std::string& path);

  Result<RunIdentity> identity() const;
  std::vector<int> attempts() const;  // ascending
  int lastAttempt() const;            // 0 = none
  // Creates attempts/NNNN (exclusively) and writes config.json (effective) into it.
  Result<int> beginAttempt(const Json& config) const;
  Result<Json> config(int attempt) const;
  std::optional<RunOutcome> outcome(int attempt) const;
  // Usage error when the attempt has ended otherwise; the same outcome may be written again.
  Status writeOutcome(int attempt, const RunOutcome& outcome) const;
  // True if the file holds exactly this outcome: after an error of writeOutcome that came too late to matter.
  bool holdsOutcome(int attempt, const RunOutcome& outcome) const;
  // Removes what killed writers of the run left half-done, checkpoints excepted (sweepCheckpoints). For the
  // holder of the run's lock.
  void sweep() const;
  // From outcome and lock: what the run is doing now. Silence ends no run.
  RunState state() const;
  // Seconds for which a run that somebody works on has not been heard (heartbeats come every 5 s); 0 while it
  // is heard, and for any other run.
  double silence() const;

 private:
  std::string m_path;
};

Json outcomeToJson(const RunOutcome& outcome);
Result<RunOutcome> outcomeFromJson(const Json& json);
std::string isoTimeNow();               // UTC, milliseconds
std::string isoTimeOf(double seconds);  // since 1970; the same

}  // namespace fathom
