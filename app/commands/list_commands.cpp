// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runner/launcher.h"
#include "app/text_table.h"
#include "views/figures/figure_entry.h"

namespace fathom {

namespace {

Result<CommandOutput> listCommands(const CommandContext&, Progress&, const StopToken&) {
  CommandOutput output;
  output.json["commands"] = Json::array();
  TextTable table({"command", "what it does"});
  for (const Command& command : commandEntries()) {
    output.json["commands"].push_back(commandToJson(command));
    table.addRow({command.id, command.description});
  }
  output.json["figures"] = Json::array();
  for (const FigureEntry& figure : figures())
    output.json["figures"].push_back({{"id", figure.id},
                                      {"title", figure.title},
                                      {"reference", figure.reference},
                                      {"fields", OptionSchema(figure.fields, {}).toJson()["fields"]}});
  // Keys of places are texts of commands, too: they are given to add-place.
  output.json["launchers"] = Json::array();
  for (const LauncherEntry& launcher : launcherEntries())
    output.json["launchers"].push_back(
        {{"id", launcher.id},
         {"resources", OptionSchema(launcher.resources, {}).toJson()["fields"]},
         {"limits", OptionSchema(launcher.limits, {}).toJson()["fields"]}});
  output.text = table.text();
  return output;
}

}  // namespace

Command listCommandsEntry() {
  return {.id = "commands",
          .title = "List commands",
          .description = "Lists every command with its options.",
          .group = "Tools",
          .needsProject = false,
          .run = listCommands};
}

}  // namespace fathom
