// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/analysis/statistics/sample_distribution.h"

namespace fathom {

// Count, mean, squared deviations (Welford), least and greatest of values that come one by one; all 0 before
// the first.
struct RunningMoments {
  std::int64_t count = 0;
  double mean = 0, squares = 0, minimum = 0, maximum = 0;
  void add(double value);   // finite
  double variance() const;  // n−1; NaN for fewer than two values
};

// The summary of values that lie in equal bins of `width` from `low` on: quantiles off by at most one bin,
// the rest as in `moments`, which has seen them all. count > 0.
SampleDistribution summariseBins(std::span<const std::int64_t> bins, double low, double width,
                                 const RunningMoments& moments);

}  // namespace fathom
