// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/spider_significance.h"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/random_stream.h"

namespace fathom {

Interval wilsonInterval(int k, int n, double z) {
  if (n <= 0) return {0, 1};
  const double p = static_cast<double>(k) / n;
  const double zz = z * z;
  const double centre = (p + zz / (2.0 * n)) / (1 + zz / n);
  const double half = z / (1 + zz / n) * std::sqrt(p * (1 - p) / n + zz / (4.0 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

McNemarTest mcnemarTest(const std::vector<int>& first, const std::vector<int>& second) {
  McNemarTest test;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    test.onlyFirst += first[i] && !second[i];
    test.onlySecond += !first[i] && second[i];
  }
  const int n = test.onlyFirst + test.onlySecond;
  if (n == 0) return test;
  const int less = std::min(test.onlyFirst, test.onlySecond);
  double tail = 0;
  for (int k = 0; k <= less; ++k) {
    tail +=
        std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) - n * std::log(2.0));
  }
  test.pExact = std::min(1.0, 2 * tail);
  const double gap = std::max(0, std::abs(test.onlyFirst - test.onlySecond) - 1);
  test.chiSquare = gap * gap / n;
  return test;
}

BootstrapResult pairedBootstrap(const std::vector<int>& first, const std::vector<int>& second, int resamples,
                                std::uint64_t seed) {
  BootstrapResult result;
  const std::size_t n = std::min(first.size(), second.size());
  if (n == 0 || resamples <= 0) return result;
  std::vector<int> gaps(n);
  std::int64_t total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    gaps[i] = first[i] - second[i];
    total += gaps[i];
  }
  result.difference = static_cast<double>(total) / static_cast<double>(n);
  result.resamples = resamples;
  RandomStream random(streamSeed(seed, "paired bootstrap"));
  std::vector<std::int64_t> sums(static_cast<std::size_t>(resamples));
  int atMostZero = 0, atLeastZero = 0;
  for (auto& sum : sums) {
    sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += gaps[random.below(n)];
    atMostZero += sum <= 0;
    atLeastZero += sum >= 0;
  }
  std::sort(sums.begin(), sums.end());
  const auto quantile = [&](double q) {
    const auto at = static_cast<std::size_t>(std::llround(q * static_cast<double>(sums.size() - 1)));
    return static_cast<double>(sums[at]) / static_cast<double>(n);
  };
  result.interval = {quantile(0.025), quantile(0.975)};
  result.p = std::min(1.0, 2.0 * std::min(atMostZero, atLeastZero) / resamples);
  return result;
}

}  // namespace fathom
