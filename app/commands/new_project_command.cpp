// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command.h"
#include "core/base/files/path_facts.h"
#include "core/library/records/project_library.h"

namespace fathom {

namespace {

Result<CommandOutput> newProject(const CommandContext& context, Progress&, const StopToken&) {
  const std::string path = absolutePath(context.options.text("out"));
  FATHOM_TRY(const auto library, ProjectLibrary::create(path));
  CommandOutput output;
  output.json = {{"format", 1}, {"project", library->path()}};
  output.text = "made the project " + library->path() + "\n";
  return output;
}

}  // namespace

Command newProjectCommandEntry() {
  return {.id = "new-project",
          .title = "New project",
          .description = "Makes an empty project folder.",
          .group = "Project",
          .fields = {pathField("out", "Folder", "Folder to make, usually NAME.fathom.")},
          .required = {"out"},
          .positional = "out",
          .needsProject = false,
          .changesData = true,
          .run = newProject};
}

}  // namespace fathom
