// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_control.h"

#include <optional>

#include "app/runner/launcher.h"
#include "app/runner/place_notes.h"
#include "app/runner/runner_program.h"
#include "app/runs/run_json.h"
#include "app/runs/script_request.h"
#include "app/runs/training_request.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/named_files.h"
#include "core/base/text/shell_word.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/control_folder.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_lock.h"
#include "core/record/runs/run_verdict.h"

namespace fathom {

namespace {

Result<std::optional<QueueEntry>> entryOf(const std::string& project, const std::string& uuid) {
  FATHOM_TRY(const auto entries, QueueFolder(project).entries());
  for (const QueueEntry& entry : entries) {
    if (entry.uuid == uuid) return std::optional<QueueEntry>(entry);
  }
  return std::optional<QueueEntry>();
}

// Nobody has it: it waits, or its claim is that of a runner that is gone.
bool waits(const std::string& project, const QueueEntry& entry) {
  const QueueFolder queue(project);
  if (!entry.claimed()) return true;
  return queue.runnerPid() == 0 && queue.orphaned(entry) && !mayWaitElsewhere(project, entry) &&
         !scriptRuns(entry.runPath);
}

// The runner ends it. One that waits at a place with a queue of its own would start there some day: without
// a runner there is none to call it off.
Status giveUp(const std::string& project, const QueueEntry& entry) {
  FATHOM_CHECK(markAborted(project, entry.uuid));
  const bool goesOn = mayWaitElsewhere(project, entry) || scriptRuns(entry.runPath);
  return goesOn ? ensureRunner(project) : Status();
}

std::string askedTo(const std::string& what, const Phrase& delay) {
  return delay.empty() ? what : what + ": " + delay.english();
}

bool named(const QueueEntry& entry, const std::string& word) {
  if (entry.uuid == word || entry.runPath == word || entry.config.value("name", "") == word) return true;
  return word.size() >= 4 && entry.uuid.rfind(word, 0) == 0;
}

// Recorded configuration of a run, or of one that waits and has no folder yet.
Result<RunConfig> recordedConfig(const std::string& project, const ControlTarget& target) {
  const RunFolder folder(target.path);
  if (folder.lastAttempt() > 0) {
    FATHOM_TRY(const Json json, folder.config(folder.lastAttempt()));
    return runConfigFromJson(json, target.path);
  }
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  if (entry) return runConfigFromJson(entry->config, target.uuid);
  FATHOM_TRY(const Json none, folder.config(folder.lastAttempt()));
  return runConfigFromJson(none, target.path);
}

Status checkOurs(const ControlTarget& target) {
  const auto identity = RunFolder(target.path).identity();
  if (!identity.ok()) return {};
  FATHOM_CHECK(checkOurEngine(*identity));
  const std::string origin = importOrigin(identity->provenance);
  if (origin.empty()) return {};
  return unavailableError(
      Phrase::tr("run %1 was imported (%2): its options are another program's")(target.uuid, origin),
      Phrase::tr("start from a preset: fathom train --project DIR --preset ID"));
}

}  // namespace

Status checkOurEngine(const RunIdentity& identity, const std::string& runFolder) {
  const std::string writer = runWriter(identity.provenance);
  const std::string command = recordedCommand(identity.provenance, runFolder);
  if (writer.empty()) return {};
  return unavailableError(
      Phrase::tr("run %1 was written by %2: only that program can go on with it or repeat it")(identity.uuid,
                                                                                               writer),
      command.empty() ? Phrase::tr("start that program again; it recorded no command")
                      : Phrase::tr("start it again with: %1")(command));
}

// An engine on another host finds the wish on the disk that both share, or that the runner carries it to.
Phrase wishDelay(const std::string& project, const ControlTarget& target) {
  const auto holder = runLockHolder(target.path);
  if (!holder || !holder->foreign) return {};
  const auto notes = placeNotes(project);
  const auto note = notes.find(target.uuid);
  if (note != notes.end() && !note->second.silentFrom.empty())
    return Phrase::tr("nothing was heard of %1 since %2; it heeds this when it is back")(
        note->second.place, note->second.silentFrom);
  return Phrase::tr("it runs on %1, which looks every %2 s")(holder->host, kControlSeconds);
}

bool mayWaitElsewhere(const std::string& project, const QueueEntry& entry) {
  if (!entry.claimed() || entry.place == kLocalPlace || !QueueFolder(project).orphaned(entry)) return false;
  const auto place = openPlace(project, entry.place);
  return !place.ok() || (*place)->abilities().ownQueue;
}

Result<RunRow> findRunOrQueued(ProjectLibrary& library, const std::string& word) {
  auto row = findRun(library, word);
  if (row) return row;
  FATHOM_TRY(const auto entries, QueueFolder(library.path()).entries());
  const QueueEntry* found = nullptr;
  for (const QueueEntry& entry : entries) {
    if (!named(entry, word)) continue;
    if (found)
      return usageError(Phrase::tr("several runs in the queue fit '%1'")(word), Phrase::tr("give the UUID"));
    found = &entry;
  }
  if (!found) return row.error();
  return queuedRow(*found);
}

Result<ControlTarget> findControlTarget(ProjectLibrary& library, const std::string& word) {
  FATHOM_TRY(const RunRow row, findRunOrQueued(library, word));
  return ControlTarget{row.identity.uuid, row.name, row.path};
}

Result<std::string> stopRun(const std::string& project, const ControlTarget& target) {
  if (runLockHolder(target.path)) {
    const Phrase delay = wishDelay(project, target);
    FATHOM_CHECK(sendControl(target.path, "stop"));
    return askedTo("asked to save and stop", delay);
  }
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  if (!entry) return std::string("was not running");
  if (waits(project, *entry)) {
    FATHOM_CHECK(QueueFolder(project).remove(target.uuid));
    return std::string("taken out of the queue");
  }
  // Claimed, but no engine: it is starting or waits for its restart; the runner does not start it again.
  FATHOM_CHECK(giveUp(project, *entry));
  return entry->script.given() ? std::string("asked to end") : std::string("will not be started again");
}

Result<std::string> abortRun(const std::string& project, const ControlTarget& target) {
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  const bool running = runLockHolder(target.path).has_value();
  const Phrase delay = wishDelay(project, target);
  if (entry && (!entry->claimed() || (!running && waits(project, *entry)))) {
    FATHOM_CHECK(QueueFolder(project).remove(target.uuid));
    return std::string("taken out of the queue");
  }
  if (!running && !entry) return std::string("was not running");
  if (entry) FATHOM_CHECK(giveUp(project, *entry));
  if (!running && entry->script.given()) return std::string("asked to end");
  if (!running) return std::string("will not be started again");
  FATHOM_CHECK(sendControl(target.path, "abort"));
  return askedTo(std::string(kAbortedCause), delay);
}

Status checkNotActive(const std::string& project, const ControlTarget& target) {
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  if (entry)
    return unavailableError(Phrase::tr("run %1 is in the queue")(target.uuid), Phrase::tr("stop it first"));
  if (runLockHolder(target.path))
    return unavailableError(Phrase::tr("run %1 is running")(target.uuid), Phrase::tr("stop it first"));
  return {};
}

namespace {

// How a run is started anew where it has no work left.
Phrase retryHint(const std::string& project, const std::string& uuid, bool script) {
  return script ? Phrase::tr("start it anew with: fathom retry --project %1 %2")(shellWord(project), uuid)
                : Phrase::tr(
                      "train a longer one with: fathom retry --project %1 %2 --set training.length=LENGTH")(
                      shellWord(project), uuid);
}

// Gives the entry the command that goes on with the run.
Status takeScript(QueueEntry& entry) {
  const auto recorded = recordedScript(entry.runPath);
  if (!recorded) return internalError("a run without a command");
  FATHOM_TRY(entry.script, checkedScript(*recorded));
  entry.device = "auto";
  return {};
}

}  // namespace

Result<QueueEntry> resumeEntry(const std::string& project, const std::string& runPath) {
  const QueueFolder queue(project);
  const RunFolder folder(runPath);
  FATHOM_TRY(const RunIdentity identity, folder.identity());
  const bool script = scriptGoesOn(runPath) && recordedScript(runPath);
  if (!script) FATHOM_CHECK(checkOurEngine(identity, absolutePath(runPath)));
  FATHOM_TRY(const auto entries, queue.entries());
  for (const QueueEntry& entry : entries) {
    if (entry.uuid == identity.uuid)
      return unavailableError(Phrase::tr("run %1 is in the queue already")(identity.uuid));
  }
  const RunState state = folder.state();
  if (isLive(state)) {
    return unavailableError(
        Phrase::tr("run %1 is running")(identity.uuid),
        Phrase::tr("stop it first with: fathom stop --project %1 %2")(shellWord(project), identity.uuid));
  }
  if (folder.lastAttempt() == 0) {
    return dataErrorAt(runPath, 0,
                       Phrase::tr("the run was cut off before its first attempt: there is nothing to resume"),
                       Phrase::tr("train it anew and delete this one"));
  }
  const auto outcome = folder.outcome(folder.lastAttempt());
  if (outcome && outcome->cause == kNotLearning) {
    return unavailableError(
        Phrase::tr("run %1 has done all its %2 updates without learning; there is nothing to resume")(
            identity.uuid, outcome->step),
        Phrase::tr("train a changed one with: fathom retry --project %1 %2 --set KEY=VALUE")(
            shellWord(project), identity.uuid));
  }
  if (state == RunState::Finished) {
    const Phrase again = retryHint(project, identity.uuid, script);
    return unavailableError(Phrase::tr("run %1 has finished; there is nothing to resume")(identity.uuid),
                            again);
  }
  std::set<std::string> heeded;
  (void)takeWishes(runPath, heeded);  // what was asked of an attempt that is over does not stop the next one
  QueueEntry entry;
  entry.uuid = identity.uuid;
  entry.runPath = runPath;
  entry.resume = true;
  FATHOM_TRY(entry.config, folder.config(folder.lastAttempt()));
  if (script) {
    FATHOM_CHECK(takeScript(entry));
    return entry;
  }
  entry.device = entry.config.contains("options") ? entry.config["options"].value("device", "auto") : "auto";
  return entry;
}

Result<std::optional<QueueEntry>> retriedScript(const std::string& project, const ControlTarget& target,
                                                const std::vector<std::string>& assignments,
                                                const std::string& name) {
  std::optional<ScriptRequest> request = recordedScript(target.path);
  if (!request) {
    FATHOM_TRY(const auto waiting, entryOf(project, target.uuid));
    if (!waiting || !waiting->script.given()) return std::optional<QueueEntry>();
    const RunScript& script = waiting->script;
    request = ScriptRequest{script.command, script.folder, {}, script.options, target.name, script.group};
  }
  request->assignments = assignments;
  FATHOM_TRY(const RunScript script, checkedScript(*request));
  const std::string called = name.empty() ? scriptName(*request) : name;
  return std::optional(scriptEntry(project, script, called));
}

Json takePlacement(Json& options) {
  Json placement = Json::object();
  for (const char* key : {"device", "threads"}) {
    if (options.contains(key)) placement[key] = options[key];
    options.erase(key);
  }
  return placement;
}

Result<RetryConfig> retryConfig(const EngineDescription& engine, const std::string& project,
                                const ControlTarget& target, const std::vector<std::string>& assignments,
                                bool elsewhere) {
  FATHOM_CHECK(checkOurs(target));
  RetryConfig retry;
  FATHOM_TRY(retry.config, recordedConfig(project, target));
  Json& options = retry.config.options;
  retry.placement = takePlacement(options);
  findMovedFiles(options, target.path, project);
  OptionValues values(engine.options);
  FATHOM_CHECK(values.merge(options, "run " + target.uuid, true));
  for (const std::string& assignment : assignments) FATHOM_CHECK(values.setText(assignment));
  FATHOM_CHECK(checkFilesNamed(values));
  FATHOM_CHECK(checkTrainingValues(engine, values, elsewhere));
  retry.unknownKeys = values.unknownKeys();
  options = Json::object();
  for (const OptionField& field : engine.options.fields()) options[field.key] = values.value(field.key);
  return retry;
}

}  // namespace fathom
