// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "app/command.h"
#include "app/commands/training_fields.h"
#include "app/run_json.h"
#include "app/text_table.h"
#include "app/training_grid.h"
#include "core/library/curve_index.h"
#include "views/figure/figure_text.h"
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
  const TrainingRequest base = trainingRequest(options);
  FATHOM_TRY(const GridRecord grid, launchGrid(library, engine, base, axes, base.name));
  CommandOutput output;
  output.json = {{"format", 1}, {"grid", {{"uuid", grid.uuid}, {"name", grid.name}}}, {"runs", grid.runs}};
  output.text = "queued grid " + grid.uuid + ": " + std::to_string(grid.runs.size()) + " runs\n";
  return output;
}

PaperTable paperTable(const GridTable& table) {
  PaperTable paper;
  const auto plain = [](const QString& text) { return escapeMarkup(text).toStdString(); };
  for (const std::string& key : table.keys)
    paper.columns.push_back({plain(QString::fromStdString(key)), 2, TableColumn::Best::None});
  const Metric& metric = table.metric;
  const auto best = metric.direction == MetricDirection::None     ? TableColumn::Best::None
                    : metric.direction == MetricDirection::Higher ? TableColumn::Best::Highest
                                                                  : TableColumn::Best::Lowest;
  paper.columns.push_back(
      {plain(QString::fromStdString(metric.shortTitle)), metric.decimals < 0 ? 2 : metric.decimals, best});
  for (const GridLine& line : table.lines) {
    std::vector<TableCell> cells;
    for (const std::string& value : line.values) cells.emplace_back(plain(QString::fromStdString(value)));
    cells.emplace_back(line.summary);
    paper.rows.push_back(std::move(cells));
  }
  return paper;
}

std::string summaryText(const GridLine& line) {
  std::string text = line.summary.finished > 0 ? shownNumber(line.summary.mean) : "-";
  if (line.summary.finished > 1) text += " ± " + shownNumber(line.summary.deviation);
  if (line.summary.failed() > 0) {
    text += "  failed " + std::to_string(line.summary.failed()) + "/" + std::to_string(line.summary.runs);
  }
  if (line.without > 0) text += "  " + std::to_string(line.without) + " without the metric";
  return line.open > 0 ? text + "  " + std::to_string(line.open) + " open" : text;
}

Json tableJson(const GridTable& table) {
  Json lines = Json::array();
  for (const GridLine& line : table.lines) {
    lines.push_back({{"values", line.values},
                     {"runs", line.runs},
                     {"open", line.open},
                     {"without", line.without},
                     {"finished", line.summary.finished},
                     {"failed", line.summary.failed()},
                     {"mean", jsonReal(line.summary.mean)},
                     {"sd", jsonReal(line.summary.deviation)}});
  }
  return {{"keys", table.keys}, {"metric", table.metric.id}, {"lines", std::move(lines)}};
}

// The one that was asked for, or the one that says most about the runs.
Result<std::string> chosenMetric(const std::string& wanted, const GridRecord& grid,
                                 const std::vector<RunRow>& rows) {
  if (wanted.empty()) return gridHeadline(grid, rows);
  const std::vector<std::string> known = gridMetrics(grid, rows);
  if (known.empty() || std::find(known.begin(), known.end(), wanted) != known.end()) return wanted;
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return usageError("no run of the grid has the metric '" + wanted + "'", "there are: " + list);
}

Result<CommandOutput> show(const CommandContext& context, ProjectLibrary& library) {
  FATHOM_TRY(const GridRecord grid, findGrid(library, context.options.text("show")));
  FATHOM_TRY(const auto index, CurveIndex::open(library.path()));
  std::vector<RunRow> rows;
  RunListing listing(library, index.get());
  FATHOM_CHECK(listing.select(grid.runs, [&](RunRow row) { rows.push_back(std::move(row)); }));
  FATHOM_TRY(const std::string metric, chosenMetric(context.options.text("metric"), grid, rows));
  const GridTable table = gridTable(grid, rows, metric);
  CommandOutput output;
  output.json = {
      {"format", 1}, {"grid", {{"uuid", grid.uuid}, {"name", grid.name}}}, {"table", tableJson(table)}};
  if (context.options.flag("latex")) {
    FATHOM_TRY(output.text, latexTable(paperTable(table)));
    output.json["latex"] = output.text;
    return output;
  }
  std::vector<std::string> head = table.keys;
  head.push_back(table.metric.id);
  TextTable shown(head);
  for (const GridLine& line : table.lines) {
    std::vector<std::string> cells = line.values;
    cells.push_back(summaryText(line));
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
  Command command;
  command.id = "grid";
  command.title = QT_TRANSLATE_NOOP("Command", "Grid");
  command.description = QT_TRANSLATE_NOOP(
      "Command",
      "Trains every combination of some options and seeds as one object; --show prints its table.");
  command.group = QT_TRANSLATE_NOOP("Command", "Run");
  command.changesData = true;
  command.fields = {
      listField("over", QT_TRANSLATE_NOOP("Command", "Axes"),
                QT_TRANSLATE_NOOP("Command",
                                  "key=value1,value2,... one word an axis; seed=1,2,3 for seeds;"
                                  " key1+key2=value1,value2 for options that go together."))};
  const auto what = trainingFields(QT_TRANSLATE_NOOP("Command", "Name of the grid."));
  command.fields.insert(command.fields.end(), what.begin(), what.end());
  command.fields.push_back(textField(
      "show", QT_TRANSLATE_NOOP("Command", "Show"),
      QT_TRANSLATE_NOOP("Command", "Print the table of this grid (name or UUID) instead of starting one.")));
  command.fields.push_back(
      textField("metric", QT_TRANSLATE_NOOP("Command", "Metric"),
                QT_TRANSLATE_NOOP("Command",
                                  "Metric of the table; otherwise the score of the task where the runs "
                                  "have it, else valid.nll.")));
  command.fields.push_back(
      flagField("latex", "LaTeX", QT_TRANSLATE_NOOP("Command", "Print the table as LaTeX (booktabs).")));
  command.inMenu = true;
  command.run = grid;
  return command;
}

}  // namespace fathom
