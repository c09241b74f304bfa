// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"
#include "core/library/runs/run_trash.h"

namespace fathom {

namespace {

Result<CommandOutput> deleteRuns(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  std::vector<ControlTarget> targets;
  for (const std::string& word : context.options.texts("runs")) {
    FATHOM_TRY(const ControlTarget target, findControlTarget(*library, word));
    FATHOM_CHECK(checkNotActive(context.project, target));
    targets.push_back(target);
  }
  CommandOutput output;
  for (const ControlTarget& target : targets) {
    FATHOM_TRY(const std::string path, trashRun(*library, target.path));
    const bool linked = path == target.path;
    addRunResult(output, target.uuid, target.name,
                 linked ? "taken out of the project; its folder stays: " + path : "moved to " + path);
  }
  return output;
}

}  // namespace

Command deleteCommandEntry() {
  return runControlCommand(
      "delete", "Delete",
      "Moves runs to the project's trash; 'clean' empties it, 'restore' brings them back.", deleteRuns);
}

}  // namespace fathom
