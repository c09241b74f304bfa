// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/runner/engine_description.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// Actions that people take on runs, from the shell and from the window.

// A run that is there, or one that only waits in the queue (no folder yet).
struct ControlTarget {
  std::string uuid;
  std::string name;
  std::string path;
};
// By UUID, its beginning (>= 4 characters), name or path; usage error that names the nearest.
Result<ControlTarget> findControlTarget(ProjectLibrary& library, const std::string& word);
// The same as a row of the run table.
Result<RunRow> findRunOrQueued(ProjectLibrary& library, const std::string& word);

// Each returns what happened, in words: "asked to save and stop", "taken out of the queue", "was not
// running". An abort marks a run that is in the queue, and no other: the runner does not start it again.
Result<std::string> stopRun(const std::string& project, const ControlTarget& target);
Result<std::string> abortRun(const std::string& project, const ControlTarget& target);
// When an engine elsewhere heeds a wish, or that its place is not heard now; empty for an engine of this
// machine and where none runs.
Phrase wishDelay(const std::string& project, const ControlTarget& target);
// Claimed by a runner that may be gone, for a place with a queue of its own: its job starts there some day,
// so that taking the entry away is not enough. stopRun and abortRun have a runner call it off.
bool mayWaitElsewhere(const std::string& project, const QueueEntry& entry);
// A usage error while the run is running or queued.
Status checkNotActive(const std::string& project, const ControlTarget& target);

// An error where another program wrote the run (foreign_run.h): its sentence says what repeats it, with the
// command that the run recorded; given the run's folder, what goes on with it.
Status checkOurEngine(const RunIdentity& identity, const std::string& runFolder = {});

// The queue entry of the next attempt of a run that is there; usage error for one that is queued, runs, was
// written by another program (whose command is started again where it goes on with the run), or has ended for
// good.
Result<QueueEntry> resumeEntry(const std::string& project, const std::string& runPath);

// The configuration of a run for a new one: what is recorded, where its files lie now, changed by assignments
// ("key=value") and judged by the engine's rules. Usage error for an imported run. `elsewhere`: another
// machine will train it.
struct RetryConfig {
  RunConfig config;                      // with the run's name and preset
  std::vector<std::string> unknownKeys;  // recorded options that this engine has no more: left out
  Json placement = Json::object();       // device and threads it had; the queue chooses anew
};
Result<RetryConfig> retryConfig(const EngineDescription& engine, const std::string& project,
                                const ControlTarget& target, const std::vector<std::string>& assignments,
                                bool elsewhere = false);
// The queue entry of a new run by the command that the run was trained by, with its options changed by
// assignments; nothing where the run has no command (script_request.h). `name`: "" = the old one's.
Result<std::optional<QueueEntry>> retriedScript(const std::string& project, const ControlTarget& target,
                                                const std::vector<std::string>& assignments,
                                                const std::string& name);
// Takes device and threads out of recorded options, for a run that starts anew; returns what was there.
Json takePlacement(Json& options);

}  // namespace fathom
