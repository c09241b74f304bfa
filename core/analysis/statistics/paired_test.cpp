// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/paired_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/base/numbers/quantile.h"
#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

// The numbers of RandomStream::below(count) from the paired bootstrap's stream, without that function's two
// divisions a draw, which were most of a comparison's time.
class ExampleDraws {
 public:
  ExampleDraws(std::size_t count, std::uint64_t seed)
      : m_random(streamSeed(seed, "paired bootstrap")),
        m_count(count),
        m_limit(count < 2 ? 0 : -m_count % m_count),
        m_reciprocal(count < 2 ? 0 : static_cast<std::uint64_t>((Product(1) << 64) / m_count)) {}
  std::size_t next() {
    if (m_count < 2) return 0;
    std::uint64_t value = m_random.next();
    while (value < m_limit) value = m_random.next();
    // The quotient is exact or one too small, so that the rest is below twice the count.
    const auto quotient = static_cast<std::uint64_t>((Product(value) * m_reciprocal) >> 64);
    const std::uint64_t rest = value - quotient * m_count;
    return rest < m_count ? rest : rest - m_count;
  }

 private:
  __extension__ using Product = unsigned __int128;
  RandomStream m_random;
  std::uint64_t m_count, m_limit, m_reciprocal;
};

// Adds times[i] · row i to the sums of the first kColumns columns. They stay in registers, and each is added
// up in the order of the rows, so its last bit does not depend on how many columns are summed together.
template <std::size_t kColumns>
void addRows(std::span<const std::uint32_t> times, const double* row, std::size_t stride, double* sums) {
  std::array<double, kColumns> sum;
  std::copy_n(sums, kColumns, sum.begin());
  for (const std::uint32_t count : times) {
    const double weight = count;
    for (std::size_t c = 0; c < kColumns; ++c) sum[c] += weight * row[c];
    row += stride;
  }
  std::copy(sum.begin(), sum.end(), sums);
}

// Few rows at a time, so that they are in the nearest cache for all their columns.
void addResample(std::span<const std::uint32_t> times, const double* scores, std::size_t columns,
                 double* sums) {
  constexpr std::size_t kRows = 128;
  for (std::size_t first = 0; first < times.size(); first += kRows) {
    const auto some = times.subspan(first, std::min(kRows, times.size() - first));
    const double* const row = scores + first * columns;
    std::size_t c = 0;
    for (; c + 8 <= columns; c += 8) addRows<8>(some, row + c, columns, sums + c);
    for (; c + 2 <= columns; c += 2) addRows<2>(some, row + c, columns, sums + c);
    if (c < columns) addRows<1>(some, row + c, columns, sums + c);
  }
}

}  // namespace

Interval wilsonInterval(int k, int n, double z) {
  if (n <= 0) return {0, 1};
  const double p = static_cast<double>(k) / n;
  const double zz = z * z;
  const double centre = (p + zz / (2.0 * n)) / (1 + zz / n);
  const double half = z / (1 + zz / n) * std::sqrt(p * (1 - p) / n + zz / (4.0 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

McNemarTest mcnemarTest(std::span<const int> first, std::span<const int> second) {
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

Interval percentileInterval(std::vector<double>& values, double confidence) {
  std::sort(values.begin(), values.end());
  return {quantileOfSorted(values, (1 - confidence) / 2), quantileOfSorted(values, (1 + confidence) / 2)};
}

ResampledDifference resampledDifference(std::vector<double>& differences, double observed,
                                        double confidence) {
  if (differences.empty()) return {};
  const auto count = static_cast<double>(differences.size());
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / count;
  const auto asLarge = std::count_if(differences.begin(), differences.end(), [&](double difference) {
    return std::abs(difference - mean) >= std::abs(observed);
  });
  return {percentileInterval(differences, confidence), static_cast<double>(asLarge + 1) / (count + 1)};
}

int bootstrapResamples(std::size_t examples) {
  constexpr double kDraws = 2e7;  // about a tenth of a second
  constexpr double kLeast = 1000, kMost = 10000;
  const double fit = kDraws / static_cast<double>(std::max<std::size_t>(examples, 1));
  return static_cast<int>(std::clamp(fit, kLeast, kMost));
}

PairedBootstrap bootstrapMean(std::span<const double> gaps, std::uint64_t seed, int resamples) {
  PairedBootstrap result;
  if (gaps.empty()) return result;
  const auto examples = static_cast<double>(gaps.size());
  result.resamples = resamples > 0 ? resamples : bootstrapResamples(gaps.size());
  result.difference = std::accumulate(gaps.begin(), gaps.end(), 0.0) / examples;
  ExampleDraws draws(gaps.size(), seed);
  std::vector<double> means(static_cast<std::size_t>(result.resamples));
  for (double& mean : means) {
    double sum = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i) sum += gaps[draws.next()];
    mean = sum / examples;
  }
  const ResampledDifference found = resampledDifference(means, result.difference);
  result.interval = found.interval;
  result.p = found.p;
  return result;
}

std::vector<double> resampledSums(std::span<const double> scores, std::size_t columns, const StopToken& stop,
                                  std::uint64_t seed) {
  const std::size_t examples = scores.size() / columns;
  const auto resamples = static_cast<std::size_t>(bootstrapResamples(examples));
  std::vector<double> sums(resamples * columns, 0);
  std::vector<std::uint32_t> times(examples);
  ExampleDraws draws(examples, seed);
  for (std::size_t r = 0; r < resamples; ++r) {
    if (stop.stopRequested()) return {};
    std::fill(times.begin(), times.end(), 0);
    for (std::size_t i = 0; i < examples; ++i) ++times[draws.next()];
    addResample(times, scores.data(), columns, &sums[r * columns]);
  }
  return sums;
}

}  // namespace fathom
