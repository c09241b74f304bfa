// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"
#include "core/base/errors/error_key.h"
#include "core/library/runs/run_looks.h"

namespace fathom {

namespace {

Result<CommandOutput> colourRuns(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  auto colour = colourText(context.options.text("to"));
  if (!colour.ok()) return aboutKey("to", colour.error());
  std::vector<ControlTarget> targets;
  for (const std::string& word : context.options.texts("runs")) {
    FATHOM_TRY(ControlTarget target, findControlTarget(*library, word));
    targets.push_back(std::move(target));
  }
  FATHOM_TRY(const auto all, library->allRunNotes());
  CommandOutput output;
  for (const ControlTarget& target : targets) {
    const auto known = all.find(target.uuid);
    RunNotes notes = known == all.end() ? RunNotes() : known->second;
    notes.colour = *colour;
    FATHOM_CHECK(library->setRunNotes(target.uuid, notes));
    addRunResult(output, target.uuid, target.name,
                 colour->empty() ? "has the colour of its configuration" : "has the colour " + *colour);
  }
  return output;
}

}  // namespace

Command colourCommandEntry() {
  Command command = runControlCommand(
      "colour", "Colour",
      "Gives runs a colour of their own: in the window, in tables and in every figure, also in stored ones.",
      colourRuns);
  command.fields.push_back(
      textField("to", "To", "blue, vermilion, green, purple, orange, sky, #rrggbb, or automatic."));
  command.required.push_back("to");
  return command;
}

}  // namespace fathom
