// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "app/command.h"
#include "core/base/path_facts.h"
#include "core/library/project_library.h"

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
  Command command;
  command.id = "new-project";
  command.title = QT_TRANSLATE_NOOP("Command", "New project");
  command.description = QT_TRANSLATE_NOOP("Command", "Makes an empty project folder.");
  command.group = QT_TRANSLATE_NOOP("Command", "Project");
  command.needsProject = false;
  command.changesData = true;
  command.fields = {pathField("out", QT_TRANSLATE_NOOP("Command", "Folder"),
                              QT_TRANSLATE_NOOP("Command", "Folder to make, usually NAME.fathom."))};
  command.required = {"out"};
  command.positional = "out";
  command.run = newProject;
  return command;
}

}  // namespace fathom
