// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStandardPaths>
#include <filesystem>

#include "app/command.h"
#include "app/runner/queue_start.h"
#include "app/sample_project.h"
#include "core/base/path_facts.h"
#include "core/base/phrase.h"

namespace fathom {

namespace {

Result<CommandOutput> openSample(const CommandContext& context, Progress& progress, const StopToken& stop) {
  std::string project = context.options.text("out");
  if (project.empty()) {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    project = data.toStdString() + "/fathom/sample.fathom";
  }
  project = absolutePath(project);
  progress.begin(Phrase::tr("making the sample").english, "", -1);
  FATHOM_TRY(const auto library, openSampleProject(project));
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(auto missing, sampleEntries(*library, engine));
  const std::size_t queued = missing.size();
  if (queued > 0) {
    FATHOM_TRY(const QueuedRuns started, queueRuns(project, std::move(missing)));
  }
  CommandOutput output;
  output.json = {{"format", 1}, {"project", project}, {"queued", queued}};
  output.text = "sample project " + project + ": " + std::to_string(queued) + " runs queued\n";
  if (!context.json) output.openProject = project;
  return output;
}

}  // namespace

Command openSampleCommandEntry() {
  Command command;
  command.id = "open-sample";
  command.title = QT_TRANSLATE_NOOP("Command", "Open the sample");
  command.description = QT_TRANSLATE_NOOP("Command",
                                          "Makes the sample project, starts its runs and shows it in the "
                                          "window (with --json: without a window).");
  command.group = QT_TRANSLATE_NOOP("Command", "Project");
  command.needsProject = false;
  command.changesData = true;
  command.fields = {
      pathField("out", QT_TRANSLATE_NOOP("Command", "Project"),
                QT_TRANSLATE_NOOP("Command", "Project folder; otherwise one in the user's data folder."))};
  command.run = openSample;
  return command;
}

}  // namespace fathom
