// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/run_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/base/json/json_members.h"
#include "core/base/options/axis_keys.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr Phrase::Text kHowToWrite =
    Phrase::tr("write key=value1,value2, or key1+key2=value1,value2 for options that go together");

// At most kAstronomic, however many axes there are.
std::size_t combinations(const std::vector<GridAxis>& axes) {
  constexpr std::size_t kAstronomic = 1'000'000'000'000;
  std::size_t count = 1;
  for (const GridAxis& axis : axes)
    count = axis.values.size() > kAstronomic / std::max<std::size_t>(count, 1) ? kAstronomic
                                                                               : count * axis.values.size();
  return count;
}

// Combination number `index` as one value an axis.
std::vector<Json> combination(const std::vector<GridAxis>& axes, std::size_t index) {
  std::vector<Json> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    values[i] = axes[i].values[index % axes[i].values.size()];
    index /= axes[i].values.size();
  }
  return values;
}

// The line of these values; a new one at the end where there is none yet.
GridLine& lineOf(GridTable& table, std::map<std::vector<std::string>, std::size_t>& known,
                 const std::vector<std::string>& values) {
  const auto [at, fresh] = known.try_emplace(values, table.lines.size());
  if (fresh) {
    table.lines.push_back({.values = values, .runs = {}, .cells = {}});
    table.lines.back().cells.resize(table.metrics.size());
  }
  return table.lines[at->second];
}

// NaN where the run failed; nothing where it has ended without the metric.
std::optional<double> resultOf(const RunFacts& run, const std::string& metric) {
  if (run.failed) return std::numeric_limits<double>::quiet_NaN();
  const auto found = run.last.find(metric);
  return found == run.last.end() ? std::nullopt : std::optional(found->second);
}

void summarise(GridTable& table, const std::vector<std::vector<const RunFacts*>>& ended) {
  for (std::size_t line = 0; line < table.lines.size(); ++line) {
    for (std::size_t i = 0; i < table.metrics.size(); ++i) {
      GridScore& cell = table.lines[line].cells[i];
      std::vector<double> values;
      for (const RunFacts* run : ended[line]) {
        if (const auto value = resultOf(*run, table.metrics[i].id))
          values.push_back(*value);
        else
          ++cell.without;
      }
      cell.summary = summariseSeeds(values);
      cell.values = std::move(values);
    }
  }
}

// Decimals of a column. Where none are declared: three digits or four, by the largest mean of the column.
int decimalsOf(const GridTable& table, std::size_t metric) {
  if (table.metrics[metric].decimals >= 0) return table.metrics[metric].decimals;
  double largest = 0;
  for (const GridLine& line : table.lines)
    if (std::isfinite(line.cells[metric].summary.mean))
      largest = std::max(largest, std::abs(line.cells[metric].summary.mean));
  return largest >= 100 ? 0 : largest >= 10 ? 1 : largest >= 1 ? 2 : 3;
}

void markBest(GridTable& table) {
  const PaperTable paper = gridPaperTable(table);
  for (std::size_t i = 0; i < table.metrics.size(); ++i) {
    const auto best = bestPrint(paper, table.keys.size() + i);
    for (GridLine& line : table.lines) {
      GridScore& cell = line.cells[i];
      cell.best = best && std::isfinite(cell.summary.mean) &&
                  fixedText(cell.summary.mean, table.metrics[i].decimals) == *best;
    }
  }
}

TableColumn::Best bestOf(MetricDirection direction) {
  if (direction == MetricDirection::None) return TableColumn::Best::None;
  return direction == MetricDirection::Higher ? TableColumn::Best::Highest : TableColumn::Best::Lowest;
}

// As many as were published, not fewer than the metric has.
int publishedDecimals(const PublishedColumn& column, int least) {
  constexpr int kMostDecimals = 4;
  for (int decimals = std::max(least, 0); decimals < kMostDecimals; ++decimals) {
    const double unit = std::pow(10.0, decimals);
    const auto whole = [unit](double value) {
      return !std::isfinite(value) || std::abs(std::round(value * unit) - value * unit) < 1e-6;
    };
    if (std::all_of(column.rows.begin(), column.rows.end(), [&](const PublishedColumn::Row& row) {
          return whole(row.score.mean) && whole(row.score.deviation);
        }))
      return decimals;
  }
  return kMostDecimals;
}

}  // namespace

