// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/task_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "app/runs/run_json.h"
#include "core/base/errors/phrase.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kSeedOption = "seed";

// The runs of one setting.
struct Setting {
  Json options;
  std::vector<const RunRow*> runs;
};
// The lines that runs of one task on one data set fill together.
struct LineGroup {
  const TaskEntry* task = nullptr;
  std::string data;
  std::vector<ResultLine> lines;
  std::vector<std::vector<Setting>> settings;  // by column
};

Json settingOf(const Json& options) {
  Json setting = options;
  for (const char* key : {kSeedOption, "device", "threads"}) setting.erase(key);
  return setting;
}

std::vector<ResultLine> linesOf(const TaskEntry& task, const RunRow& run) {
  if (task.results.lines != nullptr) return task.results.lines(run.options);
  std::vector<std::string> ids;
  for (const auto& [id, value] : run.last) ids.push_back(id);
  const auto headlines = MetricCatalogue(run.identity.metrics).headlines(ids);
  if (headlines.empty()) return {};
  return {{task.id, task.title, headlines.front()}};
}

bool sameEntries(const std::vector<ResultLine>& a, const std::vector<ResultLine>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ResultLine& x, const ResultLine& y) {
    return x.entry == y.entry && x.metric == y.metric;
  });
}

class TableMaker {
 public:
  TableMaker(std::size_t columns, SettingChoice choice) : m_columns(columns), m_choice(choice) {}

  Status add(std::size_t column, const RunRow& run) {
    const TaskEntry* task = taskOf(run.options);
    if (task == nullptr) return dataError(Phrase::tr("run %1 has no task that this program knows")(run.name));
    m_metrics.add(run.identity.metrics);
    const std::vector<ResultLine> lines = linesOf(*task, run);
    if (lines.empty()) return {};  // it failed or goes on, and says nothing of what it measures
    LineGroup& group = groupOf(*task, run.options.value(task->data.train, ""), lines);
    const Json setting = settingOf(run.options);
    auto& settings = group.settings[column];
    auto known = std::find_if(settings.begin(), settings.end(),
                              [&setting](const Setting& each) { return each.options == setting; });
    if (known == settings.end()) known = settings.insert(settings.end(), Setting{setting, {}});
    known->runs.push_back(&run);
    return {};
  }

  void fill(TaskTable& table) {
    std::stable_sort(m_groups.begin(), m_groups.end(), [](const LineGroup& a, const LineGroup& b) {
      return a.task != b.task ? a.task < b.task : a.lines.front().place < b.lines.front().place;
    });
    for (const LineGroup& group : m_groups) addLines(group, table);
    addAverages(table);
    pairUp(table);
  }

 private:
  LineGroup& groupOf(const TaskEntry& task, const std::string& data, const std::vector<ResultLine>& lines) {
    for (LineGroup& group : m_groups)
      if (group.task == &task && group.data == data && sameEntries(group.lines, lines)) return group;
    m_groups.push_back({&task, data, lines, std::vector<std::vector<Setting>>(m_columns)});
    return m_groups.back();
  }

  TaskTableCell cellOf(const Setting& setting, const Metric& metric) const {
    TaskTableCell cell;
    for (const RunRow* run : setting.runs) {
      const auto value = run->last.find(metric.id);
      if (isOpen(run->state))
        ++cell.open;
      else if (endedBadly(*run))
        cell.values.push_back(kNone);
      else if (value != run->last.end())
        cell.values.push_back(value->second);
    }
    cell.summary = summariseSeeds(cell.values);
    cell.mean = cell.summary.mean;
    if (m_choice == SettingChoice::BestMedian) cell.summary.mean = medianOfSeeds(cell.values).value_or(kNone);
    return cell;
  }

