// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"
#include "app/commands/waiting.h"
#include "app/run_control.h"

namespace fathom {

namespace {

Result<CommandOutput> resumeRunCommand(const CommandContext& context, Progress& progress,
                                       const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const ControlTarget target, findControlTarget(*library, context.options.text("run")));
  FATHOM_TRY(QueueEntry entry, resumeEntry(context.project, target.path));
  return queueAndMaybeWait(context, std::move(entry), true, progress, stop);
}

}  // namespace

Command resumeCommandEntry() {
  Command command = runControlCommand(
      "resume", QT_TRANSLATE_NOOP("Command", "Resume"),
      QT_TRANSLATE_NOOP("Command",
                        "Goes on with a run that was stopped or cut off, from its last checkpoint."));
  command.fields = {
      textField("run", QT_TRANSLATE_NOOP("Command", "Run"),
                QT_TRANSLATE_NOOP("Command", "UUID, its beginning, name or path of the run.")),
      flagField("wait", QT_TRANSLATE_NOOP("Command", "Wait"),
                QT_TRANSLATE_NOOP("Command",
                                  "Show progress until the run ends and return the engine's exit code."))};
  command.required = {"run"};
  command.positional = "run";
  command.run = resumeRunCommand;
  return command;
}

}  // namespace fathom
