// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/uniform_attention.h"

#include <cmath>

namespace fathom {

bool isUniformHead(std::span<const double> probabilities, std::size_t keys, double tolerance) {
  bool any = false;
  for (std::size_t row = 0; keys > 0 && row + keys <= probabilities.size(); row += keys) {
    std::size_t seen = 0;
    for (const double value : probabilities.subspan(row, keys)) seen += value > 0 ? 1 : 0;
    if (seen < 2) continue;
    const double share = 1.0 / static_cast<double>(seen);
    for (const double value : probabilities.subspan(row, keys))
      if (value > 0 && std::abs(value - share) > tolerance * share) return false;
    any = true;
  }
  return any;
}

}  // namespace fathom
