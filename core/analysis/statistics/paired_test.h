// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/threads/stop_token.h"

namespace fathom {

// Two systems on the same examples (docs/statistics.md §2).

struct Interval {
  double low = 0, high = 0;
};

// Wilson's interval of a share k / n; z = 1.96 for 95 %. n = 0 gives [0, 1].
Interval wilsonInterval(int k, int n, double z = 1.959963984540054);

struct McNemarTest {
  int onlyFirst = 0;  // first right, second wrong
  int onlySecond = 0;
  double pExact = 1;     // two-sided binomial
  double chiSquare = 0;  // with continuity correction
};
// 1 = right. Equal lengths.
McNemarTest mcnemarTest(std::span<const int> first, std::span<const int> second);

// Between the order statistics of `values` at (1 - confidence) / 2 and (1 + confidence) / 2; sorts them.
Interval percentileInterval(std::vector<double>& values, double confidence = 0.95);

// Result of resampling an observed difference: percentile interval, and p, two-sided, (k + 1) / (B
// + 1), where k of the B resampled differences, less their mean, are at least as large as the observed one.
struct ResampledDifference {
  Interval interval;
  double p = 1;
};
ResampledDifference resampledDifference(std::vector<double>& differences, double observed,
                                        double confidence = 0.95);

// Number of draws of a paired bootstrap: 10,000, fewer where there are many examples,
// at least 1,000.
int bootstrapResamples(std::size_t examples);
inline constexpr std::uint64_t kPairedSeed = 1;

// Paired bootstrap of the mean of `gaps` (first - second, by example); the same numbers for the same seed on
// every platform. resamples 0: bootstrapResamples.
struct PairedBootstrap {
  double difference = 0;
  Interval interval;
  double p = 1;
  int resamples = 0;
};
PairedBootstrap bootstrapMean(std::span<const double> gaps, std::uint64_t seed = kPairedSeed,
                              int resamples = 0);
// The same for a table of scores [example × column] and the mean difference of every pair of columns: the
// draws are those of bootstrapMean and made once. [resample × column] sums; empty when `stop` asked.
std::vector<double> resampledSums(std::span<const double> scores, std::size_t columns, const StopToken& stop,
                                  std::uint64_t seed = kPairedSeed);

}  // namespace fathom
