// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/runner/place_journal.h"
#include "app/runner/ssh/relay_channel.h"
#include "app/runner/ssh/ssh_start.h"
#include "core/record/runs/mirror_note.h"
#include "core/relay/run_mirror.h"

namespace fathom {

// All that a runner has at one host: one thread with one connection, which is made again with ever longer
// pauses when it is lost. Runs are followed into their folders here; what was heard last stays true until
// something else is heard. The other functions come back at once.
class SshBoard {
 public:
  enum class AtWork { Unsaid, No, Yes };
  struct Task {
    SshStart start;
    JobStatus told = {};                           // guarded by the board
    std::atomic<bool> killing = false;             // asked for, not done yet
    std::atomic<bool> sent = false, over = false;  // asked for at the host; told to have ended
    // Of a run that another launcher starts there:
    bool watched = false;
    std::atomic<AtWork> atWork = AtWork::Unsaid;  // as whoever starts it says
    std::atomic<bool> settling = false, settled = false;
    // Touched by the thread alone:
    bool followed = false, held = false;  // over this connection; an engine has its lock
    std::int64_t mark = 0;                // of the question that settles it
    RunMirror mirror;
    MirrorNote note = {};
    std::set<std::string> heeded = {};
    int starts = 0;

    Task(SshStart started, JobStatus status, bool isSent)
        : start(std::move(started)), told(std::move(status)), sent(isSent), mirror(start.request.runPath) {}
  };
  using Shared = std::shared_ptr<Task>;
  SshBoard(PlaceRecord record, std::string project);
  ~SshBoard();
  SshBoard(const SshBoard&) = delete;
  SshBoard& operator=(const SshBoard&) = delete;

  std::vector<Shared> submit(std::span<const JobRequest> requests);
  // A run that was started at the host; null where there is none.
  Shared adopt(const std::string& runPath);
  // A run of the host that another launcher starts: it is copied, and wishes for it are carried there.
  Shared watch(const JobRequest& request, int attempts);
  // Told by that launcher: the copy says that an engine is at work, also where no lock of it is seen.
  void sayAtWork(Task& task, bool atWork);
  // True when everything of a watched run is here and no engine has it any more. Asked for again and again.
  bool settle(Task& task);
  JobStatus status(const Task& task) const;
  void kill(Task& task);
  // Its end was heard: what is kept of its start goes.
  void finish(const Shared& task);
  void release(const Shared& task);

 private:
  using Clock = std::chrono::steady_clock;
  using Tasks = std::vector<Shared>;
  void work();
  void turn();
  void connect();
  Status greeted();
  void drop(const Error& why, bool lasting);
  Status take(const RelayFrame& frame);
  void takeState(Task& task, const Json& state);
  void takeWatched(Task& task, const RelayFrame& frame);
  void takeEnd(Task& task, const Json& state);
  Phrase folderFault(const Task& task, const Json& state) const;
  void startWaiting();
  Status begin(Task& task);
  Result<Json> startRequest(Task& task, std::string& config);
  Status checkRoot();
  Status askEngine();
  Status follow(const Tasks& tasks);
  Status followWatched();
  Status carryWishes();
  void sayLast(const StopToken& stop);
  void note(Task& task, bool running);
  void tell(Task& task, const JobStatus& status);
  void refuseWaiting(const Phrase& why);
  void end(Task& task, JobStatus status, const std::string& words = {});
  Tasks tasks() const;
  Result<Json> ask(Json head, std::string_view body = {}, double seconds = 60);

  PlaceRecord m_record;
  std::string m_project;
  StopToken m_stop;
  mutable std::mutex m_guard;
  std::condition_variable m_wake;
  Tasks m_tasks;                                   // guarded, as are the next three
  std::optional<Clock::time_point> m_silentSince;  // no connection since
  Phrase m_silentReason;
  std::vector<Json> m_last;  // requests about what is over, which nothing depends on
  // Touched by the thread alone:
  PlaceJournal m_journal;
  std::unique_ptr<RelayChannel> m_channel;
  Clock::time_point m_next = Clock::now(), m_wishes{}, m_used{};
  std::optional<Clock::time_point> m_connected;
  double m_pause = 0;
  bool m_engineKnown = false;
  std::int64_t m_marks = 0;
  std::optional<Error> m_rootFault;  // no run is started there
  std::string m_host, m_root;
  std::thread m_thread;
};

// Below the root of the place.
std::string runPathAtHost(const JobRequest& request);
// Judges what a host says of the folder of runs there: it can be written, and keeps locks.
Status checkHostRoot(const PlaceRecord& record, const Json& facts);
// Checks what an engine of the place says of itself: it has to be of this version.
Status checkHostEngine(const PlaceRecord& record, const Json& facts);
// The engine of a place, as requests name it.
Json engineRequest(const PlaceRecord& record, const char* verb);

}  // namespace fathom
