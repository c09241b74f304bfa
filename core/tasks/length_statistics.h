// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/json/json.h"

namespace fathom {

// Distribution of lengths in tokens, marks included.
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

}  // namespace fathom
