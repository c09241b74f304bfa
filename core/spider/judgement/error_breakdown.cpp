// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/error_breakdown.h"

#include <algorithm>

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

}  // namespace fathom
