// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fathom {

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
// Two models on the same examples, 1 = right. Equal lengths.
McNemarTest mcnemarTest(const std::vector<int>& first, const std::vector<int>& second);

struct BootstrapResult {
  double difference = 0;  // mean(first) - mean(second)
  Interval interval;      // 95 %, percentiles
  double p = 1;           // two-sided: twice the smaller share of resamples on the other side of 0, at most 1
  int resamples = 0;
};
// Paired bootstrap over examples; the same numbers for the same seed on every platform.
BootstrapResult pairedBootstrap(const std::vector<int>& first, const std::vector<int>& second,
                                int resamples = 10000, std::uint64_t seed = 1);

}  // namespace fathom
