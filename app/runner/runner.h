// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/runner/attempt_outcome.h"
#include "app/runner/device_slots.h"
#include "app/runner/launcher.h"
#include "app/runner/place_notes.h"
#include "app/runner/sleep_guard.h"
#include "core/base/threads/stop_token.h"
#include "core/library/queue/queue_folder.h"
#include "core/machine/system_sampler.h"
#include "core/record/runs/attempt_place.h"

namespace fathom {

struct RunnerStatus {
  std::vector<QueueEntry> active;  // running or waiting for a restart
  int waiting = 0;                 // entries nobody has claimed
  int ended = 0;                   // runs that ended under this runner
  int notFinished = 0;             // of these, not with "finished"
  std::vector<Error> putAside;     // files of the queue that cannot be run
};

struct RunnerOptions {
  std::string project;
  std::string enginePath;
  std::vector<std::string> devices;  // usable here: "cpu", "cuda:0", ...
  bool knowsThreads = false;         // the engine has the options device and threads
  double pollSeconds = 0.2;
  double restartSeconds = 10;  // wait before the first restart; doubled each time
  double abortSeconds = 2;     // an engine that was aborted and lives on is killed then
  double lingerSeconds = 30;   // and so is one that has written how its run ended
  std::function<void(const std::string&)> log;
  std::function<void(const RunnerStatus&)> onPoll;
};

// Works through a project's queue: one per project and host. Claims entries, starts engines with device and
// threads, watches them, restarts after device faults and kills, kills those that do not heed an abort,
// writes the outcome where an engine could not, goes on with the next; returns when nothing is left to do
// here. Where the engine does not start at all (a program or library of its own is missing) no run is to
// blame: the runs wait on, and the runner ends with the reason. Engines outlive it: a stop request (or its
// death) leaves them running, and the next runner takes them over.
class Runner {
 public:
  explicit Runner(RunnerOptions options);
  ~Runner();
  // std::nullopt when another runner of this host has the project.
  Result<std::optional<RunnerStatus>> run(const StopToken& stop);

 private:
  using Clock = std::chrono::steady_clock;
  struct Active {
    QueueEntry entry;
    std::string device;        // of this machine; "" at a place with a queue of its own
    std::unique_ptr<Job> job;  // null while it waits for its restart
    Clock::time_point restartAt{};
    std::int64_t memoryKillsBefore = 0;
    int attemptsBefore = 0;
    std::optional<Clock::time_point> abortSeen = {};  // since when a person wants it to die
    std::optional<Clock::time_point> endSeen = {};    // since when its attempt has an outcome
    bool begun = false;                               // its folder was there
    PlaceNote note = {};                              // what was last said of its job elsewhere
    KeptPlace placed = {};                            // what was written of where it is trained
  };
  void log(const std::string& line) const;
  std::string startingPath(const std::string& uuid, const char* suffix) const;
  Status takeOver();
  Status watchOn(const QueueEntry& entry, std::unique_ptr<Job> job);
  Status fillSlots();
  // Null for a place that this program does not know: its entries wait for one that does.
  Place* placeOf(const QueueEntry& entry);
  bool canStart(const QueueEntry& entry) const;
  std::int64_t memoryKillsAt(const QueueEntry& entry) const;
  // False when it was settled at once: there is nothing to start.
  Result<bool> prepareEntry(Active& active);
  Status startEntry(QueueEntry entry, const std::string& device);
  // All at once, as they were found in the queue: a place may make one job of them.
  Status startTogether(const std::string& place, std::vector<QueueEntry> entries);
  Result<JobRequest> requestFor(Active& active) const;
  void tellStart(const Active& active, const JobRequest& request) const;
  Status launch(Active& active);
  void noteJob(Active& active, const JobStatus& job);
  // Where its attempt is trained, into the folder of that; `end`: see AttemptPlace.
  static void keepPlace(Active& active, const JobStatus& job, const std::string& end = {});
  // The place does not take the run as it is asked for: it waits in the queue until a runner asks anew.
  // `field`: the resource of the place that `why` is about, or "".
  Status putBack(const Active& active, const std::string& why, const std::string& field = {});
  Result<std::string> writeEngineConfig(const QueueEntry& entry, const std::string& device) const;
  Status poll();
  void endAborted(Active& active);
  void endLingering(Active& active);
  // True when the run is over for good.
  bool refused(const Active& active, int exitCode) const;
  bool neverStarted(const Active& active, int exitCode) const;
  Status handBack(const Active& active, const Error& why);
  Status neverBegun(const Active& active, const Error& why);
  Result<bool> attemptEnded(Active& active, const JobStatus& job);
  Status leave(const Active& active, RunState state);
  // Those of them that train on this machine.
  std::vector<SampledRun> sampledRuns() const;
  Result<bool> idle() const;
  RunnerStatus status() const;

  RunnerOptions m_options;
  std::map<std::string, std::unique_ptr<Place>> m_places;  // by id, opened when an entry names them
  std::set<std::string> m_unknownPlaces;  // or those that have refused: said once, not asked again
  QueueFolder m_queue;
  QueueSettings m_settings;
  DeviceSlots m_slots;
  std::vector<Active> m_active;
  SleepGuard m_awake;       // while one of them trains on this machine
  SystemSampler m_sampler;  // looks at what these take
  RunnerStatus m_counts;
  std::optional<Error> m_refused;      // what a place said to a run that it does not take
  std::optional<Error> m_cannotStart;  // why no engine starts here: nothing more is claimed
};

// RunnerOptions of a project on this machine: asks the engine for devices. Environment FATHOM_RESTART_SECONDS
// shortens the waits (tests).
Result<RunnerOptions> runnerOptions(const std::string& project, const StopToken& stop = {});

}  // namespace fathom
