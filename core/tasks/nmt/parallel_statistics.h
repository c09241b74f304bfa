// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/tasks/text_column.h"

namespace fathom {

// Number of sentences of `second` that occur in `first`, exactly.
struct SplitOverlap {
  std::int64_t source = 0;  // pairs of `second` whose source sentence occurs in `first`
  std::int64_t target = 0;
  std::int64_t pair = 0;  // both, in one pair of `first`
};
SplitOverlap overlapOf(const TextColumn& firstSource, const TextColumn& firstTarget,
                       const TextColumn& secondSource, const TextColumn& secondTarget);

// Entropy in nats of the distribution of ids; 0 for none.
double unigramEntropy(std::span<const std::int64_t> countsById);

}  // namespace fathom
