// SPDX-License-Identifier: Apache-2.0
#include "core/review/class_scores.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics/matthews_correlation.h"

namespace fathom {

namespace {

Result<std::vector<double>> softmaxOf(std::span<const double> scores) {
  for (const double score : scores)
    if (!std::isfinite(score)) return dataError(Phrase::tr("a score is not finite"));
  const double most = *std::max_element(scores.begin(), scores.end());
  double norm = 0;
  for (const double score : scores) norm += std::exp(score - most);
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score - most) / norm);
  return shares;
}

}  // namespace

Result<std::vector<double>> probabilitiesOf(std::span<const double> scores) {
  constexpr double kAbove = 1e-6, kFromOne = 1e-3;  // files round
  double sum = 0;
  bool probabilities = true;
  for (const double score : scores) {
    sum += score;
    probabilities = probabilities && score >= 0 && score <= 1 + kAbove;
  }
  if (!probabilities || !(std::abs(sum - 1) < kFromOne)) return softmaxOf(scores);
  return std::vector<double>(scores.begin(), scores.end());
}

std::int64_t ClassCounts::total() const {
  std::int64_t sum = 0;
  for (const std::int64_t cell : cells) sum += cell;
  return sum;
}

double ClassCounts::accuracy() const {
  std::int64_t right = 0;
  for (std::size_t k = 0; k < classes; ++k) right += at(k, k);
  return total() == 0 ? 0 : static_cast<double>(right) / static_cast<double>(total());
}

std::int64_t ClassCounts::named(std::size_t label) const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k <= classes; ++k) sum += at(label, k);
  for (std::size_t k = 0; k < classes; ++k) sum += at(k, label);
  return sum;
}

double ClassCounts::f1(std::size_t label) const {
  const auto sum = static_cast<double>(named(label));
  return sum == 0 ? 0 : 2 * static_cast<double>(at(label, label)) / sum;
}

double ClassCounts::macroF1() const {
  double sum = 0;
  int count = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    sum += f1(k);
    count += named(k) > 0;
  }
  return count == 0 ? 0 : sum / count;
}

double ClassCounts::matthews() const {
  return matthewsCorrelation(cells, classes, classes + 1);
}

ClassCounts countClasses(const ReviewGold& gold, const ReviewModel& model) {
  ClassCounts counts;
  counts.classes = gold.labels.size();
  counts.cells.assign(counts.classes * (counts.classes + 1), 0);
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    const ReviewOutput& output = model.outputs[i];
    const std::size_t predicted = output.given ? static_cast<std::size_t>(output.label) : counts.classes;
    ++counts.cells[static_cast<std::size_t>(gold.examples[i].label) * (counts.classes + 1) + predicted];
  }
  return counts;
}

Calibration calibrationOf(const ReviewModel& model) {
  Calibration result;
  result.bins.resize(Calibration::kBins);
  for (std::size_t i = 0; i < model.verdicts.size(); ++i) {
    const auto confidence = model.verdicts[i].numbers[0];
    if (std::isnan(confidence)) continue;
    // A bin has its upper end, not its lower one; .9 times 10 is 9 whatever it rounds to.
    constexpr double kSlack = 1e-12;
    const double end = std::ceil(confidence * Calibration::kBins - kSlack);
    const auto at =
        static_cast<std::size_t>(std::clamp(end - 1, 0.0, static_cast<double>(Calibration::kBins - 1)));
    Calibration::Bin& bin = result.bins[at];
    ++bin.count;
    ++result.count;
    bin.confidence += confidence;
    bin.accuracy += model.verdicts[i].right;
    bin.examples.push_back(i);
  }
  for (Calibration::Bin& bin : result.bins) {
    if (bin.count == 0) continue;
    const auto n = static_cast<double>(bin.count);
    bin.confidence /= n;
    bin.accuracy /= n;
    result.error += n / static_cast<double>(result.count) * std::abs(bin.accuracy - bin.confidence);
  }
  return result;
}

}  // namespace fathom
