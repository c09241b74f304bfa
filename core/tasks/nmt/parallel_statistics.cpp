// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/parallel_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace fathom {

namespace {

constexpr std::int64_t kMostBins = 40;

// The smallest of 1, 2, 5, 10, 20, ... with which all lengths fit.
std::int64_t binWidth(std::int64_t longest) {
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t step : {1, 2, 5})
      if (longest / (step * power) < kMostBins) return step * power;
}

double medianOf(std::vector<std::int32_t> values) {
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle))) /
         2;
}

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

LengthStatistics lengthStatistics(std::span<const std::int32_t> lengths) {
  LengthStatistics result;
  result.count = static_cast<std::int64_t>(lengths.size());
  if (lengths.empty()) return result;
  result.total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  result.shortest = *shortest;
  result.longest = *longest;
  result.mean = static_cast<double>(result.total) / static_cast<double>(result.count);
  result.median = medianOf({lengths.begin(), lengths.end()});
  const std::int64_t width = binWidth(result.longest);
  for (std::int64_t from = 0; from <= result.longest; from += width)
    result.histogram.push_back({from, from + width, 0});
  for (const std::int32_t length : lengths)
    ++result.histogram[static_cast<std::size_t>(length / width)].count;
  return result;
}

Json lengthStatisticsJson(const LengthStatistics& statistics) {
  Json json = {{"count", statistics.count},       {"total", statistics.total},
               {"shortest", statistics.shortest}, {"longest", statistics.longest},
               {"mean", statistics.mean},         {"median", statistics.median},
               {"histogram", Json::array()}};
  for (const auto& bin : statistics.histogram)
    json["histogram"].push_back({{"from", bin.from}, {"to", bin.to}, {"count", bin.count}});
  return json;
}

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
