// SPDX-License-Identifier: Apache-2.0
#include "core/review/number_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom {

std::optional<double> pearson(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  if (n < 2) return std::nullopt;
  // A constant is one whatever its mean rounds to.
  const auto constant = [n](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n),
                       [&values](double value) { return value == values.front(); });
  };
  if (constant(a) || constant(b)) return std::nullopt;
  double meanA = 0, meanB = 0;
  for (std::size_t i = 0; i < n; ++i) {
    meanA += a[i];
    meanB += b[i];
  }
  meanA /= static_cast<double>(n);
  meanB /= static_cast<double>(n);
  double both = 0, ofA = 0, ofB = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a[i] - meanA, y = b[i] - meanB;
    both += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  if (ofA <= 0 || ofB <= 0) return std::nullopt;
  return both / (std::sqrt(ofA) * std::sqrt(ofB));
}

std::vector<double> averageRanks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double rank = static_cast<double>(first + last - 1) / 2 + 1;
    for (; first < last; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

std::optional<double> spearman(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::nullopt;
  return pearson(averageRanks(a), averageRanks(b));
}

}  // namespace fathom
