// SPDX-License-Identifier: GPL-3.0-or-later
#include <QStandardPaths>

#include "app/command.h"
#include "app/runner/queue_start.h"
#include "app/sample/sample_analyses.h"
#include "app/sample/sample_project.h"
#include "app/sample/trained_run.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/path_facts.h"

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
  const bool fresh = !isSampleProject(project);  // a run that somebody deleted does not come back
  FATHOM_TRY(const auto library, openSampleProject(project));
  if (fresh) FATHOM_CHECK(placeTrainedRun(*library, progress, stop));
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
  return {.id = "open-sample",
          .title = "Open the sample",
          .description =
              "Makes the sample project, with a run that was trained before, starts its runs and shows it in "
              "the window (with --json: without a window).",
          .group = "Project",
          .fields = {pathField("out", "Project", "Project folder; otherwise one in the user's data folder.")},
          .needsProject = false,
          .changesData = true,
          .run = openSample};
}

}  // namespace fathom
