// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/command.h"
#include "app/commands/place_field.h"
#include "app/commands/script_fields.h"
#include "app/commands/training_fields.h"
#include "app/requests/dry_run_request.h"
#include "app/requests/grid_trainability.h"
#include "app/runs/run_json.h"
#include "app/runs/training_grid.h"
#include "app/text_table.h"
#include "core/analysis/training/grid_selection.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/axis_keys.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/metric_catalogue.h"
#include "views/files/latex_table.h"

namespace fathom {

namespace {

constexpr const char *kAllSettings = "all", *kBestMedian = "best_median", *kBestMean = "best_mean";

CommandOutput queuedOutput(const QueuedGrid& grid, const Json& placed, const std::string& shares) {
  CommandOutput output;
  output.json = {{"format", 1},
                 {"grid", {{"uuid", grid.record.uuid}, {"name", grid.record.name}}},
                 {"runs", grid.record.runs},
                 {"places", placed}};
  output.text = "queued grid " + grid.record.uuid + ": " + std::to_string(grid.record.runs.size()) + " runs" +
                (shares.empty() ? "" : " (" + shares + ")") + "\n";
  return output;
}

// A grid of a command of one's own: its options are nobody's to judge.
Result<CommandOutput> launchScript(const CommandContext& context, ProjectLibrary& library) {
  const OptionValues& options = context.options;
  for (const char* key : {"preset", "config", "data", "dry-run"})
    if (key == std::string_view("dry-run") ? options.flag(key) : !options.text(key).empty())
      return aboutKey(
          key, usageError(Phrase::tr("--%1 is for runs of Fathom's own engine, not for a command")(key),
                          Phrase::tr("leave it away")));
  FATHOM_TRY(const AskedPlaces places, askedPlaces(library.path(), options));
  for (const std::string& id : places.ids)
    FATHOM_CHECK(checkStartsScripts({id, places.here && !places.elsewhere}));
  FATHOM_TRY(const std::vector<GridAxis> axes, gridAxes("", options.texts("over")));
  FATHOM_TRY(QueuedGrid grid, scriptGrid(library.path(), scriptRequest(options), axes));
  Json placed = Json::object();
  for (const QueueEntry& entry : grid.entries) placed[entry.uuid] = entry.place;
  const CommandOutput output = queuedOutput(grid, placed, "");
  FATHOM_TRY(const QueuedRuns queued,
             queueRuns(library.path(), std::move(grid.entries), false, gridRecord(library, grid.record)));
  return output;
}

Result<CommandOutput> launch(const CommandContext& context, ProjectLibrary& library, Progress& progress,
                             const StopToken& stop) {
  const OptionValues& options = context.options;
  if (!options.texts("command").empty()) return launchScript(context, library);
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(const std::vector<GridAxis> axes, gridAxes(options.text("preset"), options.texts("over")));
  TrainingRequest base = trainingRequest(options);
  base.project = library.path();
  FATHOM_TRY(const AskedPlaces places, askedPlaces(library.path(), options));
  base.elsewhere = !places.here;
  if (base.name.empty() && !gridPreset(base.preset).axes.empty()) base.name = base.preset;
  FATHOM_TRY(const auto configs, gridConfigs(engine, base, axes));
  const bool oneElsewhere = !places.here && places.ids.size() == 1;
  if (options.flag("dry-run"))
    return dryRunOutput(configs, library.path(), oneElsewhere ? places.ids.front() : "", progress, stop);
  if (places.here) FATHOM_CHECK(checkRunsFit(configs, library.path(), stop));
  QueuedGrid grid = queuedGrid(library.path(), base.name, configs.front(), axes, configs);
  FATHOM_TRY(const std::string shares, shareOutAmong(library.path(), places, engine, grid.entries));
  Json placed = Json::object();
  for (const QueueEntry& entry : grid.entries) placed[entry.uuid] = entry.place;
  FATHOM_TRY(const QueuedRuns queued,
             queueRuns(library.path(), std::move(grid.entries), false, gridRecord(library, grid.record)));
  return queuedOutput(grid, placed, places.elsewhere ? shares : std::string());
}

std::string summaryText(const GridLine& line, const GridScore& cell) {
  const SeedSummary& summary = cell.summary;
  std::string text = summary.finished > 0 ? shownNumber(summary.mean) : "-";
  if (summary.finished > 1) text += " ± " + shownNumber(summary.deviation);
  if (summary.failed() > 0)
    text += "  failed " + std::to_string(summary.failed()) + "/" + std::to_string(summary.runs);
  if (cell.without > 0) text += "  " + std::to_string(cell.without) + " without the metric";
  return line.open > 0 ? text + "  " + std::to_string(line.open) + " open" : text;
}

Json scoreJson(const GridScore& cell) {
  return {{"without", cell.without},
          {"finished", cell.summary.finished},
          {"failed", cell.summary.failed()},
          {"mean", jsonReal(cell.summary.mean)},
          {"sd", jsonReal(cell.summary.deviation)},
          {"best", cell.best}};
}

// The table as JSON. A line itself holds the first of several metrics, its "scores" hold all of them.
Json tableJson(const GridTable& table) {
  Json lines = Json::array();
  for (const GridLine& line : table.lines) {
    Json json = {{"values", line.values}, {"runs", line.runs}, {"open", line.open}};
    if (!line.trainability.empty()) json["trainability"] = line.trainability;
    json.update(scoreJson(line.cells.front()));
    for (std::size_t i = 0; table.metrics.size() > 1 && i < table.metrics.size(); ++i)
      json["scores"][table.metrics[i].id] = scoreJson(line.cells[i]);
    for (std::size_t i = 0; i < table.published.size(); ++i) {
      const SeedSummary* score = table.publishedOf(line, i);
      if (score == nullptr) continue;
      json["published"].push_back({{"source", table.published[i].source},
                                   {"metric", table.published[i].metric},
                                   {"runs", score->runs},
                                   {"failed", score->failed()},
                                   {"mean", jsonReal(score->mean)},
                                   {"sd", jsonReal(score->deviation)}});
    }
    lines.push_back(std::move(json));
  }
  return {{"keys", table.keys}, {"metric", table.metrics.front().id}, {"lines", std::move(lines)}};
}

std::string publishedText(const SeedSummary* score) {
  if (score == nullptr) return {};
  std::string text = std::isfinite(score->mean) ? shownNumber(score->mean) : std::string();
  if (std::isfinite(score->deviation)) text += " ± " + shownNumber(score->deviation);
  if (score->failed() > 0)
    text += (text.empty() ? "" : "  ") + ("failed " + std::to_string(score->failed())) + "/" +
            std::to_string(score->runs);
  return text;
}

std::string tableText(const GridTable& table) {
  std::vector<std::string> head = table.keys;
  for (const Metric& metric : table.metrics) head.push_back(metric.id);
  for (const PublishedColumn& column : table.published) head.push_back(column.source);
  if (table.hasVerdicts()) head.push_back("trainability");
  TextTable shown(head);
  for (const GridLine& line : table.lines) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < line.values.size(); ++i) cells.push_back(valueWords(line, i));
    for (const GridScore& score : line.cells) cells.push_back(summaryText(line, score));
    for (std::size_t i = 0; i < table.published.size(); ++i)
      cells.push_back(publishedText(table.publishedOf(line, i)));
    if (table.hasVerdicts()) cells.push_back(line.trainability);
    shown.addRow(cells);
  }
  return shown.text();
}

