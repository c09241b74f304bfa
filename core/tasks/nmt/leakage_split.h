// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/tasks/text_column.h"

namespace fathom {

// Pairs that share a source or a target sentence, directly or through other pairs: connected components.
// Putting whole groups on one side leaves no sentence on two sides.
struct PairGroups {
  std::vector<std::int64_t> groupOf;  // [pairs], groups numbered by their first pair
  std::vector<std::int64_t> sizes;    // [groups]
  std::int64_t largest() const;
};
PairGroups groupPairs(const TextColumn& source, const TextColumn& target);

struct SplitSizes {
  std::int64_t validation = 0, test = 0;  // pairs wanted
};
struct PairSplit {
  std::vector<std::int64_t> train, validation, test;  // pair indices, ascending
};
// Groups in an order drawn from the seed go to test, then validation, while they fit; the rest is for
// training. The sizes are met exactly when enough small groups exist, never exceeded. Depends on texts, sizes
// and seed only.
PairSplit splitPairs(const PairGroups& groups, const SplitSizes& sizes, std::uint64_t seed);

}  // namespace fathom
