// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/grid_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/errors/phrase.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

// The first metric that the line's runs have: tasks of one table may be scored differently.
std::size_t metricOf(const GridTable& table, const GridLine& line) {
  for (std::size_t i = 0; i < table.metrics.size(); ++i)
    if (line.cells[i].summary.finished > 0) return i;
  return 0;
}

SeedSummary shownSummary(const GridTable& table, const GridChoice& choice, std::size_t metric) {
  SeedSummary summary = table.lines[choice.line].cells[metric].summary;
  summary.mean = choice.medians[metric];
  return summary;
}

Result<std::vector<std::size_t>> placesOf(const GridTable& table, const std::vector<std::string>& by) {
  std::vector<std::size_t> places;
  for (const std::string& key : by) {
    const auto found = std::find(table.keys.begin(), table.keys.end(), key);
    if (found == table.keys.end())
      return usageError(Phrase::tr("the grid has no axis '%1'")(key),
                        Phrase::tr("there are: %1")(joined(table.keys)));
    places.push_back(static_cast<std::size_t>(found - table.keys.begin()));
  }
  return places;
}

std::vector<double> middlesOf(const GridLine& line, SettingChoice choice) {
  std::vector<double> middles;
  for (const GridScore& cell : line.cells)
    middles.push_back(choice == SettingChoice::BestMean
                          ? cell.summary.mean
                          : medianOfSeeds(cell.values).value_or(std::numeric_limits<double>::quiet_NaN()));
  return middles;
}

// All that finished, each pair of neighbours in the last compared axis and equal in the others.
void pairUp(const GridTable& table, GridSelection& selection) {
  for (std::size_t a = 0; a < selection.choices.size(); ++a) {
    for (std::size_t b = a + 1; b < selection.choices.size(); ++b) {
      const GridChoice &first = selection.choices[a], &second = selection.choices[b];
      if (!std::equal(first.group.begin(), first.group.end() - 1, second.group.begin())) continue;
      const GridLine &own = table.lines[first.line], &other = table.lines[second.line];
      const std::size_t metric = metricOf(table, own);
      if (metric != metricOf(table, other)) continue;
      const auto comparison = compareSeeds(own.cells[metric].values, other.cells[metric].values);
      if (comparison) selection.pairings.push_back({a, b, *comparison});
    }
  }
}

}  // namespace

Result<GridSelection> selectBest(const GridTable& table, std::vector<std::string> by, SettingChoice choice) {
  GridSelection selection;
  if (by.empty())
    for (std::size_t i = 0; i < table.keys.size(); ++i)
      if (i < table.titles.size() && !table.titles[i].empty()) by.push_back(table.keys[i]);
  FATHOM_TRY(selection.places, placesOf(table, by));
  selection.by = std::move(by);
  for (const Metric& metric : table.metrics)
    if (metric.direction == MetricDirection::None)
      return usageError(Phrase::tr("nothing says which values of '%1' are better")(metric.id),
                        Phrase::tr("choose a metric with --metric"));
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const GridLine& line = table.lines[i];
    std::vector<std::string> group;
    for (const std::size_t place : selection.places) group.push_back(line.values[place]);
    auto known = std::find_if(selection.choices.begin(), selection.choices.end(),
                              [&](const GridChoice& choice) { return choice.group == group; });
    const bool fresh = known == selection.choices.end();
    if (fresh) {
      selection.choices.push_back({.group = group, .line = i, .medians = middlesOf(line, choice)});
      known = selection.choices.end() - 1;
    }
    ++known->settings;
    known->open += line.open;
    const std::vector<double> medians = middlesOf(line, choice);
    const std::size_t metric = metricOf(table, line);
    const double best = known->medians[metric];
    const bool better =
        std::isfinite(medians[metric]) &&
        (!std::isfinite(best) || isBetter(table.metrics[metric].direction, medians[metric], best));
    if (!better) continue;
    known->line = i;
    known->medians = medians;
  }
  if (!selection.by.empty()) pairUp(table, selection);
  return selection;
}

namespace {

TableColumn::Best bestOfMetric(const Metric& metric) {
  return metric.direction == MetricDirection::Higher ? TableColumn::Best::Highest : TableColumn::Best::Lowest;
}

// Rows by the first axis, columns by the second.
PaperTable crossTable(const GridTable& table, const GridSelection& selection) {
  PaperTable paper;
  std::vector<std::string> rows, columns;
  for (const GridChoice& choice : selection.choices) {
    if (std::find(rows.begin(), rows.end(), choice.group[0]) == rows.end()) rows.push_back(choice.group[0]);
    if (std::find(columns.begin(), columns.end(), choice.group[1]) == columns.end())
      columns.push_back(choice.group[1]);
  }
  paper.columns.push_back({markupOf(selection.by[0])});
  for (const std::string& column : columns)
    paper.columns.push_back({markupOf(column), table.metrics.front().decimals});
  for (const std::string& row : rows) {
    std::vector<TableCell> cells = {markupOf(row)};
    for (const std::string& column : columns) {
      const auto found =
          std::find_if(selection.choices.begin(), selection.choices.end(), [&](const GridChoice& choice) {
            return choice.group == std::vector<std::string>{row, column};
          });
      if (found == selection.choices.end())
        cells.emplace_back(std::string());
      else
        cells.emplace_back(shownSummary(table, *found, metricOf(table, table.lines[found->line])));
    }
    paper.rows.push_back(std::move(cells));
  }
  return paper;
}

}  // namespace

PaperTable selectionPaperTable(const GridTable& table, const GridSelection& selection) {
  if (selection.by.size() == 2) return crossTable(table, selection);
  PaperTable paper;
  for (const std::string& key : selection.by) paper.columns.push_back({markupOf(key)});
  for (const Metric& metric : table.metrics)
    paper.columns.push_back({markupOf(metric.shortTitle), metric.decimals, bestOfMetric(metric)});
  for (const GridChoice& choice : selection.choices) {
    std::vector<TableCell> cells;
    for (const std::string& value : choice.group) cells.emplace_back(markupOf(value));
    for (std::size_t i = 0; i < table.metrics.size(); ++i) cells.emplace_back(shownSummary(table, choice, i));
    paper.rows.push_back(std::move(cells));
  }
  return paper;
}

}  // namespace fathom
