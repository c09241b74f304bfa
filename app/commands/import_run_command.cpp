// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "app/command.h"
#include "app/runner/followed_sources.h"
#include "app/text_table.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "core/imports/import_entry.h"
#include "core/imports/later_kinds.h"
#include "core/imports/preview/source_places.h"
#include "core/imports/run_import.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/runs/exit_code.h"

namespace fathom {

namespace {

constexpr JsonLimits kRecordJson{64, std::size_t{1} << 30, true};

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

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void addFollowed(const FollowedSource& one, CommandOutput& output, TextTable& table) {
  const std::string growth = one.follower->growth().phrase(secondsNow()).english();
  for (const std::string& path : one.follower->runPaths()) {
    const RunFolder run(path);
    const auto identity = run.identity();
    if (!identity.ok()) continue;
    output.json["runs"].push_back({{"uuid", identity->uuid},
                                   {"name", identity->name},
                                   {"path", path},
                                   {"state", runStateName(run.state())},
                                   {"growth", growth}});
    table.addRow({identity->uuid.substr(0, 8), identity->name, runStateName(run.state()), growth});
  }
}

CommandOutput followOutput(const std::vector<FollowedSource>& sources) {
  CommandOutput output;
  std::int64_t points = 0;
  output.json["runs"] = Json::array();
  output.json["failed"] = Json::array();
  TextTable table({"run", "name", "state", "source"});
  std::vector<std::string> formats;
  for (const FollowedSource& one : sources) {
    points += one.points;
    if (one.over && !one.said.empty())
      output.json["failed"].push_back({{"source", one.source}, {"error", one.said}});
    if (one.follower == nullptr) continue;
    addFollowed(one, output, table);
    const std::string format = one.follower->format();
    if (!format.empty() && std::find(formats.begin(), formats.end(), format) == formats.end())
      formats.push_back(format);
  }
  output.json["source_format"] = joined(formats);
  output.json["points"] = points;
  output.text = "followed " + std::to_string(output.json["runs"].size()) + " runs" +
                (formats.empty() ? "" : " (" + joined(formats) + ")") + ": " + std::to_string(points) +
                " points came\n" + table.text();
  return output;
}

// A format or name that was asked for goes before one that was found out.
ImportOptions optionsFor(const SourcePlace& place, ImportOptions options) {
  if (options.format == "auto") options.format = place.format;
  if (options.name.empty()) options.name = place.name;
  options.around = place.around;
  return options;
}

// Until every run has said how it ended, nothing has come for an hour, or it is stopped: what was read is
// kept, and the next follower of a source goes on there.
Result<CommandOutput> follow(const CommandContext& context, const ProjectLibrary& library,
                             const std::vector<SourcePlace>& places, ImportOptions import,
                             const StopToken& stop) {
  import.follow = true;
  import.placesIn = placesIn;
  FollowedSources sources([&context](const std::string& line) { context.say(line); });
  for (const SourcePlace& place : places) {
    const Status opened = sources.open({place.path, library.runsPath(),
                                        followRecord(library.path(), place.path), optionsFor(place, import)});
    if (!opened.ok() && places.size() == 1) return opened.error();
    if (!opened.ok()) context.say(opened.error().text());
  }
  const Status followed = sources.run(stop);
  sources.leave(false);
  if (!followed.ok()) return followed.error();
  return followOutput(sources.all());
}

// The sources in one that was named. One that was followed whole before it held several kinds stays whole.
Result<std::vector<SourcePlace>> placesOf(const std::string& source, const CommandContext& context,
                                          const std::string& project, const StopToken& stop) {
  if (context.options.text("format") != "auto") return std::vector<SourcePlace>{{source}};
  FATHOM_TRY(auto places, placesIn(source, stop));
  const auto record = context.options.flag("follow")
                          ? readJsonFile(followRecord(project, source), kRecordJson)
                          : Result<Json>(Json::object());
  const std::string whole = record.ok() ? memberText(*record, "entry") : std::string();
  const bool goesOn = std::any_of(places.begin(), places.end(), [&](const SourcePlace& place) {
    return absolutePath(place.path) == absolutePath(source) &&
           (place.format == "auto" || place.format == whole);
  });
  if (!whole.empty() && !goesOn) return std::vector<SourcePlace>{{source}};
  // A kind that came into it later is read on with the source that found it.
  if (context.options.flag("follow"))
    std::erase_if(places, [&](const SourcePlace& place) {
      const bool beside = isReadBeside(project, place);
      if (beside) context.say(readBesideNote(place.path).english());
      return beside;
    });
  return places;
}

// The named sources, each once; folders of several kinds as what is in them.
Result<std::vector<SourcePlace>> sourcesOf(const CommandContext& context, const ProjectLibrary& library,
                                           const StopToken& stop) {
  std::vector<std::string> sources = {context.options.text("source")};
  for (const std::string& more : context.options.texts("more"))
    if (std::find(sources.begin(), sources.end(), more) == sources.end()) sources.push_back(more);
  for (const std::string& source : sources) {
    FATHOM_TRY(const bool there, isThere(source));
    if (!there) return dataErrorAt(source, 0, Phrase::tr("there is no such file or folder"));
  }
  std::vector<SourcePlace> places;
  for (const std::string& source : sources) {
    FATHOM_TRY(const auto inside, placesOf(source, context, library.path(), stop));
    places.insert(places.end(), inside.begin(), inside.end());
  }
  return places;
}

// All sources that can be read; what cannot be is named. The error of the first where none could be.
Result<CommandOutput> importAll(const CommandContext& context, ProjectLibrary& library,
                                const std::vector<SourcePlace>& places, const ImportOptions& options,
                                Progress& progress, const StopToken& stop) {
  ImportReport all;
  std::vector<std::string> formats;
  std::optional<Error> first;
  Json failed = Json::array();
  CommandOutput output;
  for (const SourcePlace& place : places) {
    const std::string& source = place.path;
    auto report = importRuns(source, library.runsPath(), optionsFor(place, options), progress, stop);
    if (!report.ok() && report.error().kind == ErrorKind::Interrupted) return report.error();
    if (!report.ok()) {
      failed.push_back({{"source", source}, {"error", report.error().text()}});
      output.text += "not imported: " + report.error().text() + "\n";
      if (!first) first = report.error();
      continue;
    }
    if (std::find(formats.begin(), formats.end(), report->format) == formats.end())
      formats.push_back(report->format);
    std::move(report->runs.begin(), report->runs.end(), std::back_inserter(all.runs));
  }
  if (all.runs.empty() && first) return *first;
  all.format = joined(formats);
  std::vector<std::string> uuids;
  for (const RunImport& run : all.runs) uuids.push_back(run.uuid);
  if (const Status kept = keepLooks(library, uuids); !kept.ok())
    context.say("colours are given when the runs are listed: " + kept.error().message);
  output.json = reportJson(all);
  if (!failed.empty()) output.json["failed"] = failed;
  output.text = reportText(all) + output.text;
  if (first) output.exitCode = static_cast<int>(exitCodeFor(*first));
  return output;
}

// "NAME=USE": the last sign of equality counts, names may hold others.
Result<std::map<std::string, std::string>> columnUsesOf(const std::vector<std::string>& said) {
  std::map<std::string, std::string> uses;
  for (const std::string& one : said) {
    const std::size_t at = one.rfind('=');
    if (at == std::string::npos)
      return usageError(Phrase::tr("\"%1\" does not say what the column is")(one),
                        Phrase::tr("write NAME=USE, for instance reward=metric"));
    uses[one.substr(0, at)] = one.substr(at + 1);
  }
  return uses;
}

Result<CommandOutput> importRunCommand(const CommandContext& context, Progress& progress,
                                       const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  FATHOM_TRY(const auto sources, sourcesOf(context, *library, stop));
  ImportOptions options;
  options.format = context.options.text("format");
  options.name = context.options.text("name");
  options.stepColumn = context.options.text("step-column");
  options.timeColumn = context.options.text("time-column");
  options.runColumn = context.options.text("run-column");
  FATHOM_TRY(options.columns, columnUsesOf(context.options.texts("columns")));
  options.folderOf = [&library](const std::string& uuid) -> Result<std::string> {
    FATHOM_TRY(const auto index, CurveIndex::open(library->path()));
    return RunListing(*library, index.get()).pathOf(uuid);
  };
  if (context.options.flag("follow")) return follow(context, *library, sources, options, stop);
  return importAll(context, *library, sources, options, progress, stop);
}

}  // namespace

Command importRunCommandEntry() {
  std::vector<OptionChoice> formats = {{"auto", "As it looks"}};
  for (const ImportEntry& entry : importEntries()) formats.push_back({entry.id, entry.title});
  OptionField format = choiceField("format", "Format", "What the source is.", formats).alias("as");
  return {
      .id = "import-run",
      .title = "Import run",
      .description =
          "Brings runs into the project: a run folder or archive, CSV and JSON lines (one run per value of "
          "their run column), TensorBoard (one run per folder of events), files of wandb, Hugging Face's "
          "trainer_state.json, folders of Lightning's CSVLogger, projects of trackio, experiments of MLflow "
          "(files or SQLite), a fairseq log. Several may be named: what cannot be read is named, the others "
          "come in, and the exit code is that of the first error.",
      .group = "Run",
      .fields =
          {pathField("source", "Source", "File or folder."),
           listField("more", "Further sources", "Files or folders that come in as well."), format,
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
                     "CSV: column that tells the runs apart; otherwise the one called run."),
           listField("columns", "Columns",
                     "CSV: what columns are, each as NAME=USE: metric, option, run, step, time, epoch, "
                     "tokens, run_name, name, value or skipped; otherwise as their names tell.")},
      .required = {"source"},
      .positional = "source",
      .further = "more",
      .changesData = true,
      .run = importRunCommand};
}

}  // namespace fathom
