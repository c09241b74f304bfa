// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"

namespace fathom {

// Options of runs as axes, and what the runs reached (docs/analyses.md §13).

// An option of some runs as an axis: of numbers where every run that has it has one, else of words.
struct OptionAxis {
  std::string key;
  bool numeric = false;
  bool logarithmic = false;        // positive numbers over two decades or more
  std::vector<std::string> words;  // of an axis of words: the values, numbers by size before texts
  // One a run: the number, or the place of its word; NaN for a run without the option.
  std::vector<double> positions;
  double low = 0, high = 0;  // of the finite positions
  // Place of a run between both ends, 0 … 1; 0.5 where all have one value, NaN without the option.
  double share(std::size_t run) const;
};
// Data error where no run has the option.
Result<OptionAxis> optionAxis(const std::vector<RunFacts>& runs, const std::string& key);

// The value of a metric that each run reached; NaN for one that failed, is at work or lacks it.
struct ReachedScores {
  std::string metric;
  bool best = true;  // the best of its validations, else the value at the end: one of them for all runs
  std::vector<double> values;
  int missing = 0;      // NaN among them
  int withoutBest = 0;  // of the missing: ended with a value, but the best one was not kept
};
// `metric`: complete id. Where no run kept a best value of it, the one at the end counts for all. Data error
// where no run has a value of it.
Result<ReachedScores> reachedScores(const std::vector<RunFacts>& runs, const std::string& metric, bool best);

// Spearman's ρ of the option and the scores (docs/statistics.md §6), over the runs that have both; none for
// an axis of words, fewer than three runs, or where a side does not vary.
std::optional<double> rankCorrelation(const OptionAxis& axis, const ReachedScores& scores);

// Keys of the options in which the runs differ and which set runs apart, in the order of the options.
std::vector<std::string> differingKeys(const std::vector<RunFacts>& runs);

}  // namespace fathom
