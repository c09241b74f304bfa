// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"

#include "core/base/files/atomic_file.h"
#include "core/base/options/entry_table.h"

namespace fathom {

void CommandOutput::wrote(const std::string& file) {
  json["files"].push_back(file);
  text += "wrote " + file + "\n";
}

const Command* findCommand(std::string_view id) {
  return findEntry(commandEntries(), id);
}

std::string commandCall(const Command& command) {
  return command.id.empty() ? command.program : command.program + " " + command.id;
}

Result<CommandOutput> runCommand(const Command& command, const CommandContext& context, Progress& progress,
                                 const StopToken& stop) {
  for (const std::string& key : command.writes) {
    const std::string path = context.options.text(key);
    if (!path.empty()) FATHOM_CHECK(prepareNamedFile(path));
  }
  return command.run(context, progress, stop);
}

Json commandToJson(const Command& command) {
  Json json;
  json["id"] = command.id;
  json["title"] = command.title;
  json["description"] = command.description;
  json["group"] = command.group;
  json["needs_project"] = command.needsProject;
  json["changes_data"] = command.changesData;
  json["fields"] = OptionSchema(command.fields, {}).toJson()["fields"];
  json["required"] = command.required;
  json["positional"] = command.positional;
  return json;
}

}  // namespace fathom
