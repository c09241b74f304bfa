// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "app/command.h"
#include "app/text_table.h"
#include "core/base/files/path_look.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/field_builder.h"
#include "core/imports/import_entry.h"
#include "core/imports/run_import.h"
#include "core/imports/source_follower.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

namespace {

Json runJson(const RunImport& run) {
  Json json = {{"uuid", run.uuid},     {"name", run.name},       {"path", run.runPath},
               {"points", run.points}, {"metrics", run.metrics}, {"options", run.options}};
  writePhrases(json, "warnings", run.warnings);
  return json;
}

// "run" is there when there is one; points, metrics and warnings are those of all.
Json reportJson(const ImportReport& report) {
  Json json;
  json["format"] = 1;
  if (report.runs.size() == 1)
    json["run"] = {{"uuid", report.runs.front().uuid}, {"path", report.runs.front().runPath}};
  json["runs"] = Json::array();
  std::int64_t points = 0;
  std::set<std::string> metrics;
  std::vector<Phrase> warnings;
  for (const RunImport& run : report.runs) {
    json["runs"].push_back(runJson(run));
    points += run.points;
    metrics.insert(run.metrics.begin(), run.metrics.end());
    warnings.insert(warnings.end(), run.warnings.begin(), run.warnings.end());
  }
  json["source_format"] = report.format;
  json["points"] = points;
  json["metrics"] = metrics.size();
  writePhrases(json, "warnings", warnings);
  return json;
}

std::string reportText(const ImportReport& report) {
  std::string text;
  if (report.runs.size() == 1) {
    const RunImport& run = report.runs.front();
    text = "imported run " + run.uuid + " (" + report.format + "): " + std::to_string(run.points) +
           " points of " + std::to_string(run.metrics.size()) + " metrics, " +
           std::to_string(run.options.size()) + " options\n";
  } else {
    TextTable table({"run", "name", "points", "metrics", "options"});
    for (const RunImport& run : report.runs)
      table.addRow({run.uuid.substr(0, 8), run.name, std::to_string(run.points),
                    std::to_string(run.metrics.size()), std::to_string(run.options.size())});
    text =
        "imported " + std::to_string(report.runs.size()) + " runs (" + report.format + ")\n" + table.text();
  }
  for (const RunImport& run : report.runs)
    for (const Phrase& warning : run.warnings)
      text += "warning: " + (report.runs.size() == 1 ? "" : run.name + ": ") + warning.english() + "\n";
  return text;
}

constexpr double kQuietAfterEnd = 60;   // some programs write on after the word for their end
constexpr double kQuietForGood = 3600;  // of a source that has no word for it
constexpr auto kBetweenLooks = std::chrono::milliseconds(250);
constexpr int kMostLooksLeftOut = 40;  // of a source that cannot be read, or of a full disk

// Until the next look; the longer the more of them failed.
void waitForLook(int failed, const StopToken& stop) {
  const int looks = 1 + std::min(failed, kMostLooksLeftOut);
  for (int i = 0; i < looks && !stop.stopRequested(); ++i) std::this_thread::sleep_for(kBetweenLooks);
}

CommandOutput followOutput(const SourceFollower& follower, std::int64_t points) {
  CommandOutput output;
  output.json["source_format"] = follower.format();
  output.json["points"] = points;
  output.json["runs"] = Json::array();
  TextTable table({"run", "name", "state"});
  for (const std::string& path : follower.runPaths()) {
    const RunFolder run(path);
    const auto identity = run.identity();
    if (!identity.ok()) continue;
    output.json["runs"].push_back({{"uuid", identity->uuid},
                                   {"name", identity->name},
                                   {"path", path},
                                   {"state", runStateName(run.state())}});
    table.addRow({identity->uuid.substr(0, 8), identity->name, runStateName(run.state())});
  }
  output.text = "followed " + std::to_string(output.json["runs"].size()) + " runs (" + follower.format() +
                "): " + std::to_string(points) + " points came\n" + table.text();
  return output;
}

// Until every run has said how it ended, nothing has come for an hour, or it is stopped: what was read is
// kept, and the next follower of the source goes on there.
Result<CommandOutput> follow(const CommandContext& context, const ProjectLibrary& library,
                             ImportOptions import, const StopToken& stop) {
  const std::string source = context.options.text("source");
  import.follow = true;
  FATHOM_TRY(const auto follower, SourceFollower::open({source, library.runsPath(),
                                                        followRecord(library.path(), source), import}));
  std::int64_t points = 0;
  std::string said;
  bool read = false;
  int failed = 0;
  while (!stop.stopRequested()) {
    const auto grown = follower->poll(stop);
    if (!grown.ok() && grown.error().kind == ErrorKind::Interrupted) break;
    if (!grown.ok() && !read) return grown.error();
    if (!grown.ok() && grown.error().text() != said) context.say(said = grown.error().text());
    failed = grown.ok() ? 0 : failed + 1;
    if (grown.ok()) {
      read = true;
      said.clear();
      points += grown->points;
      for (const std::string& path : grown->fresh) context.say("following as " + path);
    }
    const bool over =
        follower->allEnded() ? follower->sinceGrowth() > kQuietAfterEnd : follower->quiet() > kQuietForGood;
    if (over) {
      const auto rest = follower->close();
      if (!rest.ok()) return rest.error();
      points += rest->points;
      break;
    }
    waitForLook(failed, stop);
  }
  follower->rest();
  return followOutput(*follower, points);
}

Result<CommandOutput> importRunCommand(const CommandContext& context, Progress& progress,
                                       const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  const std::string source = context.options.text("source");
  FATHOM_TRY(const bool there, isThere(source));
  if (!there) return dataErrorAt(source, 0, Phrase::tr("there is no such file or folder"));
  ImportOptions options;
  options.format = context.options.text("format");
  options.name = context.options.text("name");
  options.stepColumn = context.options.text("step-column");
  options.timeColumn = context.options.text("time-column");
  options.runColumn = context.options.text("run-column");
  options.folderOf = [&library](const std::string& uuid) -> Result<std::string> {
    FATHOM_TRY(const auto index, CurveIndex::open(library->path()));
    return RunListing(*library, index.get()).pathOf(uuid);
  };
  if (context.options.flag("follow")) return follow(context, *library, options, stop);
  FATHOM_TRY(const ImportReport report, importRuns(source, library->runsPath(), options, progress, stop));
  std::vector<std::string> uuids;
  for (const RunImport& run : report.runs) uuids.push_back(run.uuid);
  if (const Status kept = keepLooks(*library, uuids); !kept.ok())
    context.say("colours are given when the runs are listed: " + kept.error().message);
  CommandOutput output;
  output.json = reportJson(report);
  output.text = reportText(report);
  return output;
}

}  // namespace

