// SPDX-License-Identifier: Apache-2.0
// Reading one row of run_listing.h from a run's folder.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "core/library/runs/metric_catalogue.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/scalar_summary.h"
#include "core/record/import/foreign_metrics.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/run_config.h"

namespace fathom {

namespace {

void addBest(RunRow& row, MetricDirection direction, const std::string& metric, double value,
             std::int64_t step) {
  if (!std::isfinite(value)) return;
  const auto [it, added] = row.best.try_emplace(metric, value);
  if (!added && direction != MetricDirection::None && !isBetter(direction, value, it->second)) return;
  it->second = value;
  row.bestStep[metric] = step;
}

void readConfigInto(const RunFolder& run, int attempt, RunRow& row) {
  auto json = run.config(attempt);
  if (!json.ok()) return;
  auto config = runConfigFromJson(std::move(*json), run.configPath(attempt));
  if (!config.ok()) return;
  row.options = std::move(config->options);
  row.preset = config->preset;
  if (row.identity.name.empty()) row.identity.name = config->name;
}

void readOutcomeInto(const RunFolder& run, int attempt, const MetricCatalogue& metrics, RunRow& row) {
  const auto outcome = run.outcome(attempt);
  if (!outcome) {
    row.state = run.state();
    return;
  }
  row.state = outcome->state;
  row.cause = outcome->cause;
  row.message = outcome->message;
  row.details = outcome->details;
  row.finishedAt = outcome->finishedAt;
  row.step = std::max(row.step, outcome->step);
  for (const auto& [name, value] : outcome->scores.items()) {
    const auto real = realFromJson(value);
    if (real.ok()) row.last[name] = *real;
    if (real.ok()) addBest(row, metrics.direction(name), name, *real, outcome->step);
  }
}

// Declares metrics of a run of another program by their names, where it does not declare them.
void declareByName(const RunFolder& run, const ScalarSummary& scalars, RunIdentity& identity) {
  if (runWriter(identity.provenance).empty()) return;
  std::set<std::string> names;
  for (const auto& [name, value] : scalars.last) names.insert(name);
  for (const ScalarSummary::Validation& validation : scalars.validations)
    for (const auto& [name, value] : validation.metrics) names.insert(name);
  if (const auto outcome = run.outcome(run.lastAttempt()))
    for (const auto& [name, value] : outcome->scores.items()) names.insert(name);
  for (const Metric& metric : identity.metrics) names.erase(metric.id);
  const Metrics told = unknownMetrics(foreignMetrics({names.begin(), names.end()}));
  identity.metrics.insert(identity.metrics.end(), told.begin(), told.end());
}

// Inode, links, size and time of last writing; the reason where it cannot be looked at.
std::string factsOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return errno == ENOENT ? "" : "e" + std::to_string(errno);
  return std::to_string(info.st_ino) + ":" + std::to_string(info.st_nlink) + ":" +
         std::to_string(info.st_size) + ":" + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

}  // namespace

std::string runStamp(const RunFolder& run, const std::string& before) {
  const std::string attempts = factsOf(run.attemptsPath());
  // "7|<facts of attempts/>|…": while the folder is as it was, its last attempt is, too.
  const std::size_t bar = before.find('|');
  const bool same = bar != std::string::npos && before.compare(bar + 1, attempts.size(), attempts) == 0 &&
                    before.size() > bar + 1 + attempts.size() && before[bar + 1 + attempts.size()] == '|';
  const int attempt = same ? std::atoi(before.c_str()) : run.lastAttempt();
  std::string stamp = std::to_string(attempt) + "|" + attempts;
  for (const std::string& file :
       {run.identityPath(), run.configPath(attempt), run.eventsPath(attempt), run.outcomePath(attempt)})
    stamp += "|" + factsOf(file);
  return stamp;
}

Result<RunRow> readRunRow(const std::string& runPath) {
  FATHOM_TRY(const RunFolder run, RunFolder::open(runPath));
  RunRow row;
  row.path = runPath;
  FATHOM_TRY(row.identity, run.identity());
  row.identity.metrics = unknownMetrics(row.identity.metrics);
  FATHOM_TRY(const ScalarSummary scalars, readScalarSummary(run));
  declareByName(run, scalars, row.identity);
  const MetricCatalogue metrics(row.identity.metrics);
  row.attempts = scalars.attempts;
  row.step = scalars.step;
  row.totalUpdates = scalars.totalUpdates;
  row.elapsed = scalars.elapsed;
  row.phase = scalars.phase;
  row.remaining = scalars.remaining;
  row.last = scalars.last;
  for (const ScalarSummary::Validation& validation : scalars.validations) {
    for (const auto& [name, value] : validation.metrics) {
      row.last[name] = value;
      addBest(row, metrics.direction(name), name, value, static_cast<std::int64_t>(validation.step));
    }
  }
  const int last = run.lastAttempt();
  if (last > 0) readConfigInto(run, last, row);
  readOutcomeInto(run, last, metrics, row);
  row.name = row.identity.name;
  return row;
}

}  // namespace fathom
