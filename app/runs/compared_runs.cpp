// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/compared_runs.h"

#include <algorithm>
#include <set>
#include <string>

#include "app/runs/run_json.h"
#include "core/analysis/statistics/seed_groups.h"
#include "core/record/import/foreign_run.h"

namespace fathom {

Metrics comparedMetrics(const std::vector<RunFacts>& runs, const MetricCatalogue& catalogue) {
  std::set<std::string> ids;
  for (const RunFacts& run : runs) {
    for (const auto& [id, value] : run.last) ids.insert(id);
    for (const auto& [id, value] : run.best) ids.insert(id);
  }
  Metrics metrics;
  for (const std::string& id : catalogue.headlines({ids.begin(), ids.end()}))
    metrics.push_back(catalogue.of(id));
  const auto said = static_cast<std::ptrdiff_t>(metrics.size());
  for (const std::string& id : ids)
    if (findMetric(metrics, id) == nullptr) metrics.push_back(catalogue.of(id));
  std::stable_partition(metrics.begin() + said, metrics.end(),
                        [](const Metric& metric) { return metric.direction != MetricDirection::None; });
  return metrics;
}

RunComparison compareRows(const std::vector<RunRow>& rows, bool groupSeeds, bool best) {
  std::vector<RunFacts> facts;
  MetricCatalogue catalogue;
  std::vector<const Json*> options;
  std::vector<std::string> origins;
  for (const RunRow& row : rows) {
    facts.push_back(runFacts(row));
    catalogue.add(row.identity.metrics);
    options.push_back(&row.options);
    origins.push_back(importOrigin(row.identity.provenance));
  }
  CompareRequest request{.best = best};
  if (groupSeeds) request.groups = seedGroups(options, origins);
  return compareRuns(facts, comparedMetrics(facts, catalogue), request);
}

}  // namespace fathom
