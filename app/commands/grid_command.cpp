// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <set>

#include "app/command.h"
#include "app/commands/training_fields.h"
#include "app/dry_run_request.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "app/training_grid.h"
#include "core/base/text/text_list.h"
#include "core/library/curve_index.h"
#include "core/library/metric_catalogue.h"
#include "views/figure/latex_table.h"

namespace fathom {

namespace {

Result<CommandOutput> launch(const CommandContext& context, ProjectLibrary& library, Progress& progress,
                             const StopToken& stop) {
  const OptionValues& options = context.options;
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  FATHOM_TRY(const std::vector<GridAxis> axes, gridAxes(options.text("preset"), options.texts("over")));
  TrainingRequest base = trainingRequest(options);
  base.project = library.path();
  if (base.name.empty() && !gridPreset(base.preset).axes.empty()) base.name = base.preset;
  FATHOM_TRY(const auto configs, gridConfigs(engine, base, axes));
  if (options.flag("dry-run")) return dryRunOutput(configs, library.path(), progress, stop);
  FATHOM_CHECK(checkRunsFit(configs, library.path(), stop));
  QueuedGrid grid = queuedGrid(library.path(), base.name, configs.front(), axes, configs);
  FATHOM_TRY(const QueuedRuns queued,
             queueRuns(library.path(), std::move(grid.entries), false, gridRecord(library, grid.record)));
  CommandOutput output;
  output.json = {{"format", 1},
                 {"grid", {{"uuid", grid.record.uuid}, {"name", grid.record.name}}},
                 {"runs", grid.record.runs}};
  output.text =
      "queued grid " + grid.record.uuid + ": " + std::to_string(grid.record.runs.size()) + " runs\n";
  return output;
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

// Of several metrics the first one stands in the line itself, all of them in its "scores".
Json tableJson(const GridTable& table) {
  Json lines = Json::array();
  for (const GridLine& line : table.lines) {
    Json json = {{"values", line.values}, {"runs", line.runs}, {"open", line.open}};
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
  TextTable shown(head);
  for (const GridLine& line : table.lines) {
    std::vector<std::string> cells = line.values;
    for (const GridScore& score : line.cells) cells.push_back(summaryText(line, score));
    for (std::size_t i = 0; i < table.published.size(); ++i)
      cells.push_back(publishedText(table.publishedOf(line, i)));
    shown.addRow(cells);
  }
  return shown.text();
}

// The runs of a grid that are there, and the others of it that wait.
struct GridRuns {
  std::vector<RunFacts> facts;
  std::vector<std::string> runs;  // for gridTable
  MetricCatalogue metrics;
};

Result<GridRuns> readRuns(ProjectLibrary& library, const GridRecord& grid) {
  GridRuns all;
  std::set<std::string> present;
  FATHOM_TRY(const auto waiting, QueueFolder(library.path()).entries());
  for (const QueueEntry& entry : waiting) present.insert(entry.uuid);
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  RunListing listing(library, index.get());
  FATHOM_CHECK(listing.select(grid.runs, [&](const RunRow& row) {
    present.insert(row.identity.uuid);
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

// Those that were asked for, or those of the preset that the runs have, or the one that says most about the
// runs; the validation nll, which every task has, where there is none.
Result<Metrics> chosenMetrics(const std::string& wanted, const GridPreset& preset, const GridRuns& all) {
  const std::vector<std::string> known = gridMetrics(all.facts);
  Metrics metrics;
  if (!wanted.empty()) {
    for (const std::string_view name : splitAt(wanted, ',')) {
      FATHOM_TRY(Metric metric, knownMetric(std::string(name), known, all));
      metrics.push_back(std::move(metric));
    }
    return metrics;
  }
  for (const std::string& name : preset.metrics)
    if (std::find(known.begin(), known.end(), name) != known.end()) metrics.push_back(all.metrics.of(name));
  if (!metrics.empty()) return metrics;
  const auto headlines = all.metrics.headlines(known);
  return Metrics{all.metrics.of(headlines.empty() ? "valid.nll" : headlines.front())};
}

Result<CommandOutput> show(const CommandContext& context, ProjectLibrary& library) {
  FATHOM_TRY(const GridRecord grid, findGrid(library, context.options.text("show")));
  FATHOM_TRY(const GridRuns all, readRuns(library, grid));
  const GridPreset preset = gridPreset(presetOfGrid(grid));
  FATHOM_TRY(const Metrics metrics, chosenMetrics(context.options.text("metric"), preset, all));
  GridTable table = gridTable(gridAxesFromJson(grid.axes), all.runs, all.facts, metrics);
  addPublished(table, preset.published);
  CommandOutput output;
  output.json = {
      {"format", 1}, {"grid", {{"uuid", grid.uuid}, {"name", grid.name}}}, {"table", tableJson(table)}};
  if (context.options.flag("latex")) {
    FATHOM_TRY(output.text, latexTable(gridPaperTable(table)));
    output.json["latex"] = output.text;
    return output;
  }
  output.text = tableText(table);
  return output;
}

Result<CommandOutput> grid(const CommandContext& context, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  return context.options.text("show").empty() ? launch(context, *library, progress, stop)
                                              : show(context, *library);
}

}  // namespace

Command gridCommandEntry() {
  return {
      .id = "grid",
      .title = "Grid",
      .description =
          "Trains every combination of some options and seeds, or a preset that is a grid, as one object; "
          "--show prints its table.",
      .group = "Run",
      .fields = joinedFields(
          {{listField(
               "over", "Axes",
               "key=value1,value2,... one word an axis; seed=1,2,3 for seeds; key1+key2=value1,value2 "
               "for options that go together. On top of a preset that is a grid: other values of its axes.")},
           trainingFields("Name of the grid."),
           {textField("show", "Show", "Print the table of this grid (name or UUID) instead of starting one."),
            textField(
                "metric", "Metric",
                "Metrics of the table, with commas; otherwise those of the preset, or the score of the task "
                "where the runs have it, else valid.nll."),
            flagField("latex", "LaTeX", "Print the table as LaTeX (booktabs)."), dryRunField()}}),
      .changesData = true,
      .inMenu = true,
      .run = grid};
}

}  // namespace fathom