// The runs of a grid that are there, and the others of it that wait.
struct GridRuns {
  std::vector<RunFacts> facts;
  std::vector<std::string> runs;  // for gridTable
  MetricCatalogue metrics;
  std::map<std::string, Json> waiting;       // configurations of those in the queue
  std::map<std::string, std::string> paths;  // folders of the others
};

Result<GridRuns> readRuns(ProjectLibrary& library, const GridRecord& grid) {
  GridRuns all;
  std::set<std::string> present;
  FATHOM_TRY(const auto waiting, QueueFolder(library.path()).entries());
  for (const QueueEntry& entry : waiting) {
    present.insert(entry.uuid);
    all.waiting[entry.uuid] = entry.config;
  }
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  RunListing listing(library, index.get());
  FATHOM_CHECK(listing.select(grid.runs, [&](const RunRow& row) {
    present.insert(row.identity.uuid);
    all.paths[row.identity.uuid] = row.path;
    all.facts.push_back(runFacts(row));
    all.metrics.add(row.identity.metrics);
  }));
  for (const std::string& run : grid.runs) all.runs.push_back(present.contains(run) ? run : std::string());
  return all;
}

Result<Metric> knownMetric(const std::string& wanted, const std::vector<std::string>& known,
                           const GridRuns& all) {
  if (known.empty() || std::find(known.begin(), known.end(), wanted) != known.end())
    return all.metrics.of(wanted);
  return usageError(Phrase::tr("no run of the grid has the metric '%1'")(wanted),
                    Phrase::tr("there are: %1")(joined(known)));
}

