// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/statistics/paper_table.h"
#include "core/analysis/statistics/seed_comparison.h"

namespace fathom {

// Two or more runs side by side: in which options they differ, what they reached, and by how much each is
// away from one of them. The shell (`fathom compare`) and the window show the same numbers.
struct CompareRequest {
  std::size_t base = 0;  // place among the runs of the one that the others are compared with
  bool best = false;     // the best value of a validation metric instead of the value at the end
  // A word for each run; those of the same word stand in one column with mean, deviation and a test. Empty:
  // each run stands alone.
  std::vector<std::string> groups = {};
};

// What stands in one column: a run, or those of one group.
struct ComparedColumn {
  std::string name;               // of the run, or what the names of the group have in common
  std::vector<std::size_t> runs;  // places among the runs
  bool failed = false;            // all of them did: its values are shown and never the best
};

// An option in which the columns differ.
struct ComparedOption {
  std::string key;
  std::vector<Json> values;  // one a column; null: it has none, or its runs differ in it
  bool deciding = true;      // not the seed, the device and the like (setsRunsApart)
};

struct ComparedScore {
  Metric metric;
  std::vector<SeedSummary>
      values;              // one a column; runs without it, and in a group those that failed, are failed
  std::vector<bool> best;  // of values that are compared; several where they are equal, none where all are
  std::vector<double> differences;  // from the base's mean, in the metric's unit; NaN where one is missing
  // Welch's test and bootstrap of the difference, where both sides have two runs that finished.
  std::vector<std::optional<SeedComparison>> tests;
};

struct RunComparison {
  std::vector<ComparedColumn> columns;
  std::size_t base = 0;                 // column
  std::vector<ComparedOption> options;  // deciding ones first, else in the order of the runs' options
  std::vector<ComparedScore> scores;    // in the order of `metrics`; those that no run has are left out
};

// The options in which these sets of options differ, in the order in which they first appear.
std::vector<ComparedOption> differingOptions(const std::vector<const Json*>& options);

// `metrics`: complete (core/library/runs/metric_catalogue.h). A request out of range is about the first run.
RunComparison compareRuns(const std::vector<RunFacts>& runs, const Metrics& metrics,
                          const CompareRequest& request);

// For a paper: a row a column of the comparison with its deciding options and scores, the best printed bold,
// and of the first score the difference from the base, with interval and p where there is a test. `titles`:
// of the options, plain text by place; the keys without. Scores without a direction are left out where any
// has one.
PaperTable comparisonPaperTable(const RunComparison& comparison, const std::vector<std::string>& titles = {});

// A value of an option as tables show it: words as they are, those of a list with commas, "–" for none.
std::string comparedValueText(const Json& value);

}  // namespace fathom
