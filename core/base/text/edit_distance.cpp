// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/edit_distance.h"

#include <algorithm>

namespace fathom {

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) table[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) table[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
      }
    }
  }
  return table[a.size()][b.size()];
}

std::string nearestSpelling(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t bestDistance = std::max<std::size_t>(3, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    std::size_t distance = editDistance(word, candidate);
    // The last part alone ("lr" for "optimiser.lr") is a common way to shorten a key.
    if (const auto dot = candidate.rfind('.'); dot != std::string::npos) {
      distance = std::min(distance, editDistance(word, std::string_view(candidate).substr(dot + 1)) + 1);
    }
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace fathom
