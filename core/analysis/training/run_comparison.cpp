// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/options/seed_options.h"

namespace fathom {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int kUsualDecimals = 2;

std::vector<ComparedColumn> columnsOf(const std::vector<RunFacts>& runs,
                                      const std::vector<std::string>& groups) {
  std::vector<ComparedColumn> columns;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i >= groups.size() || groups[i].empty()) {
      columns.push_back({runs[i].name, {i}, false});
      continue;
    }
    const auto [at, fresh] = known.try_emplace(groups[i], columns.size());
    if (fresh) columns.emplace_back();
    columns[at->second].runs.push_back(i);
  }
  for (ComparedColumn& column : columns) {
    std::vector<std::string> names;
    for (const std::size_t run : column.runs) names.push_back(runs[run].name);
    column.name = names.size() == 1 ? names.front() : seedGroupName(names);
    column.failed = std::all_of(column.runs.begin(), column.runs.end(),
                                [&](std::size_t run) { return runs[run].failed; });
  }
  return columns;
}

// The value that all runs of a column have; null where they differ.
Json valueIn(const std::vector<RunFacts>& runs, const ComparedColumn& column, const std::string& key) {
  Json value;
  for (std::size_t i = 0; i < column.runs.size(); ++i) {
    const Json& options = runs[column.runs[i]].options;
    const Json own = options.contains(key) ? options[key] : Json();
    if (i > 0 && own != value) return {};
    value = own;
  }
  return value;
}

std::vector<ComparedOption> optionsOf(const std::vector<RunFacts>& runs,
                                      const std::vector<ComparedColumn>& columns) {
  std::vector<const Json*> all;
  for (const RunFacts& run : runs) all.push_back(&run.options);
  std::vector<ComparedOption> kept;
  for (ComparedOption& option : differingOptions(all)) {
    std::vector<Json> values;
    for (const ComparedColumn& column : columns) values.push_back(valueIn(runs, column, option.key));
    // Seeds that differ inside of the groups alone say nothing of the columns.
    const bool same =
        std::all_of(values.begin(), values.end(), [&](const Json& value) { return value == values.front(); });
    if (same && !option.deciding) continue;
    option.values = std::move(values);
    kept.push_back(std::move(option));
  }
  std::stable_partition(kept.begin(), kept.end(), [](const ComparedOption& each) { return each.deciding; });
  return kept;
}

double valueOf(const RunFacts& run, const std::string& metric, bool best) {
  if (best) {
    const auto found = run.best.find(metric);
    if (found != run.best.end()) return found->second;
  }
  const auto found = run.last.find(metric);
  return found != run.last.end() ? found->second : kNone;
}

// Equal columns have no best one.
void markBest(ComparedScore& score, const std::vector<ComparedColumn>& columns) {
  score.best.assign(score.values.size(), false);
  std::optional<double> best, worst;
  const MetricDirection direction = score.metric.direction;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double value = score.values[i].mean;
    if (columns[i].failed || !std::isfinite(value)) continue;
    if (!best || isBetter(direction, value, *best)) best = value;
    if (!worst || isBetter(direction, *worst, value)) worst = value;
  }
  if (direction == MetricDirection::None || best == worst) return;
  for (std::size_t i = 0; i < columns.size(); ++i)
    score.best[i] = !columns[i].failed && score.values[i].mean == *best;
}

std::optional<ComparedScore> scoreOf(const std::vector<RunFacts>& runs, const RunComparison& comparison,
                                     const Metric& metric, bool best) {
  ComparedScore score{.metric = metric};
  std::vector<std::vector<double>> all;
  bool any = false;
  for (const ComparedColumn& column : comparison.columns) {
    std::vector<double> values;
    for (const std::size_t run : column.runs) {
      const bool counts = column.runs.size() == 1 || !runs[run].failed;
      values.push_back(counts ? valueOf(runs[run], metric.id, best) : kNone);
      any = any || runs[run].last.contains(metric.id) || runs[run].best.contains(metric.id);
    }
    score.values.push_back(summariseSeeds(values));
    all.push_back(std::move(values));
  }
  if (!any) return std::nullopt;
  markBest(score, comparison.columns);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool itself = i == comparison.base;
    score.differences.push_back(itself ? kNone : score.values[i].mean - score.values[comparison.base].mean);
    score.tests.push_back(itself ? std::nullopt : compareSeeds(all[comparison.base], all[i]));
  }
  return score;
}

TableColumn::Best bestWay(MetricDirection direction) {
  if (direction == MetricDirection::None) return TableColumn::Best::None;
  return direction == MetricDirection::Higher ? TableColumn::Best::Highest : TableColumn::Best::Lowest;
}