// The metrics that were asked for, or those of the preset that the runs have, or the one that says most about
// the runs; the validation nll, which every task has, where no run has reported any yet.
Result<Metrics> chosenMetrics(const std::string& wanted, const GridPreset& preset, const GridRuns& all) {
  const std::vector<std::string> known = gridMetrics(all.facts);
  Metrics metrics;
  if (!wanted.empty()) {
    for (const std::string_view name : splitAt(wanted, ',')) {
      if (findMetric(metrics, std::string(name)) != nullptr) continue;  // one column of one number
      FATHOM_TRY(Metric metric, knownMetric(std::string(name), known, all));
      metrics.push_back(std::move(metric));
    }
    return metrics;
  }
  for (const std::string& name : preset.metrics)
    if (std::find(known.begin(), known.end(), name) != known.end()) metrics.push_back(all.metrics.of(name));
  if (!metrics.empty()) return metrics;
  return Metrics{all.metrics.of(known.empty() ? "valid.nll" : all.metrics.leading(known))};
}

// `middle`: by which the settings were chosen.
Json selectionJson(const GridTable& table, const GridSelection& selection, const char* middle) {
  Json choices = Json::array(), pairings = Json::array();
  for (const GridChoice& choice : selection.choices) {
    const GridLine& line = table.lines[choice.line];
    Json json = {{"group", choice.group},
                 {"values", line.values},
                 {"settings", choice.settings},
                 {"open", choice.open}};
    for (std::size_t i = 0; i < table.metrics.size(); ++i) {
      json["scores"][table.metrics[i].id] = scoreJson(line.cells[i]);
      json["scores"][table.metrics[i].id][middle] = jsonReal(choice.medians[i]);
    }
    choices.push_back(std::move(json));
  }
  for (const GridPairing& pairing : selection.pairings) {
    const SeedComparison& of = pairing.comparison;
    pairings.push_back({{"first", selection.choices[pairing.first].group},
                        {"second", selection.choices[pairing.second].group},
                        {"difference", of.difference},
                        {"welch", {{"t", of.t}, {"freedom", of.freedom}, {"p", of.pValue}}},
                        {"bootstrap", {{"low", of.low}, {"high", of.high}}}});
  }
  return {{"by", selection.by}, {"choices", std::move(choices)}, {"comparisons", std::move(pairings)}};
}

std::string medianText(const GridLine& line, const GridScore& cell, double median) {
  std::string text = std::isfinite(median) ? shownNumber(median) : "-";
  if (cell.summary.finished > 1) text += " ± " + shownNumber(cell.summary.deviation);
  return text + "  (mean " + summaryText(line, cell) + ")";
}

std::string selectionText(const GridTable& table, const GridSelection& selection, bool means) {
  std::vector<std::string> head = table.keys;
  head.push_back("settings");
  for (const Metric& metric : table.metrics)
    head.push_back(metric.id + (means ? ", best mean" : ", best median"));
  TextTable shown(head);
  for (const GridChoice& choice : selection.choices) {
    const GridLine& line = table.lines[choice.line];
    std::vector<std::string> cells = line.values;
    cells.push_back(std::to_string(choice.settings));
    for (std::size_t i = 0; i < table.metrics.size(); ++i)
      cells.push_back(means ? summaryText(line, line.cells[i])
                            : medianText(line, line.cells[i], choice.medians[i]));
    shown.addRow(cells);
  }
  std::string text = shown.text();
  for (const GridPairing& pairing : selection.pairings) {
    const SeedComparison& of = pairing.comparison;
    text += joined(selection.choices[pairing.first].group) + " -> " +
            joined(selection.choices[pairing.second].group) + ": difference of means " +
            shownNumber(of.difference) + ", bootstrap 95 % " + shownNumber(of.low) + " … " +
            shownNumber(of.high) + ", Welch t " + formatted("%.3g", of.t) + " (" +
            formatted("%.3g", of.freedom) + " degrees), p " + formatted("%.3g", of.pValue) + "\n";
  }
  return text;
}

// The search as papers report it, in place of the whole table.
Result<CommandOutput> showSelection(const CommandContext& context, const GridTable& table,
                                    CommandOutput output) {
  std::vector<std::string> by;
  const std::string keys = context.options.text("by");
  if (!keys.empty())
    for (const std::string_view key : splitAt(keys, ',')) by.emplace_back(key);
  const bool means = context.options.text("select") == kBestMean;
  FATHOM_TRY(const GridSelection selection,
             selectBest(table, std::move(by), means ? SettingChoice::BestMean : SettingChoice::BestMedian));
  output.json["selection"] = selectionJson(table, selection, means ? "mean" : "median");
  if (!context.options.flag("latex")) {
    output.text = selectionText(table, selection, means);
    return output;
  }
  FATHOM_TRY(output.text, latexTable(selectionPaperTable(table, selection)));
  output.json["latex"] = output.text;
  return output;
}

// As it was started, not as it may have been changed later.
Result<RunConfig> configOf(const GridRuns& all, const std::string& run) {
  if (const auto waits = all.waiting.find(run); waits != all.waiting.end() && !waits->second.empty())
    return runConfigFromJson(waits->second, run);
  const auto path = all.paths.find(run);
  if (path == all.paths.end()) return dataError(Phrase::tr("run %1 has no configuration")(run));
  return readRunConfig(RunFolder(path->second).configPath(1));
}

