// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/queue_start.h"

#include "app/runner/runner_program.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_looks.h"

namespace fathom {

namespace {

// No reason not to train where it fails: whoever lists the runs first does it, too.
void giveLooksTo(const std::string& project, const std::vector<QueueEntry>& entries) {
  std::vector<std::pair<std::string, Json>> runs;
  for (const QueueEntry& entry : entries)
    if (!entry.resume) runs.emplace_back(entry.uuid, entry.config.value("options", Json::object()));
  if (runs.empty()) return;
  if (const auto library = ProjectLibrary::open(project); library.ok()) (void)giveLooks(**library, runs).ok();
}

}  // namespace

Result<std::vector<QueueEntry>> addRuns(const std::string& project, std::vector<QueueEntry> entries,
                                        bool atFront, const QueueRecord& record) {
  const QueueFolder queue(project);
  FATHOM_TRY(const QueueSettings settings, queue.settings());  // nobody could work through a queue without
  for (const QueueEntry& entry : entries)
    if (entry.resume) clearAborted(project, entry.uuid);  // somebody wants it to go on
  auto added = queue.addAll(std::move(entries), atFront, record);
  if (added.ok()) giveLooksTo(project, *added);
  return added;
}

Result<QueuedRuns> queueRuns(const std::string& project, std::vector<QueueEntry> entries, bool atFront,
                             const QueueRecord& record) {
  const QueueFolder queue(project);
  FATHOM_TRY(const QueueSettings settings, queue.settings());
  QueuedRuns queued;
  queued.paused = settings.paused;
  FATHOM_TRY(queued.entries, addRuns(project, std::move(entries), atFront, record));
  const Status started = settings.paused ? Status() : ensureRunner(project);
  // A runner that somebody else has started meanwhile is as good.
  if (started.ok() || queue.runnerPid() != 0) return queued;
  (void)queue.withdraw(queued.entries, record).ok();
  return started.error();
}

}  // namespace fathom
