// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"

namespace fathom {

Command runControlCommand(const char* id, const char* title, const char* description) {
  Command command;
  command.id = id;
  command.title = title;
  command.description = description;
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.changesData = true;
  command.fields = {
      listField("runs", QT_TRANSLATE_NOOP("Command", "Runs"),
                QT_TRANSLATE_NOOP("Command", "UUID, its beginning, name or path of each run."))};
  command.required = {"runs"};
  command.positional = "runs";
  return command;
}

void addRunResult(CommandOutput& output, const std::string& uuid, const std::string& name,
                  const std::string& result) {
  output.json["format"] = 1;
  output.json["runs"].push_back({{"uuid", uuid}, {"name", name}, {"result", result}});
  output.text += uuid.substr(0, 8) + "  " + name + ": " + result + "\n";
}

}  // namespace fathom
