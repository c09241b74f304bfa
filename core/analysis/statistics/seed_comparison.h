// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace fathom {

// Two settings by the scores of their runs (docs/statistics.md §2): Welch's t-test, which allows unequal
// variances, and the bootstrap of the difference of means. Values that are not finite are failed runs and are
// left out.
struct SeedComparison {
  int first = 0, second = 0;  // finished runs
  double difference = 0;      // mean of the second less that of the first
  double t = 0, freedom = 0;
  double pValue = 1;         // two-sided, of Welch's test
  double low = 0, high = 0;  // 95 % percentile interval of the bootstrap
};
// std::nullopt with fewer than two finished runs on a side, or if neither side varies. Deterministic: draws
// depend on `seed` and the counts alone.
std::optional<SeedComparison> compareSeeds(std::span<const double> first, std::span<const double> second,
                                           std::uint64_t seed = 1, int resamples = 10'000);

// Median of the finite values; the mean of the middle two of an even number. std::nullopt without any.
std::optional<double> medianOfSeeds(std::span<const double> values);

}  // namespace fathom