Command importRunCommandEntry() {
  std::vector<OptionChoice> formats = {{"auto", "As it looks"}};
  for (const ImportEntry& entry : importEntries()) formats.push_back({entry.id, entry.title});
  OptionField format = choiceField("format", "Format", "What the source is.", formats);
  return {
      .id = "import-run",
      .title = "Import run",
      .description =
          "Brings runs into the project: a run folder or archive, CSV and JSON lines (one run per value of "
          "their run column), TensorBoard (one run per folder of events), files of wandb, Hugging Face's "
          "trainer_state.json, folders of Lightning's CSVLogger, a fairseq log.",
      .group = "Run",
      .fields =
          {pathField("source", "Source", "File or folder."), format,
           flagField(
               "follow", "Follow",
               "Goes on reading while the source grows: the runs are live. Until they end, nothing comes for "
               "an hour, or it is stopped; said again, it goes on where it was."),
           textField("name", "Name", "Name of the run; otherwise the source's. Of several: its beginning."),
           textField("step-column", "Step column",
                     "CSV: column of the updates; otherwise the one called step."),
           textField("time-column", "Time column",
                     "CSV: column of the seconds; otherwise the one called time."),
           textField("run-column", "Run column",
                     "CSV: column that tells the runs apart; otherwise the one called run.")},
      .required = {"source"},
      .positional = "source",
      .changesData = true,
      .inMenu = true,
      .run = importRunCommand};
}

}  // namespace fathom
