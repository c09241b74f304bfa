// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/files/process_identity.h"

namespace fathom {

// Starts `fathom run-queue` for the project, detached, if no runner of this host has it. Its messages go to
// <project>/queue/runner.log.
Status ensureRunner(const std::string& project);
// The same, for whoever wants to hear how the runner fares.
struct RunnerStart {
  ProcessIdentity process;      // pid 0 = there was a runner
  std::uintmax_t logBytes = 0;  // length of runner.log before
};
// Starts `fathom run-queue` whether or not there is a runner: beside one, it goes on with followed sources
// alone.
Status startQueueProgram(const std::string& project);
// A child ends with an exit code that whoever started it can ask for; nobody waits for one that is nobody's.
enum class RunnerKin { Nobodys, Child };
Result<RunnerStart> startRunner(const std::string& project, RunnerKin kin = RunnerKin::Nobodys);
// std::nullopt while the runner lives. Once it has ended: its error, "" when it had none.
std::optional<std::string> runnerComplaint(const std::string& project, const RunnerStart& start);

// A person wants the run to die for good: it is not started again. Cleared when it is queued anew.
Status markAborted(const std::string& project, const std::string& uuid);
bool isMarkedAborted(const std::string& project, const std::string& uuid);
void clearAborted(const std::string& project, const std::string& uuid);

}  // namespace fathom
