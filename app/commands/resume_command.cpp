// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/place_field.h"
#include "app/commands/run_control_commands.h"
#include "app/commands/waiting.h"
#include "app/runs/run_control.h"
#include "core/record/runs/checkpoint_folder.h"

namespace fathom {

namespace {

Result<CommandOutput> resumeRunCommand(const CommandContext& context, Progress& progress,
                                       const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const ControlTarget target, findControlTarget(*library, context.options.text("run")));
  FATHOM_CHECK(checkpointsCanBeSeen(target.path));
  FATHOM_TRY(QueueEntry entry, resumeEntry(context.project, target.path));
  FATHOM_TRY(const AskedPlace place, askedPlace(context.project, context.options));
  if (entry.script.given()) FATHOM_CHECK(checkStartsScripts(place));
  entry.place = place.id;
  if (!entry.script.given() && listCheckpoints(target.path).empty())
    context.say(
        "the run has no checkpoint: it starts at update 0 again, and what it logged before stays as an "
        "attempt of its own");
  return queueAndMaybeWait(context, std::move(entry), true, progress, stop);
}

}  // namespace

Command resumeCommandEntry() {
  return {.id = "resume",
          .title = "Resume",
          .description = "Goes on with a run that was stopped or cut off, from its last checkpoint.",
          .group = "Run",
          .fields = {runField(), placeField(), waitField()},
          .required = {"run"},
          .positional = "run",
          .changesData = true,
          .run = resumeRunCommand};
}

}  // namespace fathom
