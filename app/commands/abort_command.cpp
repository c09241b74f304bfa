// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"

namespace fathom {

Command abortCommandEntry() {
  return runControlCommand("abort", "Abort", "Ends runs at once, without saving; nothing restarts them.",
                           [](const CommandContext& context, Progress&, const StopToken&) {
                             return withEachRun(context, abortRun);
                           });
}

}  // namespace fathom
