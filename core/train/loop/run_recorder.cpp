// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/run_recorder.h"

#include <chrono>

#include "core/base/errors/error_words.h"
#include "core/base/json/phrase_json.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/train/loop/steady_seconds.h"

namespace fathom {

namespace {
constexpr std::chrono::seconds kHeartbeat{5};
constexpr double kProgressSeconds = 1;
constexpr std::chrono::milliseconds kRetry{500};

}  // namespace

RunRecorder::RunRecorder(std::unique_ptr<EventLog> log, RunWatcher* watcher)
    : m_log(std::move(log)), m_watcher(watcher) {
  m_heart = startThread([this] { beat(); });
}

RunRecorder::~RunRecorder() {
  {
    const std::lock_guard lock(m_mutex);
    m_ending = true;
  }
  m_wake.notify_all();
  m_heart.join();
}

void RunRecorder::beat() {
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, kHeartbeat, [this] { return m_ending; })) {
    // Errors of this thread are dropped: the loop's own next write meets the same error and reports it.
    (void)errorThrownBy([this] {
      if (m_watch) m_watch();
      if (!m_log) return;
      Json members;
      members["step"] = m_step.load();
      (void)m_log->append("heartbeat", members).ok();
    });
  }
}

void RunRecorder::setPatience(double seconds, StopToken stop) {
  m_patience = seconds;
  m_stop = std::move(stop);
}

void RunRecorder::setWatch(std::function<void()> watch) {
  const std::lock_guard lock(m_mutex);
  m_watch = std::move(watch);
}

// An event that could not be written waits in the log: said once, and once more when all is on disk.
void RunRecorder::noteWrite(const Status& status) {
  if (status.ok()) {
    if (!m_behind) return;
    m_behind = false;
    warn(Phrase::tr("events could not be written for a while; now they are, and none is missing"));
    return;
  }
  if (!isDiskError(status.error())) throw Failure(status.error());
  if (!m_behind) {
    m_behind = true;
    say("warning: " + status.error().text() +
        "; the run goes on and keeps its events in memory: nothing is lost if they can be written before it "
        "ends");
  }
  if (m_log->crowded()) untilWritten("the event log", [this] { return m_log->sync(); });
}

void RunRecorder::untilWritten(const std::string& what, const std::function<Status()>& attempt) {
  Status status = attempt();
  if (status.ok()) return;
  const double deadline = secondsNow() + m_patience;
  if (isDiskError(status.error()) && m_patience > 0)
    say("warning: " + what + " cannot be written: " + status.error().text() + "; trying again for up to " +
        std::to_string(static_cast<long long>(m_patience)) + " s");
  const bool stoppedBefore = m_stop.stopRequested();
  while (!status.ok() && isDiskError(status.error()) && secondsNow() < deadline) {
    std::this_thread::sleep_for(kRetry);
    if (m_stop.abortRequested())
      throw Failure(interruptedError(Phrase::tr("aborted while waiting until it can be written")));
    if (m_stop.stopRequested() && !stoppedBefore) break;
    status = attempt();
  }
  if (status.ok()) return say(what + " is written");
  Error error = status.error();
  if (isDiskError(error))
    error = withHint(
        error, error.hint.empty()
                   ? Phrase::tr("resume the run from its last checkpoint when it can be written")
                   : Phrase::tr("%1, then resume the run from its last checkpoint")(error.hintPhrase()));
  throw Failure(std::move(error));
}

Status RunRecorder::sync() {
  if (!m_log) return {};
  const Status status = m_log->sync();
  noteWrite(status);
  return status;
}

void RunRecorder::event(std::string_view kind, const Json& members) {
  if (m_log) noteWrite(m_log->append(kind, members));
}

void RunRecorder::step(const StepReport& report) {
  m_step.store(report.step);
  if (!m_log) return;
  std::vector<std::pair<std::string_view, double>> metrics(report.values.begin(), report.values.end());
  noteWrite(m_log->appendStep(report.step, report.epoch, report.tokens, report.learningRate, metrics));
  if (m_watcher != nullptr) m_watcher->step(report);
}

void RunRecorder::warn(const Phrase& message, const std::string& cause, const Json& details) {
  Json members;
  writePhrase(members, "message", message);
  members["cause"] = cause;
  members["details"] = details;
  event("warning", members);
  say("warning: " + message.english());
}

void RunRecorder::say(const std::string& message) {
  if (m_watcher != nullptr) m_watcher->message(message);
}

Progress RunRecorder::progress() {
  return Progress([this](const ProgressUpdate& update) { recordProgress(update); });
}

Progress RunRecorder::updates(double startsAt) {
  constexpr double kFewest = 2;  // the first one takes longer than those after it
  return Progress([this, startsAt](const ProgressUpdate& reported) {
    ProgressUpdate update = reported;
    const double done = update.done - startsAt;
    update.remainingSeconds.reset();
    if (done >= kFewest && update.total >= update.done)
      update.remainingSeconds = update.spentSeconds / done * (update.total - update.done);
    recordProgress(update);
  });
}

void RunRecorder::recordProgress(const ProgressUpdate& update) {
  if (m_watcher != nullptr) m_watcher->progress(update);
  const bool end = update.total >= 0 && update.done >= update.total;
  const double since = update.spentSeconds - m_lastProgress;  // negative: it began once more
  if (update.phase == m_phase && !end && since >= 0 && since < kProgressSeconds) return;
  m_phase = update.phase;
  m_lastProgress = update.spentSeconds;
  Json members;
  if (const std::int64_t step = m_step.load(); step > 0) members["step"] = step;
  members["phase"] = update.phase;
  members["unit"] = update.unit;
  members["done"] = update.done;
  members["total"] = update.total;
  members["spent"] = update.spentSeconds;
  if (update.remainingSeconds) members["remaining"] = *update.remainingSeconds;
  event("progress", members);
}

}  // namespace fathom
