// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/attempt_outcome.h"

#include <cmath>
#include <csignal>
#include <ctime>
#include <optional>
#include <sstream>
#include <vector>

#include "app/runner/child_process.h"
#include "app/runner/launcher.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/memory_group.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/attempt_place.h"
#include "core/record/runs/exit_code.h"
#include "core/record/runs/run_lock.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

constexpr int kKilled = 128 + SIGKILL;
constexpr int kTimeLimit = 128 + SIGXCPU;
constexpr int kDeviceFault = static_cast<int>(ExitCode::DeviceFault);
constexpr const char* kCancelledCause = "cancelled";
constexpr int kRankLost = static_cast<int>(ExitCode::RankLost);

struct Verdict {
  RunState state;
  const char* cause;
};

// Null: the engine's own end.
const char* causeAt(JobEnd end) {
  switch (end) {
    case JobEnd::TimeLimit:
      return "time_limit";
    case JobEnd::Memory:
      return "oom";
    case JobEnd::Node:
      return "node_lost";
    case JobEnd::Preempted:
      return "preempted";
    case JobEnd::Cancelled:
      return kCancelledCause;
    case JobEnd::Own:
      break;
  }
  return nullptr;
}

Phrase placeMeaning(JobEnd end) {
  switch (end) {
    case JobEnd::TimeLimit:
      return Phrase::tr("its time limit ended it before it could save");
    case JobEnd::Memory:
      return Phrase::tr("it used more memory than it was given");
    case JobEnd::Node:
      return Phrase::tr("its node failed");
    case JobEnd::Preempted:
      return Phrase::tr("other work took its place");
    case JobEnd::Cancelled:
      return Phrase::tr("somebody cancelled its job");
    case JobEnd::Own:
      break;
  }
  return {};
}

Verdict verdictOfCode(int exitCode) {
  const std::string word = runStateForExitCode(exitCode);  // "crashed (signal 11)"
  const RunState state = runStateFromName(word.substr(0, word.find(' '))).value_or(RunState::Failed);
  if (state == RunState::Crashed) return {state, "crash"};
  if (state == RunState::Killed) return {state, "killed"};
  return {RunState::Failed, "unknown"};
}

Verdict verdict(const AttemptEnd& end) {
  if (end.aborted) return {RunState::Killed, kAbortedCause.data()};
  if (const char* cause = causeAt(end.by)) return {RunState::Killed, cause};
  if (end.exitCode == kUnknownExit) return {RunState::Lost, "unknown"};
  if (end.exitCode == kKilled) return {RunState::Killed, end.memoryKill ? "oom" : "killed"};
  if (end.exitCode == kTimeLimit) return {RunState::Killed, "time_limit"};
  if (end.exitCode == kDeviceFault) return {RunState::Failed, "device_fault"};
  if (end.exitCode == kRankLost) return {RunState::Failed, "rank_lost"};
  if (end.exitCode == static_cast<int>(ExitCode::OutOfMemory)) return {RunState::Failed, "oom"};
  if (end.exitCode == static_cast<int>(ExitCode::DeviceMemory)) return {RunState::Failed, "oom"};
  if (end.exitCode == static_cast<int>(ExitCode::Disk)) return {RunState::Failed, "disk"};
  if (end.exitCode == static_cast<int>(ExitCode::BadInput)) return {RunState::Failed, "config"};
  if (end.exitCode == static_cast<int>(ExitCode::Stopped)) return {RunState::Stopped, ""};
  if (end.exitCode == static_cast<int>(ExitCode::Diverged)) return {RunState::Diverged, "unknown"};
  return verdictOfCode(end.exitCode);
}

// A command of one's own gives its codes meanings of its own.
Verdict verdictOfScript(const AttemptEnd& end) {
  if (end.aborted) return {RunState::Killed, kAbortedCause.data()};
  if (end.exitCode == kUnknownExit) return {RunState::Lost, "unknown"};
  if (end.exitCode == 0) return {RunState::Finished, ""};
  if (end.exitCode == kKilled) return {RunState::Killed, end.memoryKill ? "oom" : "killed"};
  return end.exitCode > 128 ? verdictOfCode(end.exitCode) : Verdict{RunState::Failed, "exit_code"};
}

