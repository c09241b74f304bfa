// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/point_log_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/library/runs/curve_index.h"
#include "core/record/events/event_log.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A number with a full mantissa, as losses have.
double valueAt(std::int64_t step, int tag) {
  return 5.0 / std::sqrt(static_cast<double>(step)) + 0.01 * std::sin(static_cast<double>(step * 31 + tag));
}

Status writePoints(const std::string& path, std::int64_t steps, const std::vector<std::string>& names,
                   Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto log, EventLog::create(path));
  std::vector<std::pair<std::string_view, double>> metrics;
  for (const std::string& name : names) metrics.emplace_back(name, 0.0);
  for (std::int64_t step = 1; step <= steps; ++step) {
    for (std::size_t i = 0; i < metrics.size(); ++i) metrics[i].second = valueAt(step, static_cast<int>(i));
    FATHOM_CHECK(log->appendStep(step, 1, step * 4000, 1e-3, metrics));
    if (step % 1024 != 0) continue;
    if (stop.stopRequested()) return interruptedError();
    progress.report(static_cast<double>(step));
  }
  return log->sync();
}

// Every point of every metric, bit for bit.
Status checkPoints(const std::vector<ScalarSeries>& all, std::int64_t steps,
                   const std::vector<std::string>& names) {
  for (std::size_t tag = 0; tag < names.size(); ++tag) {
    const auto series =
        std::find_if(all.begin(), all.end(), [&](const ScalarSeries& s) { return s.metric == names[tag]; });
    bool good = series != all.end() && series->value.size() == static_cast<std::size_t>(steps);
    for (std::int64_t i = 0; good && i < steps; ++i)
      good = series->value[static_cast<std::size_t>(i)] == valueAt(i + 1, static_cast<int>(tag));
    if (!good) return internalError("metric " + names[tag] + " did not come back as it was written");
  }
  return {};
}

}  // namespace

Result<PointLogBench> benchPointLog(const std::string& folder, std::int64_t points, int tags,
                                    Progress& progress, const StopToken& stop) {
  if (tags < 1 || points < tags) return usageError("the bench needs at least one tag and one point per tag");
  struct Scratch {
    std::string path;
    ~Scratch() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } const scratch{folder + "/point-log-bench-" + makeUuid()};
  PointLogBench bench;
  bench.tags = tags;
  const std::int64_t steps = points / tags;
  bench.points = steps * tags;
  FATHOM_TRY(const auto library, ProjectLibrary::create(scratch.path));
  RunIdentity identity;
  identity.uuid = makeUuid();
  FATHOM_TRY(const RunFolder run, RunFolder::create(library->runsPath() + "/run", identity));
  FATHOM_TRY(const int attempt, run.beginAttempt({{"format", 1}, {"options", Json::object()}}));
  const std::string events = run.eventsPath(attempt);
  std::vector<std::string> names;
  for (int i = 0; i < tags; ++i) names.push_back("metric_" + std::to_string(i));

  progress.begin("writing points", "updates", static_cast<double>(steps));
  auto start = Clock::now();
  FATHOM_CHECK(writePoints(events, steps, names, progress, stop));
  bench.writeSeconds = secondsSince(start);
  bench.bytes = fileBytes(events);
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  FATHOM_CHECK(run.writeOutcome(attempt, outcome));
  start = Clock::now();
  FATHOM_TRY(const auto all, readRunScalars(run.path()));
  bench.readSeconds = secondsSince(start);
  FATHOM_CHECK(checkPoints(all, steps, names));
  {
    FATHOM_TRY(const auto index, CurveIndex::open(scratch.path));
    start = Clock::now();
    FATHOM_TRY(const bool stored, index->refresh(run.path()));
    bench.indexSeconds = secondsSince(start);
    if (!stored) return internalError("the index did not take the run");
  }
  FATHOM_TRY(const auto index, CurveIndex::open(scratch.path));
  start = Clock::now();
  std::vector<ScalarSeries> stored;
  for (const std::string& name : names) {
    FATHOM_TRY(ScalarSeries series, index->series(run.path(), name));
    stored.push_back(std::move(series));
  }
  bench.reopenSeconds = secondsSince(start);
  FATHOM_CHECK(checkPoints(stored, steps, names));
  progress.finish();
  return bench;
}

}  // namespace fathom
