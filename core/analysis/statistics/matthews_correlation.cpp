// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics/matthews_correlation.h"

#include <cmath>
#include <vector>

namespace fathom {

double matthewsCorrelation(std::span<const std::int64_t> cells, std::size_t classes, std::size_t columns) {
  std::vector<double> gold(columns, 0), predicted(columns, 0);
  double right = 0, all = 0;
  for (std::size_t g = 0; g < classes; ++g) {
    for (std::size_t p = 0; p < columns; ++p) {
      const auto cell = static_cast<double>(cells[g * columns + p]);
      right += g == p ? cell : 0;
      gold[g] += cell;
      predicted[p] += cell;
      all += cell;
    }
  }
  double shared = 0, ofGold = 0, ofPredicted = 0;
  for (std::size_t k = 0; k < columns; ++k) {
    shared += gold[k] * predicted[k];
    ofGold += gold[k] * gold[k];
    ofPredicted += predicted[k] * predicted[k];
  }
  const double divisor = std::sqrt(all * all - ofPredicted) * std::sqrt(all * all - ofGold);
  return divisor > 0 ? (right * all - shared) / divisor : 0;
}

}  // namespace fathom