// Judges the lines of the grid that were not judged before.
Status judgeLines(const CommandContext& context, const std::string& project, const GridRuns& all,
                  GridTable& table, Progress& progress, const StopToken& stop) {
  for (GridLine& line : table.lines) {
    if (!line.trainability.empty() || line.runs.empty()) continue;
    FATHOM_TRY(const RunConfig config, configOf(all, line.runs.front()));
    FATHOM_TRY(line.trainability, judgeAndKeep(project, line.runs.front(), config, progress, stop));
    context.say(joined(line.values, " ") + ": " + line.trainability);
  }
  return {};
}

// Titles of the options as plain text; of options that go together the first speaks for all.
std::vector<std::string> headsOf(const GridTable& table, const OptionSchema& titles) {
  std::vector<std::string> heads;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const OptionField* field = titles.find(axisKeys(table.keys[i]).front());
    const bool own = i < table.titles.size() && !table.titles[i].empty();
    heads.push_back(own ? table.titles[i] : field == nullptr ? table.keys[i] : field->title);
  }
  return heads;
}

Result<CommandOutput> show(const CommandContext& context, ProjectLibrary& library, Progress& progress,
                           const StopToken& stop) {
  FATHOM_TRY(const GridRecord grid, findGrid(library, context.options.text("show")));
  FATHOM_TRY(const GridRuns all, readRuns(library, grid));
  const GridPreset preset = gridPreset(presetOfGrid(grid));
  FATHOM_TRY(const Metrics metrics, chosenMetrics(context.options.text("metric"), preset, all));
  GridTable table = gridTable(gridAxesFromJson(grid.axes), all.runs, all.facts, metrics);
  addPublished(table, preset.published);
  FATHOM_TRY(const auto verdicts, keptVerdicts(library.path()));
  addVerdicts(table, verdicts);
  if (context.options.flag("trainability"))
    FATHOM_CHECK(judgeLines(context, library.path(), all, table, progress, stop));
  const auto titles = askedOptionTitles();
  nameValues(table, *titles);
  CommandOutput output;
  output.json = {
      {"format", 1}, {"grid", {{"uuid", grid.uuid}, {"name", grid.name}}}, {"table", tableJson(table)}};
  if (context.options.text("select") != kAllSettings) return showSelection(context, table, std::move(output));
  if (context.options.flag("latex")) {
    FATHOM_TRY(output.text, latexTable(gridPaperTable(table, headsOf(table, *titles))));
    output.json["latex"] = output.text;
    return output;
  }
  output.text = tableText(table);
  return output;
}

Result<CommandOutput> grid(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  return context.options.text("show").empty() ? launch(context, *library, progress, stop)
                                              : show(context, *library, progress, stop);
}

}  // namespace

Command gridCommandEntry() {
  return {
      .id = "grid",
      .title = "Grid",
      .description =
          "Trains every combination of some options and seeds, or a preset that is a grid, as one object; "
          "--show prints its table. A command behind -- takes the place of Fathom's engine.",
      .group = "Run",
      .fields = joinedFields(
          {{listField(
               "over", "Axes",
               "key=value1,value2,... one word an axis; seed=1,2,3 for seeds; key1+key2=value1,value2 "
               "for options that go together. On top of a preset that is a grid: other values of its axes.")},
           trainingFields("Name of the grid."),
           scriptFields(),
           {textField("show", "Show", "Print the table of this grid (name or UUID) instead of starting one."),
            textField(
                "metric", "Metric",
                "Metrics of the table, with commas; otherwise those of the preset, or the score of the task "
                "where the runs have it, else valid.nll."),
            choiceField(
                "select", "Lines of the table",
                "All settings, or of each compared group the one with the best median or mean over its "
                "seeds, with tests between the groups.",
                {{kAllSettings, "All settings"},
                 {kBestMedian, "Best median of each group"},
                 {kBestMean, "Best mean of each group"}}),
            textField("by", "Compared axes",
                      "With commas: their values are compared, all other axes are searched; two of them make "
                      "a table of rows and columns. Empty: the axes of settings.")
                .off("")
                .when("select", {kBestMedian, kBestMean}),
            flagField("latex", "LaTeX", "Print the table as LaTeX (booktabs)."),
            flagField("trainability", "Trainability",
                      "Judge the model of every line before its first update, as the command trainability "
                      "does; the verdicts stand beside the scores and are kept."),
            placesField(), dryRunField()}}),
      .rest = "command",
      .changesData = true,
      .run = grid};
}

}  // namespace fathom
