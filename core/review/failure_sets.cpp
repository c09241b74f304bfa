// SPDX-License-Identifier: Apache-2.0
#include "core/review/failure_sets.h"

#include <algorithm>
#include <map>

namespace fathom {

std::vector<FailureIntersection> failureIntersections(
    const std::vector<std::vector<std::uint8_t>>& categories) {
  std::map<std::uint32_t, std::vector<std::size_t>> sets;
  const std::size_t examples = categories.empty() ? 0 : categories.front().size();
  for (std::size_t i = 0; i < examples; ++i) {
    std::uint32_t models = 0;
    for (std::size_t m = 0; m < std::min<std::size_t>(categories.size(), 32); ++m)
      models |= categories[m].at(i) != 0 ? std::uint32_t{1} << m : 0;
    if (models != 0) sets[models].push_back(i);
  }
  std::vector<FailureIntersection> out;
  for (auto& [models, members] : sets) out.push_back({models, std::move(members)});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.examples.size() > b.examples.size(); });
  return out;
}

}  // namespace fathom
