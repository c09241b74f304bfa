// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"
#include "app/run_control.h"

namespace fathom {

namespace {

Result<CommandOutput> abortRuns(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  CommandOutput output;
  for (const std::string& word : context.options.texts("runs")) {
    FATHOM_TRY(const ControlTarget target, findControlTarget(*library, word));
    FATHOM_TRY(const std::string result, abortRun(context.project, target));
    addRunResult(output, target.uuid, target.name, result);
  }
  return output;
}

}  // namespace

Command abortCommandEntry() {
  Command command = runControlCommand(
      "abort", QT_TRANSLATE_NOOP("Command", "Abort"),
      QT_TRANSLATE_NOOP("Command", "Ends runs at once, without saving; nothing restarts them."));
  command.run = abortRuns;
  return command;
}

}  // namespace fathom
