// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_control_commands.h"

#include <utility>

namespace fathom {

OptionField runField() {
  return textField("run", "Run", "UUID, its beginning, name or path of the run.");
}

OptionField runsField() {
  return listField("runs", "Runs", "UUID, its beginning, name or path of each run.");
}

Command runControlCommand(const char* id, const char* title, const char* description,
                          decltype(Command::run) run) {
  return {.id = id,
          .title = title,
          .description = description,
          .group = "Run",
          .fields = {runsField()},
          .required = {"runs"},
          .positional = "runs",
          .changesData = true,
          .run = std::move(run)};
}

Result<CommandOutput> withEachRun(const CommandContext& context,
                                  Result<std::string> (*act)(const std::string& project,
                                                             const ControlTarget& target)) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  CommandOutput output;
  for (const std::string& word : context.options.texts("runs")) {
    FATHOM_TRY(const ControlTarget target, findControlTarget(*library, word));
    FATHOM_TRY(const std::string result, act(context.project, target));
    addRunResult(output, target.uuid, target.name, result);
  }
  return output;
}

void addRunResult(CommandOutput& output, const std::string& uuid, const std::string& name,
                  const std::string& result) {
  output.json["runs"].push_back({{"uuid", uuid}, {"name", name}, {"result", result}});
  output.text += uuid.substr(0, 8) + "  " + name + ": " + result + "\n";
}

}  // namespace fathom
