// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "app/command.h"
#include "app/recipes/figure_builder.h"
#include "app/runner/queue_start.h"
#include "app/runner/run_watch.h"
#include "app/runner/runner.h"
#include "app/runs/run_json.h"
#include "app/sample/sample_project.h"
#include "app/text_table.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/record/runs/run_verdict.h"
#include "views/figures/figure_entry.h"
#include "views/files/neighbour_file.h"

namespace fathom {

namespace {

constexpr double kExpectedBleu = 95;

// All sample runs as one bar, by the cost of their updates; what they report goes to the person, named.
class SampleProgress {
 public:
  SampleProgress(Progress& progress, const CommandContext& context)
      : m_progress(progress), m_context(context) {
    for (const SampleRun& run : sampleRuns()) m_total += run.cost * static_cast<double>(run.updates);
  }
  void begin() { m_progress.begin(Phrase::tr("training").english, "%", 100); }
  void poll(const RunnerStatus& status) {
    for (const QueueEntry& entry : status.active) {
      const std::string name = entry.config.value("name", "");
      auto found = m_watches.find(name);
      if (found == m_watches.end()) found = m_watches.emplace(name, RunWatch(entry.runPath)).first;
    }
    double done = 0;
    for (auto& [name, watch] : m_watches) {
      watch.poll([&, who = name](const std::string& line) { m_context.say(who + ": " + line); });
    }
    for (const SampleRun& run : sampleRuns()) {
      const auto found = m_watches.find(run.name);
      const bool earlier = found == m_watches.end() && m_done.count(run.name);
      const std::int64_t step = earlier ? run.updates : found == m_watches.end() ? 0 : found->second.step();
      done += run.cost * static_cast<double>(std::min(step, run.updates));
    }
    m_progress.report(100 * done / m_total);
  }
  void setDone(const std::vector<RunRow>& rows) {
    for (const RunRow& row : rows) {
      if (row.state == RunState::Finished || row.state == RunState::Diverged) m_done[row.name] = true;
    }
  }

