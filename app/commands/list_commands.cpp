// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/text_table.h"

namespace fathom {

namespace {

Result<CommandOutput> listCommands(const CommandContext&, Progress&, const StopToken&) {
  CommandOutput output;
  output.json["format"] = 1;
  output.json["commands"] = Json::array();
  TextTable table({"command", "what it does"});
  for (const Command& command : commandEntries()) {
    output.json["commands"].push_back(commandToJson(command));
    table.addRow({command.id, command.description});
  }
  output.text = table.text();
  return output;
}

}  // namespace

Command listCommandsEntry() {
  Command command;
  command.id = "commands";
  command.title = QT_TRANSLATE_NOOP("Command", "List commands");
  command.description = QT_TRANSLATE_NOOP("Command", "Lists every command with its options.");
  command.group = QT_TRANSLATE_NOOP("Command", "Tools");
  command.needsProject = false;
  command.run = listCommands;
  return command;
}

}  // namespace fathom
