// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/command.h"
#include "core/library/run_listing.h"
#include "core/record/run_archive.h"

namespace fathom {

namespace {

Result<CommandOutput> exportRun(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const RunRow row, findRun(*library, context.options.text("run")));
  const std::string out = context.options.text("out");
  FATHOM_CHECK(exportRunArchive(row.path, out, context.options.flag("checkpoints"), progress, stop));
  std::error_code code;
  const std::uint64_t bytes = std::filesystem::file_size(out, code);
  CommandOutput output;
  output.json = {{"format", 1}, {"run", row.identity.uuid}, {"file", out}, {"bytes", code ? 0 : bytes}};
  output.text = "wrote " + out + "\n";
  return output;
}

}  // namespace

Command exportRunCommandEntry() {
  Command command;
  command.id = "export-run";
  command.title = QT_TRANSLATE_NOOP("Command", "Export run");
  command.description = QT_TRANSLATE_NOOP(
      "Command", "Packs a run into one archive (.tar, .tar.gz or .tar.zst) that import-run reads.");
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.fields = {textField("run", QT_TRANSLATE_NOOP("Command", "Run"),
                              QT_TRANSLATE_NOOP("Command", "UUID, its beginning, name or path of the run.")),
                    pathField("out", QT_TRANSLATE_NOOP("Command", "File"),
                              QT_TRANSLATE_NOOP("Command", "Archive to write.")),
                    flagField("checkpoints", QT_TRANSLATE_NOOP("Command", "Checkpoints"),
                              QT_TRANSLATE_NOOP("Command", "Put the checkpoints in too."))};
  command.required = {"run", "out"};
  command.positional = "run";
  command.run = exportRun;
  return command;
}

}  // namespace fathom
