// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/statistics/seed_summary.h"

namespace fathom {

// Runs by two of their options (Admin Fig 10: learning rate and β2; docs/analyses.md §9).
struct StabilityRequest {
  std::string x = "lr_schedule.rate", y = "optimizer.beta2";  // option keys
  std::string metric;
  bool best = true;  // best value of the run, else its last one
};

// One combination. Runs that diverged, failed or were lost count as failed; those at work are open and not in
// the summary.
struct StabilityCell {
  SeedSummary summary;
  int diverged = 0;  // of the failed ones
  int open = 0;
  std::vector<std::string> runs;  // names
};

struct StabilityGrid {
  StabilityRequest request;
  std::vector<std::string> xValues, yValues;  // ascending, numbers before texts
  std::vector<StabilityCell> cells;           // [y * xValues.size() + x]
  std::vector<std::string> alsoDiffer;        // other options in which the runs differ, beside the seed
  const StabilityCell& at(std::size_t y, std::size_t x) const { return cells[y * xValues.size() + x]; }
};

// Ids of the metrics that a grid of these runs may show, in alphabetical order: those they were validated by,
// or all that they have where there is no validation.
std::vector<std::string> stabilityMetrics(const std::vector<RunFacts>& runs);

// A data error naming run and key where a run has no such option.
Result<StabilityGrid> computeStabilityGrid(const std::vector<RunFacts>& runs,
                                           const StabilityRequest& request);

}  // namespace fathom
