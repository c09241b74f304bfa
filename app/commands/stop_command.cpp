// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"
#include "app/run_control.h"

namespace fathom {

namespace {

Result<CommandOutput> stopRuns(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  CommandOutput output;
  for (const std::string& word : context.options.texts("runs")) {
    FATHOM_TRY(const ControlTarget target, findControlTarget(*library, word));
    FATHOM_TRY(const std::string result, stopRun(context.project, target));
    addRunResult(output, target.uuid, target.name, result);
  }
  return output;
}

}  // namespace

Command stopCommandEntry() {
  Command command = runControlCommand(
      "stop", QT_TRANSLATE_NOOP("Command", "Stop"),
      QT_TRANSLATE_NOOP("Command",
                        "Lets runs save and end; those that only wait are taken out of the queue."));
  command.run = stopRuns;
  return command;
}

}  // namespace fathom
