// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/parallel_statistics.h"

#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fathom {

namespace {

std::unordered_set<std::string_view> setOf(const TextColumn& texts) {
  std::unordered_set<std::string_view> set;
  set.reserve(static_cast<std::size_t>(texts.size()));
  for (std::int64_t i = 0; i < texts.size(); ++i) set.insert(texts[i]);
  return set;
}

std::string joined(std::string_view source, std::string_view target) {
  std::string text(source);
  return text.append("\t").append(target);
}

}  // namespace

SplitOverlap overlapOf(const TextColumn& firstSource, const TextColumn& firstTarget,
                       const TextColumn& secondSource, const TextColumn& secondTarget) {
  const auto sources = setOf(firstSource);
  const auto targets = setOf(firstTarget);
  std::unordered_map<std::string, std::int64_t> candidates;  // pairs of `second` with both sides known
  SplitOverlap overlap;
  for (std::int64_t i = 0; i < secondSource.size(); ++i) {
    const bool source = sources.contains(secondSource[i]);
    const bool target = targets.contains(secondTarget[i]);
    overlap.source += source ? 1 : 0;
    overlap.target += target ? 1 : 0;
    if (source && target) ++candidates[joined(secondSource[i], secondTarget[i])];
  }
  for (std::int64_t i = 0; i < firstSource.size() && !candidates.empty(); ++i) {
    const auto found = candidates.find(joined(firstSource[i], firstTarget[i]));
    if (found == candidates.end()) continue;
    overlap.pair += found->second;
    candidates.erase(found);
  }
  return overlap;
}

double unigramEntropy(std::span<const std::int64_t> countsById) {
  const double total =
      static_cast<double>(std::accumulate(countsById.begin(), countsById.end(), std::int64_t{0}));
  double entropy = 0;
  for (const std::int64_t count : countsById) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / total;
    entropy -= share * std::log(share);
  }
  return entropy;
}

}  // namespace fathom
