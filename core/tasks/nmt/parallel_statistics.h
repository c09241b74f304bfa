// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/tasks/text_column.h"

namespace fathom {

// Distribution of lengths in tokens, end mark included.
struct LengthStatistics {
  std::int64_t count = 0, total = 0, shortest = 0, longest = 0;
  double mean = 0, median = 0;
  struct Bin {
    std::int64_t from = 0, to = 0, count = 0;  // from <= length < to
  };
  std::vector<Bin> histogram;  // equal widths (1, 2, 5, 10, ...), at most 40 bins
};
LengthStatistics lengthStatistics(std::span<const std::int32_t> lengths);
Json lengthStatisticsJson(const LengthStatistics& statistics);

// How many sentences of `second` occur in `first`, exactly.
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
