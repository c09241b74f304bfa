// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/runner/queue_start.h"
#include "app/training_request.h"
#include "core/analysis/seed_summary.h"
#include "core/library/metric_catalogue.h"
#include "core/library/project_library.h"
#include "core/library/run_listing.h"

namespace fathom {

// An end without a result: diverged, failed, crashed, killed, lost.
bool isFailure(RunState state);

struct GridAxis {
  std::string key;                  // or several that take the same value: core/base/axis_keys.h
  std::vector<std::string> values;  // as text
};
// "key=v1,v2,..." or "key1+key2=v1,v2,...": usage error otherwise.
Result<GridAxis> parseGridAxis(const std::string& text);

struct GridPoint {
  RunConfig config;
  std::vector<std::string> values;  // one an axis
};
// Every combination, the last axis fastest, each judged by the engine's rules; the error names the
// combination. A key that is inactive in some combination stays inactive there: schemes may be crossed
// freely.
Result<std::vector<GridPoint>> expandGrid(const EngineDescription& engine, const TrainingRequest& base,
                                          const std::vector<GridAxis>& axes);
// Queues all of them, records the grid and sees to it that the queue is worked through: all of it, or after
// an error nothing.
Result<GridRecord> launchGrid(ProjectLibrary& library, const EngineDescription& engine,
                              const TrainingRequest& base, const std::vector<GridAxis>& axes,
                              const std::string& name);

// The grid in the library, for queueRuns. `library` is borrowed.
QueueRecord gridRecord(ProjectLibrary& library, const GridRecord& grid);

// One line a combination of the axes without the seed.
struct GridLine {
  std::vector<std::string> values;  // one an axis other than the seed
  std::vector<std::string> runs;
  int open = 0;         // queued or at work: not in the summary
  int without = 0;      // finished, but without the metric: not in the summary either
  SeedSummary summary;  // diverged, failed, crashed, killed and lost runs count as failed
};
struct GridTable {
  std::vector<std::string> keys;  // axes other than the seed
  Metric metric;                  // as the runs declare it
  std::vector<GridLine> lines;
};
// Of the runs of the grid that have any, in alphabetical order.
std::vector<std::string> gridMetrics(const GridRecord& grid, const std::vector<RunRow>& rows);
// The one of them that says most (Metric::headline); the validation nll, which every task has, where none is.
std::string gridHeadline(const GridRecord& grid, const std::vector<RunRow>& rows);
GridTable gridTable(const GridRecord& grid, const std::vector<RunRow>& rows, const std::string& metric);

}  // namespace fathom