  // The first setting where none has finished.
  std::size_t chosen(const std::vector<Setting>& settings, const Metric& metric) const {
    std::size_t best = 0;
    double of = kNone;
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const double value = cellOf(settings[i], metric).summary.mean;
      if (!std::isfinite(value) || (std::isfinite(of) && !isBetter(metric.direction, value, of))) continue;
      best = i;
      of = value;
    }
    return best;
  }

  static Json differing(const std::vector<Setting>& settings, const Json& chosen) {
    Json own = Json::object();
    for (const auto& [key, value] : chosen.items())
      for (const Setting& each : settings)
        if (each.options.value(key, Json()) != value) own[key] = value;
    return own;
  }

  void addLines(const LineGroup& group, TaskTable& table) {
    const bool severalSets = std::any_of(m_groups.begin(), m_groups.end(), [&group](const LineGroup& other) {
      return other.task == group.task && other.data != group.data && sameEntries(other.lines, group.lines);
    });
    for (const ResultLine& line : group.lines) {
      TaskTableLine made{group.task->id, line.entry, line.title, m_metrics.of(line.metric), {}};
      if (severalSets) made.title += " (" + group.data + ")";
      const auto first = std::find_if(group.lines.begin(), group.lines.end(),
                                      [&line](const ResultLine& each) { return each.entry == line.entry; });
      bool any = &line == &*first && first == group.lines.begin();
      for (const auto& settings : group.settings) {
        TaskTableCell cell;
        if (!settings.empty()) {
          const Setting& best = settings[chosen(settings, m_metrics.of(first->metric))];
          cell = cellOf(best, made.metric);
          cell.settings = static_cast<int>(settings.size());
          cell.chosen = differing(settings, best.options);
          for (const Setting& each : settings)
            if (&each != &best) cell.open += cellOf(each, made.metric).open;
        }
        any = any || cell.summary.finished > 0;
        made.cells.push_back(std::move(cell));
      }
      if (any) table.lines.push_back(std::move(made));
    }
  }

  void addAverages(TaskTable& table) const {
    std::set<const TaskEntry*> tasks;
    for (const LineGroup& group : m_groups) tasks.insert(group.task);
    for (const TaskEntry* task : tasks) {
      if (task->results.average == nullptr) continue;
      TaskTableAverage average{task->id, "Overall", {}};
      for (std::size_t column = 0; column < m_columns; ++column) {
        std::map<std::string, std::vector<double>> entries;
        for (const TaskTableLine& line : table.lines)
          if (line.task == task->id && line.cells[column].settings > 0)
            entries[line.entry].push_back(line.cells[column].summary.mean);
        average.values.push_back(task->results.average(entries));
      }
      table.averages.push_back(std::move(average));
    }
  }

  void pairUp(TaskTable& table) const {
    for (std::size_t line = 0; line < table.lines.size(); ++line)
      for (std::size_t second = 1; second < m_columns; ++second) {
        const auto& cells = table.lines[line].cells;
        const auto comparison = compareSeeds(cells[second - 1].values, cells[second].values);
        if (comparison) table.pairings.push_back({line, second - 1, second, *comparison});
      }
  }

  std::size_t m_columns;
  SettingChoice m_choice;
  MetricCatalogue m_metrics;
  std::vector<LineGroup> m_groups;
};

TableCell shownCell(const TaskTableCell& cell) {
  if (cell.settings == 0) return std::string();
  return cell.summary;
}

TableCell shownAverage(const std::optional<double>& value) {
  return value ? TableCell(*value) : TableCell(std::string());
}

TableColumn::Best bestOf(const Metric& metric) {
  if (metric.direction == MetricDirection::None) return TableColumn::Best::None;
  return metric.direction == MetricDirection::Higher ? TableColumn::Best::Highest : TableColumn::Best::Lowest;
}

}  // namespace

Result<TaskTable> taskTable(const std::vector<TaskTableColumn>& columns, SettingChoice choice) {
  TaskTable table;
  TableMaker maker(columns.size(), choice);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    table.columns.push_back(columns[i].name);
    for (const RunRow& run : columns[i].runs) FATHOM_CHECK(maker.add(i, run));
  }
  maker.fill(table);
  return table;
}

PaperTable taskPaperTable(const TaskTable& table, bool modelsDown) {
  PaperTable paper;
  paper.columns.push_back({modelsDown ? "Model" : "Task"});
  if (!modelsDown) {
    for (const std::string& column : table.columns) paper.columns.push_back({markupOf(column)});
    for (const TaskTableLine& line : table.lines) {
      std::vector<TableCell> row = {markupOf(line.title)};
      for (const TaskTableCell& cell : line.cells) row.push_back(shownCell(cell));
      paper.rows.push_back(std::move(row));
    }
    for (const TaskTableAverage& average : table.averages) {
      std::vector<TableCell> row = {markupOf(average.title)};
      for (const auto& value : average.values) row.push_back(shownAverage(value));
      paper.rows.push_back(std::move(row));
    }
    return paper;
  }
  for (const TaskTableLine& line : table.lines)
    paper.columns.push_back({markupOf(line.title), std::max(line.metric.decimals, 0), bestOf(line.metric)});
  for (const TaskTableAverage& average : table.averages)
    paper.columns.push_back({markupOf(average.title), 2, TableColumn::Best::Highest});
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<TableCell> row = {markupOf(table.columns[column])};
    for (const TaskTableLine& line : table.lines) row.push_back(shownCell(line.cells[column]));
    for (const TaskTableAverage& average : table.averages)
      row.push_back(shownAverage(average.values[column]));
    paper.rows.push_back(std::move(row));
  }
  return paper;
}

}  // namespace fathom
