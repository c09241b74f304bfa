// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/seed_comparison.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/analysis/statistics/paired_test.h"
#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

std::vector<double> finiteOf(std::span<const double> values) {
  std::vector<double> finite;
  for (const double value : values)
    if (std::isfinite(value)) finite.push_back(value);
  return finite;
}

double averageOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Squared error of the mean: variance with n - 1 over n.
double squaredError(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return squares / (count - 1) / count;
}

double resampledMean(const std::vector<double>& values, RandomStream& stream) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[stream.below(values.size())];
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::optional<SeedComparison> compareSeeds(std::span<const double> first, std::span<const double> second,
                                           std::uint64_t seed, int resamples) {
  const std::vector<double> a = finiteOf(first), b = finiteOf(second);
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  SeedComparison result;
  result.first = static_cast<int>(a.size());
  result.second = static_cast<int>(b.size());
  const double meanA = averageOf(a), meanB = averageOf(b);
  const double errorA = squaredError(a, meanA), errorB = squaredError(b, meanB), both = errorA + errorB;
  result.difference = meanB - meanA;
  if (!(both > 0)) return std::nullopt;
  result.t = result.difference / std::sqrt(both);
  result.freedom = both * both /
                   (errorA * errorA / static_cast<double>(a.size() - 1) +
                    errorB * errorB / static_cast<double>(b.size() - 1));
  const boost::math::students_t_distribution<double> student(result.freedom);
  result.pValue = 2 * boost::math::cdf(boost::math::complement(student, std::abs(result.t)));
  RandomStream stream(streamSeed(seed, "seed_comparison", {result.first, result.second}));
  std::vector<double> differences;
  for (int i = 0; i < resamples; ++i) {
    const double drawn = resampledMean(a, stream);
    differences.push_back(resampledMean(b, stream) - drawn);
  }
  const Interval interval = percentileInterval(differences);
  result.low = interval.low;
  result.high = interval.high;
  return result;
}

std::optional<double> medianOfSeeds(std::span<const double> values) {
  std::vector<double> finite = finiteOf(values);
  if (finite.empty()) return std::nullopt;
  std::sort(finite.begin(), finite.end());
  const std::size_t middle = finite.size() / 2;
  return finite.size() % 2 == 1 ? finite[middle] : (finite[middle - 1] + finite[middle]) / 2;
}

}  // namespace fathom
