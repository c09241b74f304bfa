// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/run_watch.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>

#include "app/runner/child_process.h"
#include "app/runner/runner_program.h"
#include "app/runner/save_signal.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/text/number_text.h"
#include "core/record/events/scalar_summary.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr const char* kUpdates = "updates";

std::string shortNumber(double value) {
  return formatted("%.4g", value);
}

std::string textOf(const Json& members, const char* key) {
  const auto found = members.find(key);
  return found != members.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double numberOf(const Json& members, const char* key, double otherwise) {
  const auto found = members.find(key);
  return found != members.end() && found->is_number() ? found->get<double>() : otherwise;
}

std::string validationLine(const Event& event) {
  std::string line = "update " + std::to_string(std::max(event.step, std::int64_t{0})) + ":";
  for (const auto& [name, value] : event.scalars) line += "  " + name + " " + shortNumber(value);
  return line;
}

std::string lastLogLine(const std::string& project) {
  const auto log = readFile(QueueFolder(project).path() + "/runner.log");
  if (!log || log->empty()) return {};
  const std::string text = log->substr(0, log->find_last_not_of('\n') + 1);
  return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

// Has a runner work on the queue while somebody waits. However loaded the machine is, a runner that lives is
// given its time; only what runners have done when they ended is judged.
class RunnerKeeper {
 public:
  explicit RunnerKeeper(const std::string& project) : m_project(project), m_queue(project) {}
  // `signs`: numbers that change when a runner does something about the entry. An error when one runner after
  // the other ends without that.
  Status keep(const std::array<std::int64_t, 3>& signs) {
    if (m_queue.runnerPid() != 0 || (m_start && runs()) || Clock::now() < m_next) return {};
    if (m_start) return judgeEnded(signs);
    FATHOM_TRY(const QueueSettings settings, m_queue.settings());
    if (settings.paused) return {};
    FATHOM_TRY(m_start, startRunner(m_project, RunnerKin::Child));
    m_code = 0;
    m_signs = signs;
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Whoever queued the run has started a runner: it gets a moment before a second one is started.
  static constexpr std::chrono::milliseconds kFirstPatience{3000}, kPause{500};
  static constexpr int kMostComplaints = 2, kMostEnds = 5;

  // A child that has ended is there until it is asked for its exit code.
  bool runs() {
    int status = 0;
    const pid_t pid = static_cast<pid_t>(m_start->process.pid);
    if (pid <= 0 || waitpid(pid, &status, WNOHANG) != pid) return processLives(m_start->process);
    m_code = exitCodeOfStatus(status);
    return false;
  }

  // A runner that was stopped stops whoever waits for it, with the same code.
  Error asItEnded(const std::string& complaint) const {
    const Phrase message = Phrase::tr("the queue's runner ends at once: %1")(complaint);
    if (m_code == static_cast<int>(ExitCode::Disk)) return diskError(message);
    if (m_code == static_cast<int>(ExitCode::OutOfMemory)) return memoryError(message);
    return unavailableError(message);
  }

  Status judgeEnded(const std::array<std::int64_t, 3>& signs) {
    const std::string complaint = runnerComplaint(m_project, *m_start).value_or("");
    m_start.reset();
    m_ends = signs == m_signs ? m_ends + 1 : 1;
    if (m_ends >= (complaint.empty() ? kMostEnds : kMostComplaints))
      return asItEnded(complaint.empty() ? lastLogLine(m_project) : complaint);
    m_next = Clock::now() + kPause * m_ends;
    return {};
  }

  std::string m_project;
  QueueFolder m_queue;
  std::optional<RunnerStart> m_start;
  std::array<std::int64_t, 3> m_signs{};
  int m_code = 0;  // of the last runner that ended
  int m_ends = 0;  // one after the other, with nothing done
  Clock::time_point m_next = Clock::now() + kFirstPatience;
};

}  // namespace

bool RunWatch::poll(const std::function<void(const std::string&)>& say) {
  const int newest = m_folder.lastAttempt();
  if (newest == 0) return false;
  if (newest != m_attempt) {
    m_attempt = newest;
    m_reader = std::make_unique<EventReader>(m_folder.eventsPath(newest));
    if (newest > 1) say("attempt " + std::to_string(newest));
  }
  const auto events = m_reader->poll();
  if (!events) return false;
  for (const Event& event : *events) take(event, say);
  return !events->empty();
}

void RunWatch::take(const Event& event, const std::function<void(const std::string&)>& say) {
  if (event.step >= 0) m_step = event.step;
  if (event.kind == "run_started") {
    m_total = plannedUpdates(event.members, -1);
    if (const std::string restarted = textOf(event.members, "message"); !restarted.empty()) say(restarted);
    m_progress = {};
    m_began = event.time;
    train();
  } else if (event.kind == "progress") {
    m_total = plannedUpdates(event.members, m_total);
    const double remaining = numberOf(event.members, "remaining", -1);
    m_progress = {textOf(event.members, "phase"),      textOf(event.members, "unit"),
                  numberOf(event.members, "done", 0),  numberOf(event.members, "total", -1),
                  numberOf(event.members, "spent", 0), std::nullopt};
    if (remaining >= 0) m_progress.remainingSeconds = remaining;
    if (m_progress.unit == kUpdates) train();
  } else if (event.kind == "step") {
    if (m_progress.unit != kUpdates) m_progress = {};
    // An engine that tells no progress has spent what its events took.
    m_progress.spentSeconds =
        std::max(m_progress.spentSeconds, m_progress.remainingSeconds ? 0 : event.time - m_began);
    train();
  } else if (event.kind == "validation") {
    say(validationLine(event));
  } else if (event.kind == "warning" || event.kind == "diverged" || event.kind == "run_failed") {
    say(event.kind + ": " + textOf(event.members, "message"));
  }
}

// Updates are counted by their events: they come at once.
void RunWatch::train() {
  if (m_progress.phase.empty()) m_progress.phase = "training";
  m_progress.unit = kUpdates;
  m_progress.done = static_cast<double>(m_step);
  m_progress.total = static_cast<double>(m_total);
}

Result<WaitResult> waitForRun(const std::string& project, const QueueEntry& entry, Progress& progress,
                              const std::function<void(const std::string&)>& say, const StopToken& stop) {
  const QueueFolder queue(project);
  const int attemptsBefore = RunFolder(entry.runPath).lastAttempt();
  RunWatch watch(entry.runPath);
  progress.begin(Phrase::tr("waiting for its turn").english, "", -1);
  RunnerKeeper runner(project);
  while (true) {
    watch.poll(say);
    if (!watch.progress().phase.empty()) progress.relay(watch.progress());
    FATHOM_TRY(const auto entries, queue.entries());
    const auto queued = std::find_if(entries.begin(), entries.end(),
                                     [&](const QueueEntry& e) { return e.uuid == entry.uuid; });
    const int attempt = watch.folder().lastAttempt();
    if (queued == entries.end()) {
      const auto outcome = watch.folder().outcome(attempt);
      if (!outcome) return unavailableError(Phrase::tr("run %1 was taken out of the queue")(entry.uuid));
      if (attempt == attemptsBefore) {
        return dataError(Phrase::tr("the engine refused to go on with run %1")(entry.uuid),
                         Phrase::words(lastLogLine(project)));
      }
      watch.poll(say);
      progress.finish();
      return WaitResult{*outcome, false};
    }
    if (takeSaveWish()) (void)sendControl(entry.runPath, "checkpoint").ok();
    if (stop.stopRequested()) return WaitResult{{}, true};
    FATHOM_CHECK(runner.keep({queued->claimer.pid, attempt, watch.step()}));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace fathom
