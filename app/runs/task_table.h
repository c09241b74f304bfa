// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/statistics/paper_table.h"
#include "core/analysis/statistics/seed_comparison.h"
#include "core/analysis/training/grid_selection.h"
#include "core/base/options/metric.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// Several tasks times several models as papers print them (RealFormer Tables 3 and 4, DT-Fixup Tables 4 and
// 5; docs/fine_tuning.md §7): a line for each score of a task, a column for each model.

struct TaskTableColumn {
  std::string name;
  std::vector<RunRow> runs;  // of any tasks, settings and seeds; with their options
};

// One cell. The shown setting (what remains of the options without the seed) is that of SettingChoice, by the
// first metric of the line's entry.
struct TaskTableCell {
  SeedSummary summary;           // `mean`: the median where medians choose
  double mean = 0;               // NaN where no run finished
  std::vector<double> values;    // of the chosen setting's runs, NaN where one failed
  int settings = 0;              // that were tried; 0: the model has no run of this task
  int open = 0;                  // runs of them that are not done
  Json chosen = Json::object();  // options in which the chosen setting differs from the others
};
struct TaskTableLine {
  std::string task, entry, title;  // as TaskResults has them
  Metric metric;
  std::vector<TaskTableCell> cells;  // one a column
};
struct TaskTableAverage {
  std::string task, title;
  std::vector<std::optional<double>> values;  // one a column; none while entries are missing
};
// Two neighbouring columns on one line.
struct TaskTablePairing {
  std::size_t line = 0, first = 0, second = 0;
  SeedComparison comparison;
};
struct TaskTable {
  std::vector<std::string> columns;
  std::vector<TaskTableLine> lines;  // tasks as they are listed, a score that no run has is left out
  std::vector<TaskTableAverage> averages;
  std::vector<TaskTablePairing> pairings;
};

// A data set apart (another training file of the same task) has lines of its own, with its name behind the
// title. Data error for a run without a known task.
Result<TaskTable> taskTable(const std::vector<TaskTableColumn>& columns, SettingChoice choice);

// For LaTeX and CSV: models beside each other, or, `modelsDown`, below each other.
PaperTable taskPaperTable(const TaskTable& table, bool modelsDown);

}  // namespace fathom
