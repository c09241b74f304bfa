// SPDX-License-Identifier: Apache-2.0
#include "core/train/run_recorder.h"

#include <chrono>

namespace fathom {

namespace {
constexpr std::chrono::seconds kHeartbeat{5};
constexpr double kProgressSeconds = 1;
}  // namespace

RunRecorder::RunRecorder(std::unique_ptr<EventLog> log, RunWatcher* watcher)
    : m_log(std::move(log)), m_watcher(watcher) {
  m_heart = std::thread([this] { beat(); });
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
    Json members;
    members["step"] = m_step.load();
    // A failure shows at the loop's own next write; the heart has nobody to tell.
    if (!m_log->append("heartbeat", members).ok()) return;
  }
}

void RunRecorder::event(std::string_view kind, const Json& members) {
  m_log->append(kind, members).value();
}

void RunRecorder::step(const StepReport& report) {
  m_step.store(report.step);
  std::vector<std::pair<std::string_view, double>> metrics(report.values.begin(), report.values.end());
  m_log->appendStep(report.step, report.epoch, report.tokens, report.learningRate, metrics).value();
  if (m_watcher != nullptr) m_watcher->step(report);
}

void RunRecorder::warn(const std::string& message) {
  Json members;
  members["message"] = message;
  event("warning", members);
  say("warning: " + message);
}

void RunRecorder::say(const std::string& message) {
  if (m_watcher != nullptr) m_watcher->message(message);
}

Progress RunRecorder::progress(double startsAt) {
  return Progress([this, startsAt](const ProgressUpdate& reported) {
    ProgressUpdate update = reported;
    const double done = update.done - startsAt;
    if (update.remainingSeconds && startsAt > 0 && done > 0)
      update.remainingSeconds = update.spentSeconds / done * (update.total - update.done);
    if (m_watcher != nullptr) m_watcher->progress(update);
    const bool end = update.total >= 0 && update.done >= update.total;
    if (update.phase == m_phase && !end && update.spentSeconds - m_lastProgress < kProgressSeconds) return;
    if (update.phase != m_phase || update.spentSeconds < m_lastProgress) m_phase = update.phase;
    m_lastProgress = update.spentSeconds;
    Json members;
    members["phase"] = update.phase;
    members["unit"] = update.unit;
    members["done"] = update.done;
    members["total"] = update.total;
    members["spent"] = update.spentSeconds;
    if (update.remainingSeconds) members["remaining"] = *update.remainingSeconds;
    event("progress", members);
  });
}

}  // namespace fathom
