// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/error_breakdown.h"

#include <algorithm>
#include <map>

namespace fathom {

namespace {

std::vector<std::size_t> failing(const std::vector<std::vector<ErrorCategory>>& categories, bool all) {
  std::vector<std::size_t> set;
  const std::size_t examples = categories.empty() ? 0 : categories.front().size();
  for (std::size_t i = 0; i < examples; ++i) {
    const auto wrong = [&](const auto& model) { return model.at(i) != ErrorCategory::Correct; };
    const bool in = all ? std::all_of(categories.begin(), categories.end(), wrong)
                        : std::any_of(categories.begin(), categories.end(), wrong);
    if (in) set.push_back(i);
  }
  return set;
}

}  // namespace

std::vector<std::size_t> failingInAll(const std::vector<std::vector<ErrorCategory>>& categories) {
  return failing(categories, true);
}
std::vector<std::size_t> failingInAny(const std::vector<std::vector<ErrorCategory>>& categories) {
  return failing(categories, false);
}

std::vector<ErrorBar> errorBars(const std::vector<std::vector<ErrorCategory>>& categories,
                                const std::vector<std::size_t>& set, FalseNegativeRule rule) {
  std::vector<ErrorBar> bars(categories.size());
  for (std::size_t m = 0; m < categories.size(); ++m) {
    for (const auto i : set) {
      const auto isFalseNegative = [&](const auto& model) {
        return model.at(i) == ErrorCategory::FalseNegative;
      };
      const bool removed = rule == FalseNegativeRule::ThatModel
                               ? isFalseNegative(categories[m])
                               : std::any_of(categories.begin(), categories.end(), isFalseNegative);
      if (removed) continue;
      const ErrorCategory category = categories[m].at(i);
      ++bars[m].examples;
      bars[m].column += category == ErrorCategory::Column || category == ErrorCategory::Both;
      bars[m].sketch += category == ErrorCategory::Sketch || category == ErrorCategory::Both;
    }
  }
  return bars;
}

std::vector<FailureIntersection> failureIntersections(
    const std::vector<std::vector<ErrorCategory>>& categories) {
  std::map<std::uint32_t, std::vector<std::size_t>> sets;
  const std::size_t examples = categories.empty() ? 0 : categories.front().size();
  for (std::size_t i = 0; i < examples; ++i) {
    std::uint32_t models = 0;
    for (std::size_t m = 0; m < std::min<std::size_t>(categories.size(), 32); ++m)
      models |= categories[m].at(i) != ErrorCategory::Correct ? std::uint32_t{1} << m : 0;
    if (models != 0) sets[models].push_back(i);
  }
  std::vector<FailureIntersection> out;
  for (auto& [models, members] : sets) out.push_back({models, std::move(members)});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.examples.size() > b.examples.size(); });
  return out;
}

std::array<CategoryCounts, kHardnessLevels + 1> countsByHardness(
    const std::vector<ErrorCategory>& categories, const std::vector<SpiderHardness>& hardness) {
  std::array<std::vector<ErrorCategory>, kHardnessLevels> levels;
  for (std::size_t i = 0; i < categories.size(); ++i)
    levels[static_cast<std::size_t>(hardness.at(i))].push_back(categories[i]);
  std::array<CategoryCounts, kHardnessLevels + 1> counts;
  for (std::size_t level = 0; level < kHardnessLevels; ++level)
    counts[level] = countCategories(levels[level]);
  counts[kHardnessLevels] = countCategories(categories);
  return counts;
}

}  // namespace fathom
