// SPDX-License-Identifier: Apache-2.0
#include "core/base/numbers/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace fathom {

namespace {

// Ranks from 1; equal values share the mean of theirs.
std::vector<double> averageRanks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double rank = (static_cast<double>(first + 1) + static_cast<double>(end)) / 2;
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = rank;
    first = end;
  }
  return ranks;
}

double meanOfSide(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool isConstant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

}  // namespace

std::optional<double> pearson(std::span<const double> first, std::span<const double> second) {
  if (first.size() < 2 || isConstant(first) || isConstant(second)) return std::nullopt;
  const double firstMean = meanOfSide(first), secondMean = meanOfSide(second);
  double both = 0, firstSquares = 0, secondSquares = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double a = first[i] - firstMean, b = second[i] - secondMean;
    both += a * b;
    firstSquares += a * a;
    secondSquares += b * b;
  }
  const double divisor = std::sqrt(firstSquares) * std::sqrt(secondSquares);
  if (!(divisor > 0) || !std::isfinite(divisor)) return std::nullopt;
  return both / divisor;
}

std::optional<double> spearman(std::span<const double> first, std::span<const double> second) {
  if (first.size() < 2) return std::nullopt;
  return pearson(averageRanks(first), averageRanks(second));
}

}  // namespace fathom