Result<GridAxis> parseGridAxis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return usageError(Phrase::tr("'%1' is no axis of a grid")(text), kHowToWrite);
  GridAxis axis{text.substr(0, equals), {}};
  for (const std::string_view part : splitAt(std::string_view(text).substr(equals + 1), ',')) {
    const std::string value(part);
    if (std::find(axis.values.begin(), axis.values.end(), Json(value)) != axis.values.end())
      return usageError(Phrase::tr("the axis %1 has the value '%2' twice")(axis.key, value));
    axis.values.emplace_back(value);
  }
  return axis;
}

Json gridAxesToJson(const std::vector<GridAxis>& axes) {
  Json json = Json::array();
  for (const GridAxis& axis : axes) {
    json.push_back({{"key", axis.key}, {"values", Json(axis.values)}});
    if (!axis.title.empty()) json.back()["title"] = axis.title;
  }
  return json;
}

std::vector<GridAxis> gridAxesFromJson(const Json& json) {
  std::vector<GridAxis> axes;
  if (!json.is_array()) return axes;
  for (const Json& item : json) {
    if (!item.is_object() || !item.contains("values") || !item["values"].is_array()) continue;
    axes.push_back({item.value("key", std::string()), item["values"].get<std::vector<Json>>(),
                    item.value("title", std::string())});
  }
  return axes;
}

std::string axisValueText(const Json& value) {
  return value.is_object() ? asText(value.value("name", Json(""))) : asText(value);
}

Result<std::vector<GridPoint>> expandGrid(const std::vector<GridAxis>& axes) {
  if (axes.empty())
    return usageError(Phrase::tr("a grid needs at least one axis"),
                      Phrase::tr("give --over key=value1,value2"));
  const std::size_t count = combinations(axes);
  if (count > kMostGridRuns) {
    return usageError(Phrase::tr("the grid has %1 runs")(count), Phrase::tr("at most %1")(kMostGridRuns));
  }
  std::vector<GridPoint> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    points[i].values = combination(axes, i);
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const Json& value = points[i].values[a];
      if (value.is_object()) {
        const Json sets = value.value("options", Json::object());
        for (const auto& [key, set] : sets.items()) points[i].options.emplace_back(key, set);
        continue;
      }
      for (const std::string& key : axisKeys(axes[a].key)) points[i].options.emplace_back(key, value);
    }
  }
  return points;
}

GridTable gridTable(const std::vector<GridAxis>& axes, const std::vector<std::string>& runs,
                    const std::vector<RunFacts>& facts, const Metrics& metrics) {
  GridTable table;
  table.metrics = metrics;
  for (const GridAxis& axis : axes)
    if (!axis.isSeed()) {
      table.keys.push_back(axis.key);
      table.titles.push_back(axis.title);
    }
  std::map<std::string, const RunFacts*> byRun;
  for (const RunFacts& run : facts) byRun.emplace(run.run, &run);
  std::map<std::vector<std::string>, std::size_t> known;
  std::vector<std::vector<const RunFacts*>> ended;
  const std::size_t count = std::min(runs.size(), combinations(axes));
  for (std::size_t i = 0; i < count; ++i) {
    if (runs[i].empty()) continue;
    const std::vector<Json> all = combination(axes, i);
    std::vector<std::string> values;
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (!axes[a].isSeed()) values.push_back(axisValueText(all[a]));
    GridLine& line = lineOf(table, known, values);
    ended.resize(table.lines.size());
    line.runs.push_back(runs[i]);
    const auto run = byRun.find(runs[i]);
    if (run == byRun.end() || run->second->open)
      ++line.open;
    else
      ended[static_cast<std::size_t>(&line - table.lines.data())].push_back(run->second);
  }
  summarise(table, ended);
  for (std::size_t i = 0; i < table.metrics.size(); ++i) table.metrics[i].decimals = decimalsOf(table, i);
  markBest(table);
  return table;
}

