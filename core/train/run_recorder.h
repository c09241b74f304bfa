// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/progress.h"
#include "core/objectives/objective.h"
#include "core/record/event_log.h"

namespace fathom {

// One update as it happened.
struct StepReport {
  std::int64_t step = 0;    // updates done, this one included
  std::int64_t epoch = 1;   // 1-based epoch it belongs to
  std::int64_t tokens = 0;  // target tokens, cumulative
  double learningRate = 0;
  NamedValues values;  // loss, nll, ppl, grad_norm, tokens_per_s, ...
};

// Somebody who watches a run in the same process (the terminal). Called on the loop's thread.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  virtual void attempt(const std::string& /*eventsPath*/) {}
  virtual void progress(const ProgressUpdate&) {}
  virtual void step(const StepReport&) {}
  virtual void message(const std::string&) {}
};

// Writes the events of one attempt: the truth about a run. Numbers go out at once, progress at most once a
// second, a heartbeat every 5 s from a thread of its own. A failed write throws Failure(resource): a run
// whose log cannot be written does not go on.
class RunRecorder {
 public:
  // `watcher` is borrowed and may be null.
  RunRecorder(std::unique_ptr<EventLog> log, RunWatcher* watcher);
  ~RunRecorder();

  void event(std::string_view kind, const Json& members);
  void step(const StepReport& report);
  // Shown to the watcher and recorded as a warning.
  void warn(const std::string& message);
  // Shown to the watcher only.
  void say(const std::string& message);
  Status sync() { return m_log->sync(); }
  // A Progress that reports here. A resumed run says where it starts, so that the remaining time is judged by
  // what this attempt has done.
  Progress progress(double startsAt = 0);

 private:
  void beat();
  std::unique_ptr<EventLog> m_log;
  RunWatcher* m_watcher;
  std::string m_phase;
  double m_lastProgress = -1;
  std::atomic<std::int64_t> m_step{0};
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_ending = false;
  std::thread m_heart;
};

}  // namespace fathom
