// SPDX-License-Identifier: Apache-2.0
#include "core/base/numbers/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/numbers/not_a_number.h"

namespace fathom {

double quantileOfSorted(std::span<const double> sorted, double q) {
  if (sorted.empty()) return kNaN;
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace fathom