std::vector<std::string> gridMetrics(const std::vector<RunFacts>& facts) {
  std::set<std::string> ids;
  for (const RunFacts& run : facts)
    for (const auto& [id, value] : run.last) ids.insert(id);
  return {ids.begin(), ids.end()};
}

const SeedSummary* GridTable::publishedOf(const GridLine& line, std::size_t column) const {
  for (const PublishedColumn::Row& row : published[column].rows) {
    bool fits = true;
    for (const auto& [key, value] : row.values) {
      const auto at = std::find(keys.begin(), keys.end(), key);
      fits = fits && at != keys.end() && line.values[static_cast<std::size_t>(at - keys.begin())] == value;
    }
    if (fits) return &row.score;
  }
  return nullptr;
}

bool GridTable::hasVerdicts() const {
  return std::any_of(lines.begin(), lines.end(),
                     [](const GridLine& line) { return !line.trainability.empty(); });
}

void addPublished(GridTable& table, const std::vector<PublishedColumn>& columns) {
  for (const PublishedColumn& column : columns) {
    if (findMetric(table.metrics, column.metric) == nullptr) continue;
    table.published.push_back(column);
    const std::size_t last = table.published.size() - 1;
    if (std::none_of(table.lines.begin(), table.lines.end(),
                     [&](const GridLine& line) { return table.publishedOf(line, last) != nullptr; }))
      table.published.pop_back();
  }
}

void addVerdicts(GridTable& table, const std::map<std::string, std::string>& byRun) {
  for (GridLine& line : table.lines) {
    for (const std::string& run : line.runs) {
      const auto found = byRun.find(run);
      if (found == byRun.end()) continue;
      line.trainability = found->second;
      break;
    }
  }
}

const std::string& valueWords(const GridLine& line, std::size_t axis) {
  return axis < line.words.size() ? line.words[axis] : line.values[axis];
}

void nameValues(GridTable& table, const OptionSchema& titles) {
  for (GridLine& line : table.lines) {
    line.words = line.values;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      const OptionField* field = titles.find(axisKeys(table.keys[i]).front());
      if (field == nullptr) continue;
      for (const OptionChoice& choice : field->choices)
        if (choice.id == line.values[i] && !choice.title.empty()) line.words[i] = choice.title;
    }
  }
}

PaperTable gridPaperTable(const GridTable& table, const std::vector<std::string>& titles) {
  PaperTable paper;
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const std::string& own =
        table.titles.empty() || table.titles[i].empty() ? table.keys[i] : table.titles[i];
    paper.columns.push_back({markupOf(i < titles.size() ? titles[i] : own)});
  }
  for (const Metric& metric : table.metrics)
    paper.columns.push_back({markupOf(metric.shortTitle), metric.decimals, bestOf(metric.direction)});
  for (const PublishedColumn& column : table.published)
    paper.columns.push_back({markupOf(column.source),
                             publishedDecimals(column, findMetric(table.metrics, column.metric)->decimals)});
  const bool judged = table.hasVerdicts();
  if (judged) paper.columns.push_back({"Trainability"});
  for (const GridLine& line : table.lines) {
    std::vector<TableCell> cells;
    for (std::size_t i = 0; i < line.values.size(); ++i) cells.emplace_back(markupOf(valueWords(line, i)));
    for (const GridScore& cell : line.cells) cells.emplace_back(cell.summary);
    for (std::size_t i = 0; i < table.published.size(); ++i) {
      const SeedSummary* score = table.publishedOf(line, i);
      cells.emplace_back(score != nullptr ? TableCell(*score) : TableCell(std::string()));
    }
    if (judged) {
      std::string verdict = line.trainability;
      std::replace(verdict.begin(), verdict.end(), '_', ' ');
      cells.emplace_back(markupOf(verdict));
    }
    paper.rows.push_back(std::move(cells));
  }
  return paper;
}

}  // namespace fathom
