// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/sample_distribution.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/numbers/not_a_number.h"
#include "core/base/numbers/quantile.h"

namespace fathom {

namespace {

std::vector<double> finiteSorted(std::span<const double> samples) {
  std::vector<double> values;
  values.reserve(samples.size());
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(values),
               [](double v) { return std::isfinite(v); });
  std::sort(values.begin(), values.end());
  return values;
}

struct Moments {
  double mean = kNaN, variance = kNaN;
};
Moments momentsOf(std::span<const double> values) {
  Moments moments;
  if (values.empty()) return moments;
  const auto n = static_cast<double>(values.size());
  moments.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return moments;
  double squares = 0;
  for (const double v : values) squares += (v - moments.mean) * (v - moments.mean);
  moments.variance = squares / (n - 1);
  return moments;
}

}  // namespace

SampleDistribution summariseSamples(std::span<const double> samples) {
  const std::vector<double> sorted = finiteSorted(samples);
  SampleDistribution result;
  result.count = static_cast<std::int64_t>(sorted.size());
  result.nonFinite = static_cast<std::int64_t>(samples.size() - sorted.size());
  for (int i = 0; i < 5; ++i)
    result.fiveNumbers[static_cast<std::size_t>(i)] = quantileOfSorted(sorted, i / 4.0);
  const Moments moments = momentsOf(sorted);
  result.mean = moments.mean;
  result.variance = moments.variance;
  return result;
}

ViolinShape violinShape(std::span<const double> samples, int points) {
  const std::vector<double> sorted = finiteSorted(samples);
  ViolinShape shape;
  const Moments moments = momentsOf(sorted);
  if (sorted.size() < 2 || !(moments.variance > 0)) return shape;
  const auto n = static_cast<double>(sorted.size());
  shape.bandwidth = std::pow(n, -0.2) * std::sqrt(moments.variance);
  const double scale = 1 / (n * shape.bandwidth * std::sqrt(2 * std::numbers::pi));
  for (int i = 0; i < points; ++i) {
    const double x = sorted.front() + (sorted.back() - sorted.front()) * i / (points - 1);
    double sum = 0;
    for (const double sample : sorted) {
      const double u = (x - sample) / shape.bandwidth;
      sum += std::exp(-0.5 * u * u);
    }
    shape.grid.push_back(x);
    shape.density.push_back(sum * scale);
  }
  return shape;
}

std::vector<int> orderByMedian(std::span<const double> medians) {
  std::vector<int> order(medians.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return medians[static_cast<std::size_t>(a)] < medians[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace fathom
