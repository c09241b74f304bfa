// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/training/stability_grid.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/base/errors/error_key.h"
#include "core/base/json/json_members.h"

namespace fathom {

namespace {

// True for options that tell where and how a run was made, not what it is.
bool ofNoConcern(const std::string& key) {
  static const std::set<std::string> keys = {"seed", "device", "device.graphs", "threads"};
  return keys.count(key) != 0 || key.rfind("analysis.", 0) == 0;
}

// Numbers by value, then texts.
bool before(const Json& a, const Json& b) {
  if (a.is_number() != b.is_number()) return a.is_number();
  if (a.is_number()) return a.get<double>() < b.get<double>();
  return asText(a) < asText(b);
}

Result<std::vector<Json>> valuesOf(const std::vector<RunFacts>& runs, const std::string& key) {
  std::vector<Json> values;
  for (const RunFacts& run : runs) {
    if (!run.options.contains(key)) {
      return aboutKey(key, dataError(Phrase::tr("run %1 has no option '%2'")(run.name, key),
                                     Phrase::tr("name another option")));
    }
    if (std::find(values.begin(), values.end(), run.options[key]) == values.end())
      values.push_back(run.options[key]);
  }
  std::sort(values.begin(), values.end(), before);
  return values;
}

// NaN for a failed run; a stopped one counts with what it reached.
double scoreOf(const RunFacts& run, const StabilityRequest& request) {
  const auto& values = request.best && run.best.count(request.metric) != 0 ? run.best : run.last;
  const auto found = values.find(request.metric);
  if (run.failed || found == values.end()) return std::numeric_limits<double>::quiet_NaN();
  return found->second;
}

std::vector<std::string> otherDifferences(const std::vector<RunFacts>& runs,
                                          const StabilityRequest& request) {
  std::vector<std::string> keys;
  if (runs.empty()) return keys;
  for (const auto& [key, value] : runs.front().options.items()) {
    if (ofNoConcern(key) || key == request.x || key == request.y) continue;
    const std::string name = key;
    const Json& first = value;
    if (std::any_of(runs.begin(), runs.end(), [&name, &first](const RunFacts& run) {
          return !run.options.contains(name) || run.options[name] != first;
        }))
      keys.push_back(name);
  }
  return keys;
}

std::size_t placeOf(const std::vector<Json>& values, const Json& value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

std::vector<std::string> stabilityMetrics(const std::vector<RunFacts>& runs) {
  std::set<std::string> validated, all;
  for (const RunFacts& run : runs) {
    for (const auto& [id, value] : run.best) validated.insert(id);
    for (const auto& [id, value] : run.last) all.insert(id);
  }
  const std::set<std::string>& ids = validated.empty() ? all : validated;
  return {ids.begin(), ids.end()};
}

Result<StabilityGrid> computeStabilityGrid(const std::vector<RunFacts>& runs,
                                           const StabilityRequest& request) {
  if (runs.empty()) return noRunChosen(Phrase::tr("name the runs of a grid"));
  FATHOM_TRY(const std::vector<Json> x, valuesOf(runs, request.x));
  FATHOM_TRY(const std::vector<Json> y, valuesOf(runs, request.y));
  StabilityGrid grid;
  grid.request = request;
  for (const Json& value : x) grid.xValues.push_back(asText(value));
  for (const Json& value : y) grid.yValues.push_back(asText(value));
  grid.cells.resize(x.size() * y.size());
  std::vector<std::vector<double>> scores(grid.cells.size());
  for (const RunFacts& run : runs) {
    const std::size_t at = placeOf(y, run.options[request.y]) * x.size() + placeOf(x, run.options[request.x]);
    StabilityCell& cell = grid.cells[at];
    cell.runs.push_back(run.name);
    if (run.open) {
      ++cell.open;
      continue;
    }
    cell.diverged += run.outcome == RunState::Diverged ? 1 : 0;
    scores[at].push_back(scoreOf(run, request));
  }
  for (std::size_t i = 0; i < scores.size(); ++i) grid.cells[i].summary = summariseSeeds(scores[i]);
  grid.alsoDiffer = otherDifferences(runs, request);
  return grid;
}

}  // namespace fathom
