// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command.h"
#include "app/commands/run_control_commands.h"
#include "core/base/files/path_facts.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/run_archive.h"

namespace fathom {

namespace {

Result<CommandOutput> exportRun(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const RunRow row, findRun(*library, context.options.text("run")));
  const std::string out = context.options.text("out");
  FATHOM_CHECK(exportRunArchive(row.path, out, context.options.flag("checkpoints"), progress, stop));
  CommandOutput output;
  output.json = {{"format", 1}, {"run", row.identity.uuid}, {"file", out}, {"bytes", fileBytes(out)}};
  output.text = "wrote " + out + "\n";
  return output;
}

}  // namespace

Command exportRunCommandEntry() {
  return {.id = "export-run",
          .title = "Export run",
          .description = "Packs a run into one archive (.tar, .tar.gz or .tar.zst) that import-run reads.",
          .group = "Run",
          .fields = {runField(), pathField("out", "File", "Archive to write."),
                     flagField("checkpoints", "Checkpoints", "Put the checkpoints in too.")},
          .required = {"run", "out"},
          .positional = "run",
          .writes = {"out"},
          .run = exportRun};
}

}  // namespace fathom
