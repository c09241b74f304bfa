// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/commands/run_control_commands.h"
#include "core/base/text/text_list.h"
#include "core/library/runs/run_listing.h"
#include "core/library/runs/run_trash.h"

namespace fathom {

namespace {

bool fits(const TrashedRun& run, const std::string& word) {
  return run.identity.uuid == word || run.name == word || run.identity.name == word || run.path == word ||
         (word.size() >= 4 && run.identity.uuid.rfind(word, 0) == 0);
}

// One that was deleted twice has its UUID twice: only the folders differ.
Error severalFit(const std::string& word, const std::vector<const TrashedRun*>& found) {
  const std::string& first = found.front()->identity.uuid;
  const bool sameRun = std::all_of(found.begin(), found.end(),
                                   [&](const TrashedRun* run) { return run->identity.uuid == first; });
  const std::string choices =
      joined(found, ", ", [&](const TrashedRun* run) { return sameRun ? run->path : run->identity.uuid; });
  return usageError(Phrase::tr("several runs in the trash fit '%1'")(word),
                    (sameRun ? Phrase::tr("give the path: %1") : Phrase::tr("give the UUID: %1"))(choices));
}

CommandOutput listTrash(const std::vector<TrashedRun>& trashed) {
  CommandOutput output;
  output.json = {{"format", 1}, {"trash", Json::array()}};
  for (const TrashedRun& run : trashed) {
    output.json["trash"].push_back({{"uuid", run.identity.uuid}, {"name", run.name}, {"path", run.path}});
    output.text += run.identity.uuid.substr(0, 8) + "  " + run.name + "\n";
  }
  if (trashed.empty()) output.text = "the trash is empty\n";
  return output;
}

Result<CommandOutput> restoreRuns(const CommandContext& context, Progress&, const StopToken&) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto trashed, trashedRuns(*library));
  CommandOutput output;
  if (context.options.texts("runs").empty()) return listTrash(trashed);
  for (const std::string& word : context.options.texts("runs")) {
    std::vector<const TrashedRun*> found;
    for (const TrashedRun& run : trashed)
      if (fits(run, word)) found.push_back(&run);
    if (found.size() > 1) return severalFit(word, found);
    if (found.empty()) {
      return unavailableError(Phrase::tr("there is no run '%1' in the trash of %2")(word, context.project),
                              Phrase::tr("without runs this command tells which are in it"));
    }
    FATHOM_TRY(const std::string path, restoreRun(*library, found.front()->path));
    addRunResult(output, found.front()->identity.uuid, found.front()->name, "brought back to " + path);
  }
  return output;
}

}  // namespace

Command restoreCommandEntry() {
  Command command = runControlCommand(
      "restore", "Restore", "Brings deleted runs back from the trash; without runs: tells which are in it.",
      restoreRuns);
  command.required.clear();
  return command;
}

}  // namespace fathom
