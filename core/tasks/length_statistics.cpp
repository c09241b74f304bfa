// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/length_statistics.h"

#include <algorithm>
#include <numeric>

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

}  // namespace fathom