Phrase scriptMessage(const AttemptEnd& end) {
  if (!end.notStarted.empty()) return Phrase::tr("the command could not be started: %1")(end.notStarted);
  if (end.aborted) return Phrase::tr("aborted on request");
  if (end.exitCode == kUnknownExit)
    return Phrase::tr("the command ended while nobody watched it (machine restarted?)");
  if (end.exitCode == 0)
    return Phrase::tr("the command left with exit code 0; it did not write itself how the run ended");
  Phrase message = Phrase::tr("the command %1")(describeExit(end.exitCode));
  if (end.memoryKill) message = Phrase::tr("%1: the machine ran out of memory")(std::move(message));
  if (!end.lastMessage.empty()) message = Phrase::tr("%1; it wrote: %2")(std::move(message), end.lastMessage);
  return message;
}

// Meaning of an exit code of the engine; empty for the codes that say it themselves.
Phrase exitMeaning(int exitCode) {
  if (exitCode == static_cast<int>(ExitCode::OutOfMemory) ||
      exitCode == static_cast<int>(ExitCode::DeviceMemory))
    return Phrase::tr("it ran out of memory");
  if (exitCode == static_cast<int>(ExitCode::Disk))
    return Phrase::tr("the disk is full or cannot be written to");
  if (exitCode == static_cast<int>(ExitCode::BadInput))
    return Phrase::tr("it refused the configuration or the data");
  if (exitCode == kDeviceFault) return Phrase::tr("the device failed");
  if (exitCode == kRankLost) return Phrase::tr("a rank was lost");
  return {};
}

Phrase verdictMessage(const AttemptEnd& end) {
  if (end.aborted) return Phrase::tr("aborted on request");
  if (Phrase meaning = placeMeaning(end.by); !meaning.empty())
    return end.placeWords.empty() ? meaning : Phrase::tr("%1 (%2)")(std::move(meaning), end.placeWords);
  if (end.exitCode == kUnknownExit)
    return Phrase::tr("the engine ended while nobody watched it (machine restarted?)");
  Phrase message = Phrase::tr("the engine %1")(describeExit(end.exitCode));
  if (Phrase meaning = exitMeaning(end.exitCode); !meaning.empty())
    message = Phrase::tr("%1: %2")(std::move(message), std::move(meaning));
  if (end.memoryKill) message = Phrase::tr("%1: the machine ran out of memory")(std::move(message));
  if (end.exitCode == kKilled && !end.memoryKill)
    message = Phrase::tr("%1, perhaps for lack of memory")(std::move(message));
  if (!end.lastMessage.empty()) message = Phrase::tr("%1; it wrote: %2")(std::move(message), end.lastMessage);
  if (!end.placeWords.empty()) message = Phrase::tr("%1 (%2)")(std::move(message), end.placeWords);
  return message;
}

// The facts behind the sentence of verdictMessage.
Json verdictDetails(const AttemptEnd& end) {
  Json details = Json::object();
  if (end.aborted) return details;
  if (const char* cause = causeAt(end.by)) {
    details["place_end"] = cause;
    return details;
  }
  if (end.exitCode == kUnknownExit) {
    details["unwatched"] = true;
    return details;
  }
  if (end.exitCode > 128) {
    details["signal"] = end.exitCode - 128;
  } else {
    details["exit_code"] = end.exitCode;
  }
  if (end.memoryKill) details["memory_kill"] = true;
  if (end.exitCode == kKilled && !end.memoryKill) details["perhaps_memory"] = true;
  if (!end.lastMessage.empty()) details["last_words"] = end.lastMessage;
  return details;
}

// Updates done and the newest checkpoint, from what the attempt managed to write.
void addProgress(const std::string& eventsPath, RunOutcome& outcome) {
  EventReader reader(eventsPath);
  while (true) {
    const auto events = reader.poll(std::size_t{4} << 20);
    if (!events || events->empty()) return;
    for (const Event& event : *events) {
      if (event.step >= 0) outcome.step = event.step;
      if (event.kind == "checkpoint") outcome.lastGoodCheckpoint = event.members.value("name", "");
    }
  }
}

double secondsSince(const std::string& isoTime) {
  std::tm parts{};
  if (!strptime(isoTime.c_str(), "%Y-%m-%dT%H:%M:%S", &parts)) return 0;
  return std::fabs(
      std::difftime(std::time(nullptr), timegm(&parts)));  // a clock that was set back counts as near
}

