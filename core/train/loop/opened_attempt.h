// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/errors/result.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/train/loop/control_queue.h"
#include "core/train/loop/run_recorder.h"

namespace fathom {

// Common part of both ways into a run.
struct RunOpening {
  RunFolder folder;
  RunIdentity identity;
  RunWatcher* watcher;
  bool watchStandardInput, watchSignals;
  bool fresh;  // no run yet: it becomes one with its first attempt
  // Whoever started this starts it again after each SIGTERM: attempts without an update must come to an end.
  bool againAndAgain = false;
};

// Lock, attempt, events and control of one attempt.
struct OpenedAttempt {
  RunFolder folder;
  int number = 0;
  bool keptFiles = true;          // what the folder keeps of an attempt before is gone on with
  bool againAndAgain = false;     // as of its opening
  std::unique_ptr<RunLock> lock;  // null: rank 0 has it, and writes the folder
  ControlSocket socket;
  std::unique_ptr<ControlQueue> control;
  std::unique_ptr<RunRecorder> recorder;
};

// The run is ours alone; nothing is written yet.
Result<OpenedAttempt> holdRun(const RunOpening& opening);
// From here on everything that goes wrong is the outcome of this attempt. A new run is listed with it, or not
// at all: whatever stops us before leaves nothing that looks like a run.
Status beginAttempt(OpenedAttempt& attempt, const RunOpening& opening, const Json& config);
// Events and control. Throws what stops it.
void openAttempt(OpenedAttempt& attempt, const RunOpening& opening);
// Turns to where the folder lies now; false when it is gone.
bool followFolder(OpenedAttempt& attempt);

}  // namespace fathom