int decimalsOf(const Metric& metric) {
  return metric.decimals >= 0 ? metric.decimals : kUsualDecimals;
}

std::vector<const ComparedScore*> printedScores(const RunComparison& comparison) {
  std::vector<const ComparedScore*> directed, all;
  for (const ComparedScore& score : comparison.scores) {
    all.push_back(&score);
    if (score.metric.direction != MetricDirection::None) directed.push_back(&score);
  }
  return directed.empty() ? all : directed;
}

TableCell cellOf(const SeedSummary& value) {
  if (value.runs > 1) return value;
  return value.mean;
}

std::string signedText(double value, int decimals) {
  return (value > 0 ? "+" : "") + fixedText(value, decimals);
}

// Difference from the base, and where it was tested its interval and p.
void addDifference(const RunComparison& comparison, const ComparedScore& score, std::size_t column,
                   bool tested, std::vector<TableCell>& cells) {
  const int decimals = decimalsOf(score.metric);
  const double difference = score.differences[column];
  cells.emplace_back(std::isfinite(difference) ? signedText(difference, decimals) : std::string("–"));
  if (!tested) return;
  const auto& test = score.tests[column];
  const bool itself = column == comparison.base;
  cells.emplace_back(test && !itself
                         ? signedText(test->low, decimals) + " to " + signedText(test->high, decimals)
                         : std::string("–"));
  cells.emplace_back(test && !itself ? probabilityMarkup(test->pValue) : std::string("–"));
}

}  // namespace

std::vector<ComparedOption> differingOptions(const std::vector<const Json*>& options) {
  std::vector<std::string> keys;
  std::map<std::string, bool> seen;
  for (const Json* each : options)
    for (const auto& [key, value] : each->items())
      if (seen.try_emplace(key, true).second) keys.push_back(key);
  std::vector<ComparedOption> differing;
  for (const std::string& key : keys) {
    ComparedOption option{key, {}, setsRunsApart(key)};
    for (const Json* each : options) option.values.push_back(each->contains(key) ? (*each)[key] : Json());
    const bool same = std::all_of(option.values.begin(), option.values.end(),
                                  [&](const Json& value) { return value == option.values.front(); });
    if (!same) differing.push_back(std::move(option));
  }
  return differing;
}

RunComparison compareRuns(const std::vector<RunFacts>& runs, const Metrics& metrics,
                          const CompareRequest& request) {
  RunComparison comparison;
  comparison.columns = columnsOf(runs, request.groups);
  for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
    const auto& own = comparison.columns[i].runs;
    if (std::find(own.begin(), own.end(), request.base) != own.end()) comparison.base = i;
  }
  comparison.options = optionsOf(runs, comparison.columns);
  if (comparison.columns.empty()) return comparison;
  for (const Metric& metric : metrics)
    if (auto score = scoreOf(runs, comparison, metric, request.best))
      comparison.scores.push_back(std::move(*score));
  return comparison;
}

std::string comparedValueText(const Json& value) {
  if (value.is_null() || (value.is_array() && value.empty())) return "–";
  if (value.is_array()) {
    std::string words;
    for (const Json& each : value) words += (words.empty() ? "" : ", ") + comparedValueText(each);
    return words;
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

PaperTable comparisonPaperTable(const RunComparison& comparison, const std::vector<std::string>& titles) {
  PaperTable table;
  table.columns.push_back({"Run"});
  std::vector<const ComparedOption*> options;
  for (std::size_t i = 0; i < comparison.options.size(); ++i) {
    const ComparedOption& option = comparison.options[i];
    if (!option.deciding) continue;
    options.push_back(&option);
    table.columns.push_back({markupOf(i < titles.size() ? titles[i] : option.key)});
  }
  const auto scores = printedScores(comparison);
  for (const ComparedScore* score : scores)
    table.columns.push_back(
        {markupOf(score->metric.shortTitle), decimalsOf(score->metric), bestWay(score->metric.direction)});
  const ComparedScore* first = scores.empty() ? nullptr : scores.front();
  const bool tested = first != nullptr && std::any_of(first->tests.begin(), first->tests.end(),
                                                      [](const auto& test) { return test.has_value(); });
  if (first != nullptr) table.columns.push_back({"&Delta; " + markupOf(first->metric.shortTitle)});
  if (tested) {
    table.columns.push_back({"95 %"});
    table.columns.push_back({"<i>p</i>"});
  }
  for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
    std::vector<TableCell> cells = {markupOf(comparison.columns[i].name)};
    for (const ComparedOption* option : options)
      cells.emplace_back(markupOf(comparedValueText(option->values[i])));
    for (const ComparedScore* score : scores) cells.push_back(cellOf(score->values[i]));
    if (first != nullptr) addDifference(comparison, *first, i, tested, cells);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace fathom
