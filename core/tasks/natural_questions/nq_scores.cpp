// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/nq_scores.h"

#include <algorithm>
#include <set>

#include "core/tasks/long_text/long_scores.h"

namespace fathom {

namespace {

bool hasNqAnswer(const NqAnnotation& one, bool shortAnswers) {
  return shortAnswers ? !one.shortAnswers.empty() || one.yesNo != "NONE" : one.longAnswer.has_value();
}

bool sameNqAnswer(const NqAnnotation& a, const NqAnnotation& b, bool shortAnswers) {
  if (!shortAnswers) return a.longAnswer == b.longAnswer;
  if (a.yesNo != "NONE" || b.yesNo != "NONE") return a.yesNo == b.yesNo;
  const std::set<WordRange> own(a.shortAnswers.begin(), a.shortAnswers.end()),
      other(b.shortAnswers.begin(), b.shortAnswers.end());
  return own == other;
}

}  // namespace

NqScore nqScore(const std::vector<std::vector<NqAnnotation>>& pages,
                const std::vector<NqPrediction>& predictions, bool shortAnswers) {
  constexpr std::ptrdiff_t kGoldAnnotations = 2;  // one where a page has no more, as in the training part
  NqScore score;
  std::vector<std::pair<double, bool>> kept;  // score and whether right
  for (std::size_t page = 0; page < pages.size() && page < predictions.size(); ++page) {
    const auto answered = [&](const NqAnnotation& one) { return hasNqAnswer(one, shortAnswers); };
    const auto annotations = static_cast<std::ptrdiff_t>(pages[page].size());
    const bool gold = std::count_if(pages[page].begin(), pages[page].end(), answered) >=
                      std::max<std::ptrdiff_t>(1, std::min(kGoldAnnotations, annotations));
    score.gold += gold;
    const NqPrediction& own = predictions[page];
    if (!answered(own.answer)) continue;
    const bool right = gold && std::any_of(pages[page].begin(), pages[page].end(), [&](const auto& one) {
                         return answered(one) && sameNqAnswer(one, own.answer, shortAnswers);
                       });
    kept.emplace_back(shortAnswers ? own.shortScore : own.longScore, right);
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  double right = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    right += kept[i].second;
    if (i + 1 < kept.size() && kept[i + 1].first == kept[i].first) continue;  // equal ones together
    const double precision = right / static_cast<double>(i + 1);
    const double recall = score.gold == 0 ? 0 : right / static_cast<double>(score.gold);
    const double f1 = harmonicMean(precision, recall);
    score.curve.push_back({kept[i].first, precision, recall, f1});
    if (f1 <= score.f1) continue;
    score.f1 = f1;
    score.precision = precision;
    score.recall = recall;
    score.threshold = kept[i].first;
  }
  return score;
}

}  // namespace fathom
