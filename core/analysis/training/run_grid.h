// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/statistics/paper_table.h"
#include "core/base/options/metric.h"

namespace fathom {

// A grid: every combination of some options' values, seeds among them. How it is spelled, recorded and
// expanded, and what its runs come to; shell and window share all of it.
struct GridAxis {
  std::string key;           // or several that take the same value: core/base/options/axis_keys.h
  std::vector<Json> values;  // texts from the shell, values from the window
  // Title of an axis whose values are settings, {"name": "DT-Fixup", "options": {key: value}}: the key is
  // only a word for them ("scheme"), and this is how people read it; else empty.
  std::string title = {};
  bool isSeed() const { return key == "seed"; }
  bool isSettings() const { return !values.empty() && values.front().is_object(); }
};
// "key=v1,v2,..." or "key1+key2=v1,v2,...": usage error otherwise.
Result<GridAxis> parseGridAxis(const std::string& text);
// As GridRecord::axes keeps them.
Json gridAxesToJson(const std::vector<GridAxis>& axes);
std::vector<GridAxis> gridAxesFromJson(const Json& json);
// A value as tables, names and assignments spell it; of a setting its name.
std::string axisValueText(const Json& value);

// One combination.
struct GridPoint {
  std::vector<Json> values;                           // one an axis
  std::vector<std::pair<std::string, Json>> options;  // one a key; of a setting all it sets
};
inline constexpr std::size_t kMostGridRuns = 10'000;
// All of them, the last axis fastest, so that the seeds of one setting come after each other. Usage error
// without an axis and for more than kMostGridRuns.
Result<std::vector<GridPoint>> expandGrid(const std::vector<GridAxis>& axes);

// All runs of one setting, whatever their seed, by one metric.
struct GridScore {
  SeedSummary summary;              // diverged, failed, crashed, killed and lost runs count as failed
  std::vector<double> values = {};  // of the runs in it, NaN where one failed
  int without = 0;                  // finished, but without the metric: not in the summary
  bool best = false;                // of its column, as printed
};
struct GridLine {
  std::vector<std::string> values;      // one an axis other than the seed
  std::vector<std::string> words = {};  // what people call them, see nameValues; empty = as they are
  std::vector<std::string> runs;
  int open = 0;                  // queued or at work: in no summary
  std::vector<GridScore> cells;  // one a metric
  std::string trainability;      // trainabilityName() of its model before training, "" = nobody has looked
};
// Values that a paper gives for some lines, by the values of the axes that matter; in the last columns.
struct PublishedColumn {
  std::string metric, source;  // "valid.exact_match", "DT-Fixup Table 5"
  struct Row {
    std::map<std::string, std::string> values;  // key of an axis -> value
    SeedSummary score;
  };
  std::vector<Row> rows;
};
struct GridTable {
  std::vector<std::string> keys;    // axes other than the seed
  std::vector<std::string> titles;  // of axes of settings, else empty; parallel to keys
  Metrics metrics;                  // complete; decimals as the values ask for where none are declared
  std::vector<GridLine> lines;
  std::vector<PublishedColumn> published;  // that say something of a line and a metric of the table
  // True if any line was judged before training; the column is the last one.
  bool hasVerdicts() const;
  // Null where the paper says nothing of the line.
  const SeedSummary* publishedOf(const GridLine& line, std::size_t column) const;
};
// `runs`: UUIDs in the order of expandGrid, "" for one that was deleted and counts nowhere; one without facts
// is open. `metrics`: complete (core/library/runs/metric_catalogue.h). The latest values count.
GridTable gridTable(const std::vector<GridAxis>& axes, const std::vector<std::string>& runs,
                    const std::vector<RunFacts>& facts, const Metrics& metrics);
void addPublished(GridTable& table, const std::vector<PublishedColumn>& columns);
// Adds the trainability check's verdict on a run's model to its line: seeds of one line share it.
void addVerdicts(GridTable& table, const std::map<std::string, std::string>& byRun);
// Titles of values whose option is a choice ("Post-LN"), for tables that people read.
void nameValues(GridTable& table, const OptionSchema& titles);
const std::string& valueWords(const GridLine& line, std::size_t axis);
// Ids of all metrics that any of these runs has, in alphabetical order.
std::vector<std::string> gridMetrics(const std::vector<RunFacts>& facts);
// For LaTeX. `titles`: of the keys, as plain text; the keys themselves without.
PaperTable gridPaperTable(const GridTable& table, const std::vector<std::string>& titles = {});

}  // namespace fathom
