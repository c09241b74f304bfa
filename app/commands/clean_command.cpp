// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/commands/command.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "core/record/checkpoint_folder.h"
#include "core/record/run_lock.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

struct Removable {
  std::string kind;  // "trash", "checkpoint", "half-written"
  std::string path;
  std::uint64_t bytes = 0;
};

std::uint64_t bytesOf(const fs::path& path) {
  std::error_code code;
  if (fs::is_regular_file(path, code)) return fs::file_size(path, code);
  std::uint64_t bytes = 0;
  for (const auto& item : fs::recursive_directory_iterator(path, code)) {
    if (item.is_regular_file(code)) bytes += item.file_size(code);
  }
  return bytes;
}

void addHalfWritten(const std::string& runPath, std::vector<Removable>& found) {
  std::error_code code;
  for (const auto& item : fs::directory_iterator(RunFolder(runPath).checkpointsPath(), code)) {
    const std::string name = item.path().filename();
    const bool half = item.path().extension() == ".tmp" || name == ".trash";
    if (half) found.push_back({"half-written", item.path(), bytesOf(item.path())});
  }
}

void addOldCheckpoints(const std::string& runPath, const RetentionPolicy& policy,
                       std::vector<Removable>& found) {
  std::vector<RetentionItem> items;
  const auto all = listCheckpoints(runPath);
  for (const CheckpointManifest& m : all) items.push_back({m.name, m.attempt, m.step, m.score()});
  for (const std::string& name : checkpointsToDelete(policy, items)) {
    const std::string path = RunFolder(runPath).checkpointsPath() + "/" + name;
    found.push_back({"checkpoint", path, bytesOf(path)});
  }
}

Status removeAll(ProjectLibrary& library, const std::vector<RunRow>& rows, const RetentionPolicy& policy) {
  FATHOM_TRY(const std::uint64_t freed, library.emptyTrash());
  (void)freed;
  for (const RunRow& row : rows) {
    if (runLockHolder(row.path)) continue;
    sweepCheckpoints(row.path);
    FATHOM_TRY(const auto gone, applyRetention(row.path, policy));
    (void)gone;
  }
  return {};
}

Result<CommandOutput> clean(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto rows, listRuns(*library));
  const RetentionPolicy policy{static_cast<int>(context.options.integer("keep-last")),
                               static_cast<int>(context.options.integer("keep-best")), 0};
  std::vector<Removable> found;
  std::error_code code;
  for (const auto& item : fs::directory_iterator(library->trashPath(), code)) {
    found.push_back({"trash", item.path(), bytesOf(item.path())});
  }
  progress.begin("looking", "runs", static_cast<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (stop.stopRequested()) return interruptedError();
    if (!runLockHolder(rows[i].path)) {
      addHalfWritten(rows[i].path, found);
      addOldCheckpoints(rows[i].path, policy, found);
    }
    progress.report(static_cast<double>(i + 1));
  }
  const bool apply = context.options.flag("apply");
  if (apply) FATHOM_CHECK(removeAll(*library, rows, policy));
  CommandOutput output;
  std::uint64_t total = 0;
  TextTable table({"what", "MB", "path"});
  output.json = {{"format", 1}, {"applied", apply}, {"bytes", 0}, {"items", Json::array()}};
  for (const Removable& item : found) {
    if (apply && fs::exists(item.path, code)) continue;  // in use meanwhile: it stayed
    total += item.bytes;
    output.json["items"].push_back({{"kind", item.kind}, {"path", item.path}, {"bytes", item.bytes}});
    table.addRow({item.kind, shownNumber(static_cast<double>(item.bytes) / 1e6), item.path});
  }
  output.json["bytes"] = total;
  output.text = output.json["items"].empty() ? "nothing to remove\n" : table.text();
  if (!output.json["items"].empty()) {
    const std::string size = shownNumber(static_cast<double>(total) / 1e6) + " MB";
    output.text += apply ? "removed " + size + "\n" : "would remove " + size + "; do it with --apply\n";
  }
  return output;
}

}  // namespace

Command cleanCommandEntry() {
  Command command;
  command.id = "clean";
  command.title = QT_TRANSLATE_NOOP("Command", "Clean up");
  command.description = QT_TRANSLATE_NOOP("Command",
                                          "Shows what could be removed (trash, half-written files, "
                                          "checkpoints beyond those kept); --apply removes it.");
  command.group = QT_TRANSLATE_NOOP("Command", "Project");
  command.changesData = true;
  command.inMenu = true;
  command.fields = {
      integerField("keep-last", QT_TRANSLATE_NOOP("Command", "Keep last"),
                   QT_TRANSLATE_NOOP("Command", "Newest checkpoints of each run to keep."), 1, 1, 1e6),
      integerField("keep-best", QT_TRANSLATE_NOOP("Command", "Keep best"),
                   QT_TRANSLATE_NOOP("Command", "Best checkpoints of each run to keep."), 1, 0, 1e6),
      flagField("apply", QT_TRANSLATE_NOOP("Command", "Remove"),
                QT_TRANSLATE_NOOP("Command", "Remove instead of only showing."))};
  command.run = clean;
  return command;
}

}  // namespace fathom
