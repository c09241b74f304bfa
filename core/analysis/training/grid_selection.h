// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/statistics/seed_comparison.h"
#include "core/analysis/training/run_grid.h"

namespace fathom {

// Which of several settings stands for all of them: the one with the best median over the seeds (RealFormer
// §4.2), or with the best mean (DT-Fixup Table 5).
enum class SettingChoice : std::uint8_t { BestMedian, BestMean };

// A search as papers report it (docs/statistics.md §2): of each group of settings the one whose median or
// mean over the seeds is best, by the first metric of the table, with the deviation of its runs.
struct GridChoice {
  std::vector<std::string> group;  // values of the compared axes
  std::size_t line = 0;            // of the table
  std::vector<double> medians;     // or means; one a metric, NaN where no run finished
  int settings = 0;                // that were searched
  int open = 0;                    // runs of the group that are not done
};
struct GridPairing {
  std::size_t first = 0, second = 0;  // choices
  SeedComparison comparison;
};
struct GridSelection {
  std::vector<std::string> by;      // compared axes
  std::vector<std::size_t> places;  // of them among the table's keys
  std::vector<GridChoice> choices;
  std::vector<GridPairing> pairings;  // of choices that differ in the last compared axis alone
};
// `by`: keys of the table; empty: axes of settings, or none. Usage error for another key, and where nothing
// says which values of the first metric are better.
Result<GridSelection> selectBest(const GridTable& table, std::vector<std::string> by,
                                 SettingChoice choice = SettingChoice::BestMedian);

// One compared axis: a row a value, median or mean and deviation of each metric. Two: a row a value of the
// first, a column a value of the second, as tasks and models stand in a paper; by the first metric, or where
// a preset's line has another one, the first that it has.
PaperTable selectionPaperTable(const GridTable& table, const GridSelection& selection);

}  // namespace fathom
