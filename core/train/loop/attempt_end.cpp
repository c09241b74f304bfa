// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/attempt_end.h"

#include "core/base/json/phrase_json.h"
#include "core/record/runs/checkpoint_choice.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

constexpr const char* kSignalledByLimit = "SIGTERM";  // batch systems send it before they end a job
constexpr const char* kTimeLimitCause = "time_limit";

std::string newestCheckpointName(const OpenedAttempt& attempt) {
  const auto checkpoints = listCheckpoints(attempt.folder.path());
  return checkpoints.empty() ? std::string() : checkpoints.back().name;
}

// Once the file is there the run has ended so for everybody: that its folder could not be flushed (EIO) is
// told, and tried once more with a new file, but does not make the run a failed one.
Status writeLastOutcome(OpenedAttempt& attempt, const RunOutcome& outcome) {
  Status status = attempt.folder.writeOutcome(attempt.number, outcome);
  if (!status.ok() && attempt.folder.holdsOutcome(attempt.number, outcome))
    status = attempt.folder.writeOutcome(attempt.number, outcome);
  if (status.ok() || !attempt.folder.holdsOutcome(attempt.number, outcome)) return status;
  attempt.recorder->say("warning: " + status.error().text() +
                        "; the outcome of the run is there, but a power cut might take it back");
  return {};
}

std::string causeOf(ExitCode code, const Error& error) {
  switch (code) {
    case ExitCode::OutOfMemory:
    case ExitCode::DeviceMemory:
      return "oom";
    case ExitCode::Disk:
      return "disk";
    case ExitCode::DeviceFault:
      return "device_fault";
    case ExitCode::RankLost:
      return "rank_lost";
    case ExitCode::BadInput:
      if (error.key == kTimeLimitCause) return kTimeLimitCause;
      // An option by itself, or several that do not fit each other; what is wrong with a file names it.
      return error.kind == ErrorKind::Usage || (!error.key.empty() && error.file.empty()) ? "config" : "data";
    default:
      return "unknown";
  }
}

// This attempt and the one before did no update, and a signal stopped both.
bool limitsLeaveNoTime(OpenedAttempt& attempt, std::int64_t step) {
  if (!attempt.againAndAgain || !attempt.control || attempt.control->asker() != kSignalledByLimit)
    return false;
  const auto last = attempt.folder.outcome(attempt.number - 1);
  if (!last || last->state != RunState::Stopped || last->askedBy != kSignalledByLimit || last->step != step)
    return false;
  const auto before = attempt.folder.outcome(attempt.number - 2);
  return attempt.number == 2 ? step == 0 : before && before->step == step;
}

Error limitTooShort() {
  Error error = dataError(Phrase::tr("the time limit is too short: two attempts in a row did no update"),
                          Phrase::tr("give the run more time, or save and validate less often"));
  error.key = kTimeLimitCause;
  return error;
}

}  // namespace

RunReport finishAttempt(OpenedAttempt& attempt, const LoopResult& result, std::int64_t step) {
  if (!followFolder(attempt)) throw Failure(goneError(attempt.folder.path()));
  if (result.state == RunState::Stopped) {
    attempt.control->lookIntoFolder();
    if (limitsLeaveNoTime(attempt, step)) return failAttempt(attempt, limitTooShort(), step);
  }
  RunOutcome outcome;
  outcome.state = result.state;
  outcome.step = step;
  outcome.lastFiniteStep = step;
  outcome.lastGoodCheckpoint =
      result.lastCheckpoint.empty() ? newestCheckpointName(attempt) : result.lastCheckpoint;
  outcome.finishedAt = isoTimeNow();
  for (const auto& [name, value] : result.scores) outcome.scores[name] = jsonReal(value);
  RunReport report;
  if (result.state == RunState::Diverged) {
    outcome.cause = result.divergence->cause;
    outcome.lastFiniteStep = result.divergence->lastFiniteStep;
    outcome.firstModule = result.firstModule;
    outcome.message = result.divergence->message;
    outcome.details = result.divergence->details;
    report.code = ExitCode::Diverged;
    report.error = numericError(Phrase(outcome.message));
  } else if (result.state == RunState::Stopped) {
    report.code = ExitCode::Stopped;
    outcome.askedBy = attempt.control->asker();
  }
  outcome.exitCode = static_cast<int>(report.code);
  if (result.state != RunState::Diverged) {
    Json members;
    members["step"] = step;
    members["stopped"] = result.state == RunState::Stopped;
    members["m"] = outcome.scores;
    members["prefetch_wait_p99"] = result.prefetchWaitP99;
    if (result.graphs.recorded > 0)
      members["graphs"] = {{"recorded", result.graphs.recorded}, {"launched", result.graphs.launched}};
    if (result.analysisSeconds > 0) members["analysis_seconds"] = result.analysisSeconds;
    attempt.recorder->event("run_finished", members);
  }
  attempt.recorder->untilWritten("the end of the event log", [&] { return attempt.recorder->sync(); });
  attempt.recorder->untilWritten("the outcome of the run",
                                 [&] { return writeLastOutcome(attempt, outcome); });
  return report;
}

RunReport failAttempt(OpenedAttempt& attempt, Error error, std::int64_t step, std::optional<ExitCode> code) {
  if (!followFolder(attempt)) error = goneError(attempt.folder.path());
  if (attempt.control) attempt.control->lookIntoFolder();
  if (error.kind == ErrorKind::Interrupted && limitsLeaveNoTime(attempt, step)) error = limitTooShort();
  RunReport report{code.value_or(runExitCode(error)), error};
  RunOutcome outcome;
  const bool aborted = error.kind == ErrorKind::Interrupted;
  outcome.state = aborted ? RunState::Stopped : RunState::Failed;
  outcome.cause = aborted ? std::string(kAbortedCause) : causeOf(report.code, error);
  outcome.step = outcome.lastFiniteStep = step;
  outcome.message = error.phrase();
  if (aborted && attempt.control) outcome.askedBy = attempt.control->asker();
  outcome.exitCode = static_cast<int>(report.code);
  outcome.finishedAt = isoTimeNow();
  outcome.lastGoodCheckpoint = newestCheckpointName(attempt);
  try {
    Json members;
    members["kind"] = errorKindName(error.kind);
    members["cause"] = outcome.cause;
    writePhrase(members, "message", outcome.message);
    members["exit_code"] = outcome.exitCode;
    if (attempt.recorder) attempt.recorder->event("run_failed", members);
    attempt.folder.writeOutcome(attempt.number, outcome).value();
  } catch (const Failure& failure) {
    if (attempt.recorder)
      attempt.recorder->say("the outcome could not be written: " + failure.error().text());
  }
  return report;
}

}  // namespace fathom
