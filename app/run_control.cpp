// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_control.h"

#include <optional>

#include "app/run_json.h"
#include "app/runner/runner.h"
#include "core/record/run_lock.h"

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
  return !entry.claimed() || (queue.runnerPid() == 0 && queue.orphaned(entry));
}

bool named(const QueueEntry& entry, const std::string& word) {
  if (entry.uuid == word || entry.runPath == word || entry.config.value("name", "") == word) return true;
  return word.size() >= 4 && entry.uuid.rfind(word, 0) == 0;
}

}  // namespace

Result<RunRow> findRunOrQueued(ProjectLibrary& library, const std::string& word) {
  auto row = findRun(library, word);
  if (row) return row;
  FATHOM_TRY(const auto entries, QueueFolder(library.path()).entries());
  const QueueEntry* found = nullptr;
  for (const QueueEntry& entry : entries) {
    if (!named(entry, word)) continue;
    if (found) return usageError("several runs in the queue fit '" + word + "'", "give the UUID");
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
    FATHOM_CHECK(sendControl(target.path, "stop"));
    return std::string("asked to save and stop");
  }
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  if (!entry) return std::string("was not running");
  if (waits(project, *entry)) {
    FATHOM_CHECK(QueueFolder(project).remove(target.uuid));
    return std::string("taken out of the queue");
  }
  // Claimed, but no engine: it is starting or waits for its restart; the runner does not start it again.
  FATHOM_CHECK(markAborted(project, target.uuid));
  return std::string("will not be started again");
}

Result<std::string> abortRun(const std::string& project, const ControlTarget& target) {
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  const bool running = runLockHolder(target.path).has_value();
  if (entry && (!entry->claimed() || (!running && waits(project, *entry)))) {
    FATHOM_CHECK(QueueFolder(project).remove(target.uuid));
    return std::string("taken out of the queue");
  }
  if (!running && !entry) return std::string("was not running");
  if (entry) FATHOM_CHECK(markAborted(project, target.uuid));
  if (!running) return std::string("will not be started again");
  FATHOM_CHECK(sendControl(target.path, "abort"));
  return std::string("aborted");
}

Status checkNotActive(const std::string& project, const ControlTarget& target) {
  FATHOM_TRY(const auto entry, entryOf(project, target.uuid));
  if (entry) return usageError("run " + target.uuid + " is in the queue", "stop it first");
  if (runLockHolder(target.path)) return usageError("run " + target.uuid + " is running", "stop it first");
  return {};
}

}  // namespace fathom
