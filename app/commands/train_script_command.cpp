// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/commands/script_fields.h"
#include "app/commands/waiting.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace {

Result<CommandOutput> trainScript(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  const ScriptRequest request = scriptRequest(context.options);
  FATHOM_TRY(const RunScript script, checkedScript(request));
  return queueAndMaybeWait(context, scriptEntry(context.project, script, scriptName(request)),
                           context.options.flag("front"), progress, stop);
}

}  // namespace

Command trainScriptCommandEntry() {
  return {
      .id = "train-script",
      .title = "Run a script",
      .description =
          "Puts a run into the queue that a command of your own trains, as in: -- python3 train.py.",
      .group = "Run",
      .fields = joinedFields(
          {scriptFields(),
           {listField("set", "Options", "key=value: what fathom.config() gives the script; may be repeated."),
            textField("name", "Name", "Name of the run; otherwise the script's."),
            textField("group", "Group", "Group of the run, where the script gives none."),
            flagField("front", "Next in the queue", "Start it before everything that waits."), waitField()}}),
      .required = {"command"},
      .positional = "command",
      .rest = "command",
      .changesData = true,
      .run = trainScript};
}

}  // namespace fathom
