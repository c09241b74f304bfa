// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include "app/command.h"
#include "app/runs/run_json.h"
#include "app/runs/task_table.h"
#include "app/text_table.h"
#include "core/analysis/training/run_grid.h"
#include "core/base/errors/phrase.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "views/files/latex_table.h"

namespace fathom {

namespace {

constexpr const char* kGridPrefix = "grid:";

// Runs that one word of --runs names, the name of their group, and the grid that they belong to.
struct NamedRuns {
  std::string name;  // "" where the word gives none
  std::string word;
  std::vector<RunRow> runs;
};

// "name=word" where the whole is nothing that there is.
Result<NamedRuns> namedRuns(ProjectLibrary& library, const std::string& word) {
  Result<std::vector<RunRow>> whole = findRuns(library, {word});
  if (whole.ok()) return NamedRuns{{}, word, *std::move(whole)};
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return whole.error();
  const std::string rest = word.substr(equals + 1);
  FATHOM_TRY(std::vector<RunRow> runs, findRuns(library, {rest}));
  return NamedRuns{word.substr(0, equals), rest, std::move(runs)};
}

// Values of the axes of a grid, by run and key.
using AxisValues = std::map<std::string, std::map<std::string, std::string>>;

Result<AxisValues> axisValues(const GridRecord& grid, std::vector<std::string>& settings) {
  AxisValues values;
  const std::vector<GridAxis> axes = gridAxesFromJson(grid.axes);
  FATHOM_TRY(const auto points, expandGrid(axes));
  for (const GridAxis& axis : axes)
    if (axis.isSettings()) settings.push_back(axis.key);
  for (std::size_t i = 0; i < std::min(points.size(), grid.runs.size()); ++i)
    for (std::size_t a = 0; a < axes.size(); ++a)
      values[grid.runs[i]][axes[a].key] = axisValueText(points[i].values[a]);
  return values;
}

std::string axisOptionText(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The columns of the table: a name, or what --by tells apart, or both.
class TaskColumns {
 public:
  explicit TaskColumns(std::vector<std::string> by) : m_by(std::move(by)) {}

  Status add(ProjectLibrary& library, NamedRuns named) {
    AxisValues values;
    std::vector<std::string> by = m_by;
    std::string shown = named.name;
    if (named.word.starts_with(kGridPrefix)) {
      FATHOM_TRY(const GridRecord grid,
                 findGrid(library, named.word.substr(std::string(kGridPrefix).size())));
      std::vector<std::string> settings;
      FATHOM_TRY(values, axisValues(grid, settings));
      if (by.empty() && named.name.empty()) by = settings;
      if (shown.empty() && by.empty()) shown = grid.name;
    }
    for (RunRow& run : named.runs) {
      std::vector<std::string> words;
      if (!shown.empty()) words.push_back(shown);
      for (const std::string& key : by) {
        const auto& own = values[run.identity.uuid];
        if (const auto axis = own.find(key); axis != own.end())
          words.push_back(axis->second);
        else if (run.options.contains(key))
          words.push_back(axisOptionText(run.options[key]));
        else
          return usageError(Phrase::tr("run %1 has no option or axis '%2'")(run.name, key));
      }
      std::vector<RunRow>& runs = columnCalled(words.empty() ? run.name : joined(words, " ")).runs;
      const bool counted = std::any_of(runs.begin(), runs.end(), [&run](const RunRow& other) {
        return other.identity.uuid == run.identity.uuid;
      });
      if (!counted) runs.push_back(std::move(run));  // by its grid and by its name: one run
    }
    return {};
  }

  const std::vector<TaskTableColumn>& columns() const { return m_columns; }

 private:
  TaskTableColumn& columnCalled(const std::string& name) {
    const auto known = std::find_if(m_columns.begin(), m_columns.end(),
                                    [&name](const TaskTableColumn& column) { return column.name == name; });
    if (known != m_columns.end()) return *known;
    m_columns.push_back({name, {}});
    return m_columns.back();
  }

  std::vector<std::string> m_by;
  std::vector<TaskTableColumn> m_columns;
};

Json taskCellJson(const TaskTableCell& cell) {
  if (cell.settings == 0) return nullptr;
  return {{"value", jsonReal(cell.summary.mean)},
          {"mean", jsonReal(cell.mean)},
          {"sd", jsonReal(cell.summary.deviation)},
          {"finished", cell.summary.finished},
          {"failed", cell.summary.failed()},
          {"open", cell.open},
          {"settings", cell.settings},
          {"chosen", cell.chosen}};
}

Json taskTableJson(const TaskTable& table) {
  Json lines = Json::array(), averages = Json::array(), pairings = Json::array();
  for (const TaskTableLine& line : table.lines) {
    Json cells = Json::array();
    for (const TaskTableCell& cell : line.cells) cells.push_back(taskCellJson(cell));
    lines.push_back({{"task", line.task},
                     {"entry", line.entry},
                     {"title", line.title},
                     {"metric", line.metric.id},
                     {"cells", std::move(cells)}});
  }
  for (const TaskTableAverage& average : table.averages) {
    Json values = Json::array();
    for (const auto& value : average.values) values.push_back(value ? jsonReal(*value) : Json());
    averages.push_back({{"task", average.task}, {"title", average.title}, {"values", std::move(values)}});
  }
  for (const TaskTablePairing& pairing : table.pairings) {
    const SeedComparison& of = pairing.comparison;
    pairings.push_back({{"line", table.lines[pairing.line].title},
                        {"first", table.columns[pairing.first]},
                        {"second", table.columns[pairing.second]},
                        {"difference", of.difference},
                        {"welch", {{"t", of.t}, {"freedom", of.freedom}, {"p", of.pValue}}},
                        {"bootstrap", {{"low", of.low}, {"high", of.high}}}});
  }
  return {{"columns", table.columns},
          {"lines", std::move(lines)},
          {"averages", std::move(averages)},
          {"comparisons", std::move(pairings)}};
}

std::string cellWords(const TaskTableLine& line, const TaskTableCell& cell) {
  if (cell.settings == 0) return "-";
  const int decimals = std::max(line.metric.decimals, 0);
  std::string text =
      std::isfinite(cell.summary.mean) ? fixedText(cell.summary.mean, decimals) : std::string("-");
  if (cell.summary.finished > 1) text += " ± " + fixedText(cell.summary.deviation, decimals);
  if (cell.summary.failed() > 0)
    text += "  failed " + std::to_string(cell.summary.failed()) + "/" + std::to_string(cell.summary.runs);
  if (cell.open > 0) text += "  " + std::to_string(cell.open) + " open";
  return text;
}

std::string averageNote(const TaskTable& table) {
  std::string text;
  for (const TaskTableAverage& average : table.averages)
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (!average.values[i])
        text += average.title + " of " + table.columns[i] +
                " is not defined: it is the mean over all entries of the benchmark, and some are missing\n";
  return text;
}

std::string taskTableWords(const TaskTable& table) {
  std::vector<std::string> head = {""};
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  TextTable shown(head);
  for (const TaskTableLine& line : table.lines) {
    std::vector<std::string> cells = {line.title};
    for (const TaskTableCell& cell : line.cells) cells.push_back(cellWords(line, cell));
    shown.addRow(cells);
  }
  for (const TaskTableAverage& average : table.averages) {
    std::vector<std::string> cells = {average.title};
    for (const auto& value : average.values) cells.push_back(value ? fixedText(*value, 2) : "-");
    shown.addRow(cells);
  }
  std::string text = shown.text();
  for (const TaskTablePairing& pairing : table.pairings) {
    const SeedComparison& of = pairing.comparison;
    text += table.lines[pairing.line].title + ", " + table.columns[pairing.first] + " -> " +
            table.columns[pairing.second] + ": difference of means " + shownNumber(of.difference) +
            ", bootstrap 95 % " + shownNumber(of.low) + " … " + shownNumber(of.high) + ", Welch t " +
            formatted("%.3g", of.t) + " (" + formatted("%.3g", of.freedom) + " degrees), p " +
            formatted("%.3g", of.pValue) + "\n";
  }
  return text + averageNote(table);
}

Result<CommandOutput> showTable(const CommandContext& context, Progress&, const StopToken& stop) {
  const OptionValues& options = context.options;
  FATHOM_TRY(const auto library, ProjectLibrary::open(context.project));
  std::vector<std::string> by;
  if (const std::string keys = options.text("by"); !keys.empty())
    for (const std::string_view key : splitAt(keys, ',')) by.emplace_back(key);
  TaskColumns columns(std::move(by));
  for (const std::string& word : options.texts("runs")) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(NamedRuns named, namedRuns(*library, word));
    FATHOM_CHECK(columns.add(*library, std::move(named)));
  }
  const SettingChoice choice =
      options.text("select") == "best_mean" ? SettingChoice::BestMean : SettingChoice::BestMedian;
  FATHOM_TRY(const TaskTable table, taskTable(columns.columns(), choice));
  CommandOutput output;
  output.json["select"] = options.text("select");
  output.json["table"] = taskTableJson(table);
  if (options.flag("latex")) {
    FATHOM_TRY(output.text, latexTable(taskPaperTable(table, options.text("rows") == "models")));
    output.json["latex"] = output.text;
    return output;
  }
  output.text = taskTableWords(table);
  return output;
}

}  // namespace

Command taskTableCommandEntry() {
  return {
      .id = "task-table",
      .title = "Table of tasks",
      .description =
          "Scores of several models on several tasks as papers print them: of each search the best "
          "setting over its seeds, the average of the benchmark, tests between the models.",
      .group = "Run",
      .fields = {listField(
                     "runs", "Runs",
                     "Runs or grids (grid:NAME) by name or UUID, each as a word or as COLUMN=word; words "
                     "of one column stand together."),
                 textField("by", "Columns",
                           "Options or axes of a grid, with commas, whose values are columns of their own. "
                           "Empty: axes of settings of a grid without a column's name."),
                 choiceField("select", "Which setting",
                             "Which of several settings of a model on a task stands in the table.",
                             {{"best_median", "The best median over the seeds"},
                              {"best_mean", "The best mean over the seeds"}}),
                 choiceField("rows", "Rows", "What stands below each other in LaTeX.",
                             {{"tasks", "Tasks"}, {"models", "Models"}}),
                 flagField("latex", "LaTeX", "Print the table as LaTeX (booktabs).")},
      .required = {"runs"},
      .positional = "runs",
      .run = showTable};
}

}  // namespace fathom
