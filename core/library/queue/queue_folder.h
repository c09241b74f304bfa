// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json.h"
#include "core/record/runs/run_script.h"

namespace fathom {

// This machine; what entries that name no place mean.
inline constexpr const char* kLocalPlace = "local";

// A run that waits (or is being run) in <project>/queue.
struct QueueEntry {
  std::string uuid;                 // of the entry = of the run it becomes
  std::int64_t order = 0;           // ascending = first; unique
  std::string runPath;              // where the run is or will be; "" = runs/<uuid>
  bool resume = false;              // resume the run folder instead of starting it
  Json config = Json::object();     // RunConfig as JSON
  std::string device = "auto";      // "auto", "cpu", "cuda:0"
  std::string place = kLocalPlace;  // where its engine is started: an id of launchers.list
  std::string grid;                 // UUID of the grid it belongs to, or ""
  std::string created;              // ISO 8601 UTC
  std::int64_t neededBytes = 0;     // of memory, as a dry run has estimated them; 0 = not known
  RunScript script = {};            // the command that trains it; none = an engine does
  std::string batch;                // the folder in the queue that it waits in with others, or ""
  ProcessIdentity claimer;          // the runner that has it; pid 0 = waiting
  bool claimed() const { return claimer.pid != 0; }
};

// Record that goes into the library together with queued entries (the grid that they name), and its way
// out again.
struct QueueRecord {
  std::function<Status()> make;
  std::function<void()> undo;
};

// Settings by which the runner works through the queue; queue/settings.json.
struct QueueSettings {
  bool paused = false;        // no new run starts; running ones go on
  int concurrentCpuRuns = 1;  // threads = cores ÷ this
  int runsPerGpu = 1;
  std::vector<std::string> devices;  // allowed; empty = all that describe lists
  int maxRestartsPerHour = 3;        // after device faults and memory kills
};

// The queue is files, so that window, shell and runner agree without a server: queue/<order>-<uuid>.json
// waits, queue/<order>-<uuid>@<claimer>.claimed.json runs; every change is one rename. Entries that were
// added together wait in a folder (queue_batch.h). Safe between processes; an object holds no state but the
// path.
//
// A file names its run by the folder's name below runs/, so that a copied or moved project runs its own runs;
// only a run linked from elsewhere is named by its path. Files of format 1 hold absolute paths: the last part
// counts.
class QueueFolder {
 public:
  explicit QueueFolder(const std::string& projectPath);
  const std::string& path() const { return m_path; }
  // Folder of the files that a runner keeps of runs that it starts.
  std::string startingPath() const { return m_path + "/starting"; }

  // Waiting and claimed entries by order. What somebody was killed in adding or withdrawing is ended first.
  // Files that are not entries, or resume a run that is not there, are left out and named in `skipped`
  // (Error::file is the file).
  Result<std::vector<QueueEntry>> entries(std::vector<Error>* skipped = nullptr) const;
  // Moves files with wrong content that entries() leaves out to queue/aside/. Returns why, one error a file.
  Result<std::vector<Error>> putAside() const;
  // Puts an entry at the end (or at the front); uuid, order and created are filled in. Returns the entry.
  Result<QueueEntry> add(QueueEntry entry, bool atFront = false) const;
  // The same for several, in their order: all of them or, after an error or when this process is killed,
  // none. `record` is made once their files are on the disk and before the first of them can be claimed; its
  // error takes all back, too, and it is undone when they are.
  Result<std::vector<QueueEntry>> addAll(std::vector<QueueEntry> entries, bool atFront = false,
                                         const QueueRecord& record = {}) const;
  // Takes back what was added but has not been claimed, in one step what was added together, and undoes the
  // record; returns how many. Nothing of it stays.
  Result<int> withdraw(const std::vector<QueueEntry>& entries, const QueueRecord& record = {}) const;
  // Claims exactly this one (also while paused).
  Result<std::optional<QueueEntry>> claimEntry(const std::string& uuid) const;
  // Gives a claimed entry back, e.g. when its engine could not be started.
  Status release(const QueueEntry& entry) const;
  // Removes an entry: a claimed one when its run has ended, a waiting one when it was withdrawn.
  Status remove(const std::string& uuid) const;
  // Moves a waiting entry before another (or to the end when `before` is empty).
  Status reorder(const std::string& uuid, const std::string& before) const;
  // Claimed by another process than this one where the claimer is gone for certain, or works on the project
  // that this one is a copy of: no runner of its host has the project, and that host is this one, or one that
  // shares this machine or this disk with us (a container that was made anew has another name). For the
  // holder of the runner's lock, and for whoever knows that nobody holds it.
  bool orphaned(const QueueEntry& entry) const;
  // Takes over an orphaned entry whose engine still runs.
  Result<QueueEntry> adopt(QueueEntry entry) const;
  // Orphaned entries whose run is not running wait again. Returns their number.
  Result<int> releaseOrphans() const;

  Result<QueueSettings> settings() const;  // the defaults when there is no file
  Status setSettings(const QueueSettings& settings) const;

  // One runner per project and host: a lock for life on queue/runner-<host>.lock. Nothing when another has
  // it.
  class RunnerLock;
  Result<std::unique_ptr<RunnerLock>> lockRunner() const;
  // pid of the runner of this host, or 0.
  std::int64_t runnerPid() const { return runnerPidOf(hostName()); }

 private:
  std::int64_t runnerPidOf(const std::string& host) const;
  Result<QueueEntry> addOne(QueueEntry entry) const;
  // Path that a waiting entry is moved to from its batch.
  std::string waitingPath(const QueueEntry& entry) const;
  std::string m_project;
  std::string m_path;
};

class QueueFolder::RunnerLock {
 public:
  ~RunnerLock();
  // True if the queue is still where it was: not when the project was moved or deleted.
  bool inPlace() const;

 private:
  friend class QueueFolder;
  RunnerLock(int fd, std::string path) : m_fd(fd), m_path(std::move(path)) {}
  int m_fd;
  std::string m_path;
};

}  // namespace fathom
