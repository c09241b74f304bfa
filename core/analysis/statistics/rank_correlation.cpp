// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace fathom {

namespace {

std::vector<double> ranksOf(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t i = first; i < end; ++i) ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
    first = end;
  }
  return ranks;
}

}  // namespace

std::optional<double> rankCorrelation(std::span<const double> x, std::span<const double> y) {
  constexpr std::size_t kLeast = 3;
  std::vector<double> a, b;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    a.push_back(x[i]);
    b.push_back(y[i]);
  }
  if (a.size() < kLeast) return std::nullopt;
  const std::vector<double> first = ranksOf(a), second = ranksOf(b);
  const double mean = static_cast<double>(a.size() - 1) / 2;
  double both = 0, ofFirst = 0, ofSecond = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    both += (first[i] - mean) * (second[i] - mean);
    ofFirst += (first[i] - mean) * (first[i] - mean);
    ofSecond += (second[i] - mean) * (second[i] - mean);
  }
  if (ofFirst == 0 || ofSecond == 0) return std::nullopt;
  return both / std::sqrt(ofFirst * ofSecond);
}

}  // namespace fathom
