// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"

#include "core/base/options/entry_table.h"

namespace fathom {

void CommandOutput::wrote(const std::string& file) {
  json["files"].push_back(file);
  text += "wrote " + file + "\n";
}

const Command* findCommand(std::string_view id) {
  return findEntry(commandEntries(), id);
}

Json commandToJson(const Command& command) {
  Json json;
  json["id"] = command.id;
  json["title"] = command.title;
  json["description"] = command.description;
  json["group"] = command.group;
  json["needs_project"] = command.needsProject;
  json["changes_data"] = command.changesData;
  json["in_menu"] = command.inMenu;
  json["fields"] = OptionSchema(command.fields, {}).toJson()["fields"];
  json["required"] = command.required;
  json["positional"] = command.positional;
  return json;
}

}  // namespace fathom
