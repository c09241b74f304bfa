// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/errors/error.h"

namespace fathom {

// The only table of exit codes (docs/project_files.md §8). `fathom train --wait` returns the engine's.
enum class ExitCode : int {
  Finished = 0,
  Internal = 1,
  Usage = 2,  // the command line: unknown words, values that its options do not take, --set included
  Stopped = 10,
  Diverged = 20,
  // Configuration or data: a file that is missing or wrong, options that do not fit each other; or something
  // named that cannot be used as it is: a run in use, a device that is not there.
  BadInput = 30,
  OutOfMemory = 40,  // host
  DeviceMemory = 41,
  Disk = 50,
  DeviceFault = 75,  // may be retried: the device failed while it was used, and starting again can mend it
  RankLost = 76,     // may be retried: one of the processes that trained the run is gone
};

ExitCode exitCodeFor(const Error& error);
// "finished", "stopped", "diverged", "failed", "killed (signal 9)", ...: the run state a code means (128+n =
// signal).
const char* runStateForExitCode(int code);

}  // namespace fathom
