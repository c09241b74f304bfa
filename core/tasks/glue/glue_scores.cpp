// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/statistics/matthews_correlation.h"

namespace fathom {

namespace {

double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

double meanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

ClassScores classScores(std::span<const std::int64_t> predicted, std::span<const std::int64_t> gold) {
  ClassScores s;
  s.all = static_cast<std::int64_t>(gold.size());
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const bool own = predicted[i] == 1, real = gold[i] == 1;
    s.right += predicted[i] == gold[i] ? 1 : 0;
    std::int64_t& cell =
        own ? (real ? s.truePositive : s.falsePositive) : (real ? s.falseNegative : s.trueNegative);
    ++cell;
  }
  s.accuracy = ratio(static_cast<double>(s.right), static_cast<double>(s.all));
  const auto tp = static_cast<double>(s.truePositive);
  const auto fp = static_cast<double>(s.falsePositive), fn = static_cast<double>(s.falseNegative);
  s.f1 = ratio(2 * tp, 2 * tp + fp + fn);
  const std::int64_t cells[] = {s.trueNegative, s.falsePositive, s.falseNegative, s.truePositive};
  s.matthews = matthewsCorrelation(cells, 2, 2);
  return s;
}

double matthewsOfClasses(std::span<const std::int64_t> predicted, std::span<const std::int64_t> gold) {
  std::map<std::int64_t, std::size_t> places;
  for (const auto& labels : {predicted, gold})
    for (const std::int64_t label : labels) places.emplace(label, places.size());
  const std::size_t classes = places.size();
  std::vector<std::int64_t> cells(classes * classes, 0);
  for (std::size_t i = 0; i < gold.size(); ++i) ++cells[places[gold[i]] * classes + places[predicted[i]]];
  return matthewsCorrelation(cells, classes, classes);
}

std::int64_t bestClass(std::span<const double> logits) {
  return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

const std::vector<std::string>& glueEntries() {
  static const std::vector<std::string> entries = {"cola",   "sst2",    "mrpc", "qqp", "stsb",
                                                   "mnli_m", "mnli_mm", "qnli", "rte"};
  return entries;
}

std::optional<double> glueOverall(const std::map<std::string, std::vector<double>>& scores) {
  double sum = 0;
  for (const std::string& entry : glueEntries()) {
    const auto found = scores.find(entry);
    if (found == scores.end() || found->second.empty()) return std::nullopt;
    const double mean = meanOf(found->second);
    if (!std::isfinite(mean)) return std::nullopt;
    sum += mean;
  }
  return sum / static_cast<double>(glueEntries().size());
}

}  // namespace fathom
