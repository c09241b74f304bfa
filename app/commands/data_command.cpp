// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command.h"
#include "app/runs/data_choice.h"
#include "app/text_table.h"
#include "core/base/text/shell_word.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

std::string dataText(const DataChoice& choice, const std::string& path) {
  std::string text = choice.kind->title + ", for the task " + choice.kind->task + "\n\n";
  TextTable options({"option", "value"});
  for (const auto& [key, value] : choice.found.options.items())
    options.addRow({key, value.is_string() ? value.get<std::string>() : value.dump()});
  text += options.text();
  for (const MissingData& missing : choice.found.missing)
    text += std::string(missing.needed ? "\nmissing: " : "\nnot there, and not needed: ") +
            missing.what.english() + " (" + missing.key + "); " + missing.get.english() + "\n";
  if (!choice.found.missing.empty()) text += "\n" + choice.kind->source.english() + "\n";
  return text + "\nfathom train --preset " + choice.kind->preset + " --data " + shellWord(path) +
         " --project DIR\n";
}

Result<CommandOutput> tellData(const CommandContext& context, Progress&, const StopToken&) {
  const std::string path = context.options.text("path");
  FATHOM_TRY(const DataChoice choice, chooseData(path, context.options.text("task")));
  CommandOutput output;
  output.json["kind"] = choice.kind->id;
  output.json["title"] = choice.kind->title;
  output.json["task"] = choice.kind->task;
  output.json["preset"] = choice.kind->preset;
  output.json["source"] = choice.kind->source.english();
  output.json["options"] = choice.found.options;
  output.json["missing"] = Json::array();
  for (const MissingData& missing : choice.found.missing)
    output.json["missing"].push_back({{"key", missing.key},
                                      {"what", missing.what.english()},
                                      {"get", missing.get.english()},
                                      {"needed", missing.needed}});
  if (!context.json) output.text = dataText(choice, path);
  return output;
}

}  // namespace

Command dataCommandEntry() {
  return {
      .id = "data",
      .title = "Look at a data set",
      .description =
          "Tells what data set a folder or file is of, which options its files are, what is missing and "
          "where to get it.",
      .group = "Tools",
      .fields = {pathField("path", "Folder or file", "Of Spider, a GLUE task, SQuAD, Tatoeba, WikiText …"),
                 textField("task", "Task", "The one that is wanted where several read it.")},
      .required = {"path"},
      .positional = "path",
      .needsProject = false,
      .run = tellData};
}

}  // namespace fathom
