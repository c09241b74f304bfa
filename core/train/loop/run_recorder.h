// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/errors/phrase.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/objectives/objective.h"
#include "core/record/events/event_log.h"

namespace fathom {

// One update as it happened.
struct StepReport {
  std::int64_t step = 0;    // updates done, this one included
  double epoch = 0;         // epochs trained, with the part of the current one
  std::int64_t tokens = 0;  // target tokens, cumulative
  double learningRate = 0;
  NamedValues values;  // loss, nll, ppl, grad_norm, tokens_per_s, ...
};

// Somebody who watches a run in the same process (the terminal). Called on the loop's thread.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual void attempt(const std::string& /*eventsPath*/) {}
  virtual void metrics(const Metrics&) {}  // what the run calls its numbers; once, before the first step
  virtual void progress(const ProgressUpdate&) {}
  virtual void step(const StepReport&) {}
  virtual void message(const std::string&) {}
};

// Writes the events of one attempt: the truth about a run. Numbers go out at once, progress at most once a
// second, a heartbeat every 5 s from a thread of its own. While the disk is full the run goes on and its
// events wait in memory, in order; when too many wait, or something must be on disk, it waits for space.
class RunRecorder {
 public:
  // `watcher` is borrowed and may be null. Without a log what happens is not written: another rank does that.
  RunRecorder(std::unique_ptr<EventLog> log, RunWatcher* watcher);
  ~RunRecorder();
  // Sets the time to wait for space, and who may end the waiting. Before that nothing is waited for.
  void setPatience(double seconds, StopToken stop);
  // Called with each heartbeat, on its thread.
  void setWatch(std::function<void()> watch);

  void event(std::string_view kind, const Json& members);
  void step(const StepReport& report);
  // Shown to the watcher and recorded as a warning. `cause` and `details`: the facts behind it, for a window
  // in another language.
  void warn(const Phrase& message, const std::string& cause = {}, const Json& details = Json::object());
  // Shown to the watcher only.
  void say(const std::string& message);
  // Everything so far on the disk, or an error (it is tried again with the next event).
  Status sync();
  // Tries until it is done: throws Failure(resource) when patience ends, or a stop is wished for meanwhile,
  // Failure(interrupted) on an abort, and any other error at once. `what` begins the sentence that is shown.
  void untilWritten(const std::string& what, const std::function<Status()>& attempt);
  // A Progress that reports here.
  Progress progress();
  // The same for the updates of this attempt, the first of which comes after `startsAt`: the remaining time
  // is judged by them alone, from the second on. Everybody who shows one shows this.
  Progress updates(double startsAt);

 private:
  void beat();
  void recordProgress(const ProgressUpdate& update);
  void noteWrite(const Status& status);
  std::unique_ptr<EventLog> m_log;
  RunWatcher* m_watcher;
  double m_patience = 0;
  StopToken m_stop;
  std::function<void()> m_watch;  // under m_mutex
  bool m_behind = false;          // events wait for space
  std::string m_phase;
  double m_lastProgress = -1;
  std::atomic<std::int64_t> m_step{0};
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_ending = false;
  std::thread m_heart;
};

}  // namespace fathom
