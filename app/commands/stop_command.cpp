// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"

namespace fathom {

Command stopCommandEntry() {
  return runControlCommand("stop", "Stop",
                           "Lets runs save and end; those that only wait are taken out of the queue.",
                           [](const CommandContext& context, Progress&, const StopToken&) {
                             return withEachRun(context, stopRun);
                           });
}

}  // namespace fathom