// An engine that saved because its place sent it away cannot know why it did. What it wrote stays as it is.
RunOutcome namedByPlace(RunOutcome known, const AttemptEnd& end) {
  const char* cause = causeAt(end.by);
  if (end.aborted || cause == nullptr || known.state != RunState::Stopped || !known.cause.empty())
    return known;
  known.cause = cause;
  known.message = verdictMessage(end);
  known.details["place_end"] = cause;
  return known;
}

bool sentAway(const std::string& cause) {
  return cause == causeAt(JobEnd::Node) || cause == causeAt(JobEnd::Preempted);
}

bool isFault(const RunOutcome& outcome) {
  if (outcome.state == RunState::Stopped) return sentAway(outcome.cause);
  if (outcome.cause == kAbortedCause || outcome.cause == kCancelledCause) return false;
  if (outcome.cause == causeAt(JobEnd::TimeLimit)) return false;
  return outcome.exitCode == kDeviceFault || outcome.exitCode == kRankLost || outcome.exitCode == kKilled ||
         outcome.exitCode == kUnknownExit;
}

// "" where it cannot be read.
std::string textOf(const std::string& file) {
  auto text = readFile(file, std::size_t{1} << 22);
  return text.ok() ? std::move(*text) : std::string();
}

// The number behind "oom_kill"; nothing where the file or the line is missing.
std::optional<std::int64_t> killsIn(const std::string& file) {
  std::istringstream events(textOf(file));
  std::string key;
  std::int64_t value = 0;
  while (events >> key >> value) {
    if (key == "oom_kill") return value;
  }
  return std::nullopt;
}

// A command may have been cut off while it made the run itself: what it has written stays.
Status makeRun(const RunFolder& folder, const RunIdentity& identity, bool script) {
  if (script) {
    FATHOM_CHECK(makeOneFolder(folder.path()));
    return folder.describe(identity);
  }
  const auto made = RunFolder::create(folder.path(), identity);
  return made.ok() ? Status() : Status(made.error());
}

}  // namespace

Result<RunOutcome> settleAttempt(const std::string& runPath, const RunIdentity& identity, const Json& config,
                                 const AttemptEnd& end) {
  const RunFolder folder(runPath);
  if (!folder.exists()) FATHOM_CHECK(makeRun(folder, identity, end.script));
  int attempt = folder.lastAttempt();
  if (attempt == end.attemptsBefore) {
    const auto last = folder.config(attempt);
    FATHOM_TRY(attempt, folder.beginAttempt(last ? *last : config));
  }
  if (auto known = folder.outcome(attempt)) return namedByPlace(std::move(*known), end);
  if (const auto holder = runLockHolder(runPath)) {
    return unavailableError(Phrase::tr("run %1 is still being written by process %2")(runPath, holder->pid));
  }
  RunOutcome outcome;
  const Verdict found = end.script ? verdictOfScript(end) : verdict(end);
  outcome.state = found.state;
  outcome.cause = found.cause;
  outcome.message = end.script ? scriptMessage(end) : verdictMessage(end);
  outcome.details = verdictDetails(end);
  outcome.exitCode = end.exitCode;
  addProgress(folder.eventsPath(attempt), outcome);
  outcome.finishedAt = isoTimeNow();
  FATHOM_CHECK(folder.writeOutcome(attempt, outcome));
  return outcome;
}

int recentFaults(const std::string& runPath) {
  const RunFolder folder(runPath);
  int count = 0;
  for (const int attempt : folder.attempts()) {
    const auto outcome = folder.outcome(attempt);
    if (!outcome || secondsSince(outcome->finishedAt) >= 3600) continue;
    const auto place = attemptPlace(folder, attempt);
    if (isFault(*outcome) || (place && sentAway(place->end))) ++count;
  }
  return count;
}

bool mayRestart(const std::string& runPath, const RunOutcome& outcome, int maxPerHour) {
  return isFault(outcome) && recentFaults(runPath) <= maxPerHour;
}

std::int64_t memoryKills(const std::string& root) {
  for (const MemoryGroup& group : memoryGroups(root)) {
    const char* file = group.unified ? "/memory.events" : "/memory.oom_control";
    for (const std::string& folder : group.folders) {
      if (const auto kills = killsIn(folder + file)) return *kills;
    }
  }
  return 0;
}

}  // namespace fathom
