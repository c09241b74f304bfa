// SPDX-License-Identifier: GPL-3.0-or-later
// The ends of what a runner has started.
#include <cmath>
#include <filesystem>

#include "app/runner/engine_messages.h"
#include "app/runner/runner.h"
#include "app/runner/runner_program.h"
#include "core/base/files/path_facts.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

namespace {

// Exit codes by which a shell and the loader of programs tell that one cannot be executed or lacks a library.
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;

// Who a run is whose engine or command leaves none behind.
RunIdentity identityOf(const QueueEntry& entry) {
  const Json provenance = entry.script.given() ? scriptProvenance(entry.script) : Json::object();
  return {entry.uuid, entry.config.value("name", ""), "", provenance, {}};
}

}  // namespace

// Kills an engine that has not ended after an abort: one that hangs in a library, or is stopped, ignores it.
void Runner::endAborted(Active& active) {
  if (!isMarkedAborted(m_options.project, active.entry.uuid)) {
    active.abortSeen.reset();
    return;
  }
  if (!active.abortSeen) {
    active.abortSeen = Clock::now();
    if (active.entry.script.given()) (void)active.job->signal(JobSignal::Abort).ok();
  }
  const std::chrono::duration<double> waited = Clock::now() - *active.abortSeen;
  if (waited.count() < m_options.abortSeconds) return;
  log("run " + active.entry.uuid + ": did not heed the abort, killing " + active.job->id());
  (void)active.job->signal(JobSignal::Kill).ok();  // asked again until it has gone
  active.abortSeen = Clock::now();
}

// Ends a process whose end is written down, whatever a library does while the process is taken down.
void Runner::endLingering(Active& active) {
  const RunFolder folder(active.entry.runPath);
  const int attempt = folder.lastAttempt();
  if (attempt <= active.attemptsBefore || !fileExists(folder.outcomePath(attempt))) {
    active.endSeen.reset();
    return;
  }
  if (!active.endSeen) active.endSeen = Clock::now();
  const std::chrono::duration<double> waited = Clock::now() - *active.endSeen;
  if (waited.count() < m_options.lingerSeconds) return;
  log("run " + active.entry.uuid + ": has ended, and its " + active.job->id() + " has not: killed");
  (void)active.job->signal(JobSignal::Kill).ok();
  active.endSeen = Clock::now();
}

// The engine would not go on with a run that is there (another configuration, another writer): the run stays
// as it was.
bool Runner::refused(const Active& active, int exitCode) const {
  if (active.entry.script.given()) return false;
  const bool verdict = exitCode == static_cast<int>(ExitCode::Usage) ||
                       exitCode == static_cast<int>(ExitCode::BadInput) ||
                       exitCode == static_cast<int>(ExitCode::Finished);
  return verdict && active.attemptsBefore > 0 &&
         RunFolder(active.entry.runPath).lastAttempt() == active.attemptsBefore;
}

// The engine ended before it was one: what it lacks, every run of the queue would lack.
bool Runner::neverStarted(const Active& active, int exitCode) const {
  return !active.entry.script.given() && (exitCode == kNotExecutable || exitCode == kNotFound) &&
         RunFolder(active.entry.runPath).lastAttempt() == active.attemptsBefore;
}

Status Runner::handBack(const Active& active, const Error& why) {
  log("run " + active.entry.uuid + ": the engine does not start, the run waits on: " + why.text());
  m_cannotStart = why;
  ++m_counts.waiting;
  std::error_code code;
  for (const char* suffix : {".stderr", ".json"})
    std::filesystem::remove(startingPath(active.entry.uuid, suffix), code);
  return m_queue.release(active.entry);
}

