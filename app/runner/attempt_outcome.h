// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/runner/launcher.h"
#include "core/base/errors/result.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

// End of an engine, as the runner saw it.
struct AttemptEnd {
  int attemptsBefore =
      0;             // last attempt when the engine was started; it may have died before beginning its own
  int exitCode = 0;  // core/record/runs/exit_code.h, kUnknownExit (launcher.h) when nobody saw it
  bool memoryKill = false;  // the kernel killed something of ours for lack of memory meanwhile
  bool aborted = false;     // a person wanted it to die
  std::string lastMessage;  // end of the engine's messages
  JobEnd by = JobEnd::Own;  // as its place says
  std::string placeWords = {};
  bool script = false;     // a command of somebody's own, no engine of ours
  Phrase notStarted = {};  // why it could not be started; empty = it was
};

// The outcome of the run's last attempt: the engine's own, or, where it could not write one, one made from
// `end` and written. That of one that saved since its place sent it away is returned with the place's reason
// as its cause. A run that died before its folder was there gets folder, attempt and outcome here, so that
// nobody has to look for it. `identity` and `config` are used for that only.
Result<RunOutcome> settleAttempt(const std::string& runPath, const RunIdentity& identity, const Json& config,
                                 const AttemptEnd& end);

// May the runner start the run again by itself? Only after a device fault (75), a lost rank (76), a kill from
// outside (137), an end that nobody saw or one that its place made without starting it anew (a lost node, a
// preemption), and only while fewer than `maxPerHour` attempts ended so within the last hour.
bool mayRestart(const std::string& runPath, const RunOutcome& outcome, int maxPerHour);
// Attempts of the last hour that ended so: the exponent of the waiting time.
int recentFaults(const std::string& runPath);

// Kills for lack of memory in our control group so far, of version 2 or 1; 0 where the kernel does not tell.
// `root`: of the file system, for tests.
std::int64_t memoryKills(const std::string& root = {});

}  // namespace fathom
