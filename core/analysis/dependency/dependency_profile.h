// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/statistics/seed_summary.h"
#include "core/base/errors/result.h"

namespace fathom {

// Number that one sub-layer is reduced to: its own branch's share β²_ii, or Σ_j β²_ij (Admin §4.1, Figure 7).
enum class DependencyNumber { OwnBranch, RowSum };

// Over runs that differ only in the seed (or one run): each number is taken of each run first, then
// summarised, since the mean of squares is not the square of the mean.
struct DependencyProfile {
  std::vector<SeedSummary> value;  // one a sub-layer, in order of execution
  SeedSummary sum;                 // over all sub-layers
  SeedSummary lateOverEarly;       // mean of the last third of the sub-layers ÷ mean of the first third
};

// `global`: spread over tokens and channels instead of the mean over tokens. All stacks have as many
// sub-layers as the first.
DependencyProfile dependencyProfile(std::span<const StackDependency> seeds, DependencyNumber number,
                                    bool global);

// The first stack with the cell-wise mean of all maps; a data error if their sub-layers differ.
Result<StackDependency> meanDependency(std::span<const StackDependency> seeds);

}  // namespace fathom