// A command that cannot be started is the fault of its run alone: the queue goes on.
Status Runner::neverBegun(const Active& active, const Error& why) {
  const QueueEntry& entry = active.entry;
  AttemptEnd end;
  end.attemptsBefore = RunFolder(entry.runPath).lastAttempt();
  end.exitCode = kNotFound;
  end.script = true;
  end.notStarted = why.phrase();
  const auto settled = settleAttempt(entry.runPath, identityOf(entry), entry.config, end);
  log("run " + entry.uuid + ": the command could not be started: " + why.text());
  if (!settled.ok()) log("run " + entry.uuid + ": " + settled.error().text());
  return leave(active, RunState::Failed);
}

Result<bool> Runner::attemptEnded(Active& active, const JobStatus& job) {
  const QueueEntry& entry = active.entry;
  const int exitCode = job.exitCode;
  active.job.reset();
  active.note = {};
  removePlaceNote(m_options.project, entry.uuid);
  if (neverStarted(active, exitCode)) {
    const std::string words = lastMessageOf(startingPath(entry.uuid, ".stderr"));
    FATHOM_CHECK(handBack(active, unavailableError(Phrase::tr("the engine does not start: %1")(words),
                                                   Phrase::tr("The runs wait in the queue."))));
    return true;
  }
  AttemptEnd end;
  end.attemptsBefore = active.attemptsBefore;
  end.exitCode = exitCode;
  end.script = entry.script.given();
  end.by = job.end;
  end.placeWords = job.reason.english();
  end.memoryKill = memoryKillsAt(active.entry) > active.memoryKillsBefore;
  end.aborted = isMarkedAborted(m_options.project, entry.uuid);
  end.lastMessage = lastMessageOf(startingPath(entry.uuid, ".stderr"));
  // A script may have discarded its run.
  const bool gone =
      active.begun ? !RunFolder(entry.runPath).exists() : end.script && !folderExists(entry.runPath);
  if (gone) {
    log("run " + entry.uuid + ": its folder is not there any more");
    FATHOM_CHECK(leave(active, RunState::Lost));
    return true;
  }
  if (refused(active, exitCode)) {
    log("run " + entry.uuid + ": the engine refused to go on: " + end.lastMessage);
    FATHOM_CHECK(leave(active, RunState::Failed));
    return true;
  }
  FATHOM_TRY(const RunOutcome outcome, settleAttempt(entry.runPath, identityOf(entry), entry.config, end));
  keepPlace(active, job, outcome.state == RunState::Stopped ? outcome.cause : std::string());
  log("run " + entry.uuid + ": " + runStateName(outcome.state) +
      (outcome.message.empty() ? "" : " (" + outcome.message.english() + ")"));
  // Nobody knows what a command does when it is started again: a person resumes it.
  if (end.aborted || end.script || !mayRestart(entry.runPath, outcome, m_settings.maxRestartsPerHour)) {
    FATHOM_CHECK(leave(active, outcome.state));
    return true;
  }
  const double wait = m_options.restartSeconds * std::pow(2.0, recentFaults(entry.runPath) - 1);
  active.restartAt = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(wait * 1000));
  log("run " + entry.uuid + ": next attempt in " + std::to_string(static_cast<int>(wait)) + " s");
  return false;
}

// Keeps what the engine wrote to stderr beside the attempt, unless the engine has done so itself, and ends
// the claim.
Status Runner::leave(const Active& active, RunState state) {
  const QueueEntry& entry = active.entry;
  ++m_counts.ended;
  if (state != RunState::Finished) ++m_counts.notFinished;
  const RunFolder folder(entry.runPath);
  const std::string words = startingPath(entry.uuid, ".stderr");
  const std::string attempt = folder.attemptPath(folder.lastAttempt());
  std::error_code code;
  if (fileBytes(words) > 0 && folderExists(attempt)) {
    const std::string target =
        attempt + (fileExists(attempt + "/stderr.log") ? "/launch.log" : "/stderr.log");
    (void)keepMessages(words, target).ok();
  }
  std::filesystem::remove(words, code);
  std::filesystem::remove(startingPath(entry.uuid, ".json"), code);
  clearAborted(m_options.project, entry.uuid);
  return m_queue.remove(entry.uuid);
}

}  // namespace fathom
