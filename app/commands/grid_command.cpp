// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "app/command.h"
#include "app/commands/training_fields.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "app/training_grid.h"
#include "core/base/text_list.h"
#include "core/library/curve_index.h"
#include "core/library/metric_catalogue.h"
#include "views/figure/latex_table.h"

namespace fathom {

namespace {

Result<CommandOutput> launch(const CommandContext& context, ProjectLibrary& library, const StopToken& stop) {
  const OptionValues& options = context.options;
  FATHOM_TRY(const EngineDescription engine, describeEngine({}, stop));
  std::vector<GridAxis> axes;
  for (const std::string& text : options.texts("over")) {
    FATHOM_TRY(GridAxis axis, parseGridAxis(text));
    axes.push_back(std::move(axis));
  }
  TrainingRequest base = trainingRequest(options);
  base.project = library.path();
  FATHOM_TRY(const auto configs, gridConfigs(engine, base, axes));
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

Json tableJson(const GridTable& table) {
  Json lines = Json::array();
  for (const GridLine& line : table.lines) {
    const GridScore& cell = line.cells.front();
    lines.push_back({{"values", line.values},
                     {"runs", line.runs},
                     {"open", line.open},
                     {"without", cell.without},
                     {"finished", cell.summary.finished},
                     {"failed", cell.summary.failed()},
                     {"mean", jsonReal(cell.summary.mean)},
                     {"sd", jsonReal(cell.summary.deviation)},
                     {"best", cell.best}});
  }
  return {{"keys", table.keys}, {"metric", table.metrics.front().id}, {"lines", std::move(lines)}};
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

// The one that was asked for, or the one that says most about the runs; the validation nll, which every task
// has, where there is none.
Result<Metric> chosenMetric(const std::string& wanted, const GridRuns& all) {
  const std::vector<std::string> known = gridMetrics(all.facts);
  if (wanted.empty()) {
    const auto headlines = all.metrics.headlines(known);
    return all.metrics.of(headlines.empty() ? "valid.nll" : headlines.front());
  }
  if (known.empty() || std::find(known.begin(), known.end(), wanted) != known.end())
    return all.metrics.of(wanted);
  return usageError(Phrase::tr("no run of the grid has the metric '%1'")(wanted),
                    Phrase::tr("there are: %1")(joined(known)));
}

Result<CommandOutput> show(const CommandContext& context, ProjectLibrary& library) {
  FATHOM_TRY(const GridRecord grid, findGrid(library, context.options.text("show")));
  FATHOM_TRY(const GridRuns all, readRuns(library, grid));
  FATHOM_TRY(const Metric metric, chosenMetric(context.options.text("metric"), all));
  const GridTable table = gridTable(gridAxesFromJson(grid.axes), all.runs, all.facts, {metric});
  CommandOutput output;
  output.json = {
      {"format", 1}, {"grid", {{"uuid", grid.uuid}, {"name", grid.name}}}, {"table", tableJson(table)}};
  if (context.options.flag("latex")) {
    FATHOM_TRY(output.text, latexTable(gridPaperTable(table)));
    output.json["latex"] = output.text;
    return output;
  }
  std::vector<std::string> head = table.keys;
  head.push_back(metric.id);
  TextTable shown(head);
  for (const GridLine& line : table.lines) {
    std::vector<std::string> cells = line.values;
    cells.push_back(summaryText(line, line.cells.front()));
    shown.addRow(cells);
  }
  output.text = shown.text();
  return output;
}

Result<CommandOutput> grid(const CommandContext& context, Progress&, const StopToken& stop) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  return context.options.text("show").empty() ? launch(context, *library, stop) : show(context, *library);
}

}  // namespace

Command gridCommandEntry() {
  return {
      .id = "grid",
      .title = "Grid",
      .description =
          "Trains every combination of some options and seeds as one object; --show prints its table.",
      .group = "Run",
      .fields = joinedFields(
          {{listField("over", "Axes",
                      "key=value1,value2,... one word an axis; seed=1,2,3 for seeds; key1+key2=value1,value2 "
                      "for options that go together.")},
           trainingFields("Name of the grid."),
           {textField("show", "Show", "Print the table of this grid (name or UUID) instead of starting one."),
            textField("metric", "Metric",
                      "Metric of the table; otherwise the score of the task where the runs have it, else "
                      "valid.nll."),
            flagField("latex", "LaTeX", "Print the table as LaTeX (booktabs).")}}),
      .changesData = true,
      .inMenu = true,
      .run = grid};
}

}  // namespace fathom
