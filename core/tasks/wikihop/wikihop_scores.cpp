// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikihop/wikihop_scores.h"

namespace fathom {

double wikiHopAccuracy(const std::map<std::string, std::string>& gold,
                       const std::map<std::string, std::string>& predictions) {
  std::size_t right = 0;
  for (const auto& [id, answer] : gold) {
    const auto found = predictions.find(id);
    right += found != predictions.end() && found->second == answer;
  }
  return gold.empty() ? 0 : static_cast<double>(right) / static_cast<double>(gold.size());
}

}  // namespace fathom
