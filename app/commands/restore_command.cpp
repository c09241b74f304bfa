// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/commands/run_control_commands.h"
#include "core/library/run_listing.h"

namespace fathom {

namespace {

struct TrashedRun {
  std::string path;
  RunIdentity identity;
};

std::vector<TrashedRun> trashedRuns(const std::string& trash) {
  std::vector<TrashedRun> runs;
  std::error_code code;
  for (const auto& item : std::filesystem::directory_iterator(trash, code)) {
    const auto folder = RunFolder::open(item.path());
    if (!folder) continue;
    const auto identity = folder->identity();
    if (identity) runs.push_back({item.path(), *identity});
  }
  return runs;
}

bool fits(const TrashedRun& run, const std::string& word) {
  return run.identity.uuid == word || run.identity.name == word || run.path == word ||
         (word.size() >= 4 && run.identity.uuid.rfind(word, 0) == 0);
}

CommandOutput listTrash(const std::vector<TrashedRun>& trashed) {
  CommandOutput output;
  output.json = {{"format", 1}, {"trash", Json::array()}};
  for (const TrashedRun& run : trashed) {
    output.json["trash"].push_back({{"uuid", run.identity.uuid}, {"name", run.identity.name}});
    output.text += run.identity.uuid.substr(0, 8) + "  " + run.identity.name + "\n";
  }
  if (trashed.empty()) output.text = "the trash is empty\n";
  return output;
}

Result<CommandOutput> restoreRuns(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  const auto trashed = trashedRuns(library->trashPath());
  CommandOutput output;
  if (context.options.texts("runs").empty()) return listTrash(trashed);
  for (const std::string& word : context.options.texts("runs")) {
    const TrashedRun* found = nullptr;
    for (const TrashedRun& run : trashed) {
      if (!fits(run, word)) continue;
      if (found) return usageError("several runs in the trash fit '" + word + "'", "give the UUID");
      found = &run;
    }
    if (!found) return usageError("there is no run '" + word + "' in the trash of " + context.project);
    FATHOM_TRY(const std::string path, library->restoreRun(found->path));
    addRunResult(output, found->identity.uuid, found->identity.name, "brought back to " + path);
  }
  return output;
}

}  // namespace

Command restoreCommandEntry() {
  Command command = runControlCommand(
      "restore", QT_TRANSLATE_NOOP("Command", "Restore"),
      QT_TRANSLATE_NOOP("Command",
                        "Brings deleted runs back from the trash; without runs: tells which are in it."));
  command.inMenu = true;
  command.required.clear();
  command.run = restoreRuns;
  return command;
}

}  // namespace fathom
