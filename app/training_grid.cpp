// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/training_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/axis_keys.h"
#include "core/base/hash.h"

namespace fathom {

namespace {

constexpr const char* kSeedKey = "seed";
constexpr std::size_t kMostRuns = 10'000;

std::string pointName(const std::string& grid, const std::vector<GridAxis>& axes,
                      const std::vector<std::string>& values) {
  std::string name = grid;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string label = axes[i].key == kSeedKey ? "seed " : "";
    name += (name.empty() ? "" : " ") + label + values[i];
  }
  return name;
}

const RunRow* rowOf(const std::vector<RunRow>& rows, const std::string& uuid) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const RunRow& r) { return r.identity.uuid == uuid; });
  return found == rows.end() ? nullptr : &*found;
}

MetricCatalogue catalogueOf(const std::vector<RunRow>& rows) {
  MetricCatalogue metrics;
  for (const RunRow& row : rows) metrics.add(row.identity.metrics);
  return metrics;
}

bool isOpen(const RunRow* row) {
  return row == nullptr || row->state == RunState::Queued || row->state == RunState::Running ||
         row->state == RunState::Stalled;
}

// Counts the run, or adds its value for the summary: NaN where it failed.
void settle(const RunRow* row, const std::string& metric, GridLine& line, std::vector<double>& values) {
  if (isOpen(row)) {
    ++line.open;
  } else if (isFailure(row->state)) {
    values.push_back(std::numeric_limits<double>::quiet_NaN());
  } else if (const auto found = row->last.find(metric); found != row->last.end()) {
    values.push_back(found->second);
  } else {
    ++line.without;
  }
}

// Combination number `index` as one value an axis, the last axis fastest.
std::vector<std::string> combination(const std::vector<GridAxis>& axes, std::size_t index) {
  std::vector<std::string> values(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    values[i] = axes[i].values[index % axes[i].values.size()];
    index /= axes[i].values.size();
  }
  return values;
}

std::size_t combinations(const std::vector<GridAxis>& axes) {
  std::size_t count = 1;
  for (const GridAxis& axis : axes) count *= axis.values.size();
  return count;
}

std::vector<GridAxis> axesOf(const GridRecord& grid) {
  std::vector<GridAxis> axes;
  for (const Json& item : grid.axes) {
    GridAxis axis{item.at("key").get<std::string>(), {}};
    for (const Json& value : item.at("values"))  // the window records values, the shell their texts
      axis.values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace

Result<GridAxis> parseGridAxis(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return usageError("'" + text + "' is no axis of a grid",
                      "write key=value1,value2, or key1+key2=value1,value2 for options that go together");
  }
  GridAxis axis{text.substr(0, equals), {}};
  std::size_t start = equals + 1;
  while (start <= text.size()) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    axis.values.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  for (const std::string& value : axis.values) {
    if (std::count(axis.values.begin(), axis.values.end(), value) > 1) {
      return usageError("the axis " + axis.key + " has the value '" + value + "' twice");
    }
  }
  return axis;
}

Result<std::vector<GridPoint>> expandGrid(const EngineDescription& engine, const TrainingRequest& base,
                                          const std::vector<GridAxis>& axes) {
  const std::size_t count = combinations(axes);
  if (axes.empty()) return usageError("a grid needs at least one axis", "give --over key=value1,value2");
  if (count > kMostRuns) {
    return usageError("the grid has " + std::to_string(count) + " runs",
                      "at most " + std::to_string(kMostRuns));
  }
  std::vector<GridPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    GridPoint point;
    point.values = combination(axes, i);
    TrainingRequest request = base;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      for (const std::string& key : axisKeys(axes[a].key))
        request.assignments.push_back(key + "=" + point.values[a]);
    }
    request.name = pointName(base.name, axes, point.values);
    auto config = trainingConfig(engine, request);
    if (!config) {
      Error error = config.error();
      error.message = "combination '" + request.name + "': " + error.message;
      return error;
    }
    point.config = std::move(*config);
    points.push_back(std::move(point));
  }
  return points;
}

QueueRecord gridRecord(ProjectLibrary& library, const GridRecord& grid) {
  return {[&library, grid]() -> Status {
            const auto before = library.setGrid(grid);
            return before.ok() ? Status() : Status(before.error());
          },
          [&library, uuid = grid.uuid] { (void)library.removeGrid(uuid).ok(); }};
}

Result<GridRecord> launchGrid(ProjectLibrary& library, const EngineDescription& engine,
                              const TrainingRequest& base, const std::vector<GridAxis>& axes,
                              const std::string& name) {
  TrainingRequest request = base;
  request.project = library.path();
  FATHOM_TRY(const auto points, expandGrid(engine, request, axes));
  GridRecord grid;
  grid.uuid = makeUuid();
  grid.name = name;
  grid.created = isoTimeNow();
  grid.base = runConfigToJson(points.front().config);
  for (const GridAxis& axis : axes) grid.axes.push_back({{"key", axis.key}, {"values", axis.values}});
  std::vector<QueueEntry> entries;
  for (const GridPoint& point : points) {
    entries.push_back(trainingEntry(library.path(), point.config, grid.uuid));
    grid.runs.push_back(entries.back().uuid);
  }
  FATHOM_TRY(const QueuedRuns queued,
             queueRuns(library.path(), std::move(entries), false, gridRecord(library, grid)));
  return grid;
}

GridTable gridTable(const GridRecord& grid, const std::vector<RunRow>& rows, const std::string& metric) {
  const std::vector<GridAxis> axes = axesOf(grid);
  GridTable table;
  table.metric = catalogueOf(rows).of(metric);
  for (const GridAxis& axis : axes) {
    if (axis.key != kSeedKey) table.keys.push_back(axis.key);
  }
  std::vector<std::vector<double>> settled;
  for (std::size_t i = 0; i < grid.runs.size() && i < combinations(axes); ++i) {
    const auto all = combination(axes, i);
    std::vector<std::string> values;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (axes[a].key != kSeedKey) values.push_back(all[a]);
    }
    auto line = std::find_if(table.lines.begin(), table.lines.end(),
                             [&](const GridLine& l) { return l.values == values; });
    if (line == table.lines.end()) {
      table.lines.push_back({values, {}, 0, 0, {}});
      settled.emplace_back();
      line = table.lines.end() - 1;
    }
    line->runs.push_back(grid.runs[i]);
    settle(rowOf(rows, grid.runs[i]), metric, *line,
           settled[static_cast<std::size_t>(line - table.lines.begin())]);
  }
  for (std::size_t i = 0; i < table.lines.size(); ++i) table.lines[i].summary = summariseSeeds(settled[i]);
  return table;
}

std::string gridHeadline(const GridRecord& grid, const std::vector<RunRow>& rows) {
  const std::string headline = catalogueOf(rows).headline(gridMetrics(grid, rows));
  return headline.empty() ? "valid.nll" : headline;
}

std::vector<std::string> gridMetrics(const GridRecord& grid, const std::vector<RunRow>& rows) {
  std::set<std::string> metrics;
  for (const std::string& uuid : grid.runs)
    if (const RunRow* row = rowOf(rows, uuid); row != nullptr)
      for (const auto& [metric, value] : row->last) metrics.insert(metric);
  return {metrics.begin(), metrics.end()};
}

bool isFailure(RunState state) {
  return state == RunState::Diverged || state == RunState::Failed || state == RunState::Crashed ||
         state == RunState::Killed || state == RunState::Lost;
}

}  // namespace fathom