 private:
  Progress& m_progress;
  const CommandContext& m_context;
  std::map<std::string, RunWatch> m_watches;
  std::map<std::string, bool> m_done;
  double m_total = 0;
};

// A stopped quick start leaves no engine and no entry behind: engines save and end, and the next quick start
// resumes their runs. Whoever does not end in time is watched on by the next runner.
void stopEngines(const std::string& project) {
  constexpr auto kPatience = std::chrono::seconds(20);
  const QueueFolder queue(project);
  const auto entries = queue.entries();
  if (!entries) return;
  const auto ours = [](const QueueEntry& entry) { return entry.claimer == thisProcess(); };
  for (const QueueEntry& entry : *entries)
    if (ours(entry) && runLockHolder(entry.runPath)) (void)sendControl(entry.runPath, "stop").ok();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (const QueueEntry& entry : *entries) {
    if (!ours(entry)) continue;
    while (runLockHolder(entry.runPath) && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto run = RunFolder::open(entry.runPath);
    if (run.ok() && run->state() == RunState::Stopped) (void)queue.remove(entry.uuid).ok();
  }
}

Status trainAll(ProjectLibrary& library, const CommandContext& context, Progress& progress,
                const StopToken& stop) {
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(auto missing, sampleEntries(library, engine));
  FATHOM_TRY(const auto queued, addRuns(library.path(), std::move(missing)));
  if (queued.empty()) context.say("every run is there already");
  FATHOM_TRY(RunnerOptions options, runnerOptions(library.path(), stop));
  SampleProgress bar(progress, context);
  FATHOM_TRY(const auto before, sampleRunRows(library));
  bar.setDone(before);
  bar.begin();
  options.onPoll = [&bar](const RunnerStatus& status) { bar.poll(status); };
  Runner runner(std::move(options));
  FATHOM_TRY(const auto status, runner.run(stop));
  progress.finish();
  if (!status)
    return unavailableError(Phrase::tr("another runner works on %1")(library.path()),
                            Phrase::tr("wait until it has ended"));
  if (stop.stopRequested()) {
    stopEngines(library.path());
    return interruptedError(Phrase::tr("stopped; the same command goes on from here"));
  }
  return {};
}

// The three runs of twelve layers in one figure.
Status drawFigure(ProjectLibrary& library, const std::vector<RunRow>& rows, const std::string& file,
                  FigureChecks& found) {
  FigureRecipe recipe;
  recipe.name = "quick start";
  recipe.figure = "training_curve";
  recipe.style = "acl";
  recipe.options = {{"metric", "nll"}, {"smoothing", 0.8}};
  std::vector<RunRow> deep;
  for (const RunRow& row : rows) {
    if (row.preset == "sample_deep_short") deep.push_back(row);
  }
  for (const RunRow& row : deep) {
    recipe.runs.push_back(row.identity.uuid);
    recipe.created = std::max(recipe.created, row.finishedAt);
  }
  FATHOM_TRY(const auto known, figureRecipes(library));
  for (const FigureRecipe& other : known) {
    if (other.name == recipe.name) recipe.uuid = other.uuid;
  }
  FATHOM_TRY(FigureSpec spec, buildAndPin(recipe, library.path(), deep));
  FATHOM_TRY(recipe.uuid, saveFigureRecipe(library, recipe));
  return exportBuilt(recipe, std::move(spec), file, &found);
}

double metricOf(const RunRow& row, const char* metric) {
  const auto found = row.last.find(metric);
  return found == row.last.end() ? 0 : found->second;
}

CommandOutput summary(const std::string& project, const std::string& figure, const std::vector<RunRow>& rows,
                      double seconds) {
  CommandOutput output;
  TextTable table({"run", "outcome", "updates", "time", "validation nll", "BLEU"});
  output.json = {
      {"format", 1}, {"project", project}, {"figure", figure}, {"seconds", seconds}, {"runs", Json::array()}};
  bool good = rows.size() == sampleRuns().size();
  for (const RunRow& row : rows) {
    output.json["runs"].push_back(runJson(row));
    std::string state = runStateName(row.state);
    if (!row.cause.empty()) state += " (" + row.cause + ")";
    table.addRow({row.name, state, std::to_string(row.step), formatDuration(row.elapsed),
                  shownNumber(metricOf(row, "valid.nll")), shownNumber(metricOf(row, "valid.bleu"))});
    if (!isDone(row.state)) good = false;
    if (row.preset == "sample_small" && metricOf(row, "valid.bleu") < kExpectedBleu) good = false;
  }
  output.json["as_expected"] = good;
  output.text = table.text() + "\nfigure   " + figure + "\nproject  " + project + "\ntime     " +
                formatDuration(seconds) + "\n";
  if (!good)
    output.text += "not as expected: the small model should reach BLEU 95, and every run should end\n";
  output.exitCode = good ? 0 : 1;
  return output;
}

Result<CommandOutput> quickStart(const CommandContext& context, Progress& progress, const StopToken& stop) {
  const auto started = std::chrono::steady_clock::now();
  const std::string out = absolutePath(context.options.text("out"));
  const std::string project = out + "/sample.fathom";
  const std::string figure = out + "/training_curve.pdf";
  FATHOM_CHECK(checkNeighbour(figure));
  FATHOM_CHECK(checkFigureNeighbours(figure));
  FATHOM_CHECK(makeFolders(out));
  progress.begin(Phrase::tr("making the sample").english, "", -1);
  FATHOM_TRY(const auto library, openSampleProject(project));
  FATHOM_CHECK(trainAll(*library, context, progress, stop));
  FATHOM_TRY(const auto rows, sampleRunRows(*library));
  FATHOM_CHECK(checkNeighbour(figure));
  FigureChecks found;
  FATHOM_CHECK(drawFigure(*library, rows, figure, found));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  CommandOutput output = summary(project, figure, rows, seconds);
  for (const std::string& file : found.files) output.wrote(file);
  return output;
}

}  // namespace

Command quickStartCommandEntry() {
  return {.id = "quick-start",
          .title = "Quick start",
          .description =
              "Makes the sample, trains a small model and twelve layers under three schemes, and draws their "
              "curves.",
          .group = "Project",
          .fields = {pathField("out", "Folder", "Folder for project and figure; made if missing.")},
          .required = {"out"},
          .needsProject = false,
          .changesData = true,
          .needsPainter = true,
          .run = quickStart};
}

}  // namespace fathom
