// SPDX-License-Identifier: Apache-2.0
#include "core/review/span_scores.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fathom {

namespace {

bool isAnswerable(const ReviewExample& example) {
  return !example.references.empty();
}

struct Scanned {
  double best = 0, at = 0, reachable = 0;
};

// `gain` of an answerable question is its score; an unanswerable one loses 1 where it is answered.
Scanned scanned(const std::vector<std::size_t>& order, const std::vector<double>& gains,
                const std::vector<double>& odds, int unanswerable) {
  Scanned result;
  double current = unanswerable;
  result.best = result.reachable = current;
  for (std::size_t i = 0; i < order.size(); ++i) {
    current += gains[order[i]];
    if (current > result.best) {
      result.best = current;
      result.at = odds[order[i]];
    }
    const bool last = i + 1 == order.size() || odds[order[i + 1]] != odds[order[i]];
    if (last) result.reachable = std::max(result.reachable, current);
  }
  return result;
}

}  // namespace

SpanScores spanScores(const ReviewGold& gold, const ReviewModel& model) {
  SpanScores scores;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    if (!gold.examples[i].scored) continue;
    const auto f1 = model.verdicts[i].numbers[0];
    const auto exact = model.verdicts[i].numbers[1];
    ++scores.total;
    scores.exact += exact;
    scores.f1 += f1;
    if (isAnswerable(gold.examples[i])) {
      ++scores.answerable;
      scores.answerableExact += exact;
      scores.answerableF1 += f1;
    } else {
      scores.unanswerableExact += exact;
    }
  }
  const auto share = [](double& sum, int count) { sum = count == 0 ? kNaN : 100 * sum / count; };
  share(scores.exact, scores.total);
  share(scores.f1, scores.total);
  share(scores.answerableExact, scores.answerable);
  share(scores.answerableF1, scores.answerable);
  share(scores.unanswerableExact, scores.total - scores.answerable);
  return scores;
}

std::optional<BestThreshold> bestThreshold(const ReviewGold& gold, const ReviewModel& model) {
  std::vector<double> exact, f1, odds;
  int unanswerable = 0;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    if (!gold.examples[i].scored) continue;
    odds.push_back(model.outputs[i].nullScore);
    if (std::isnan(odds.back())) return std::nullopt;
    const bool answerable = isAnswerable(gold.examples[i]);
    unanswerable += !answerable;
    const double loss = model.outputs[i].text.empty() ? 0 : -1;
    f1.push_back(answerable ? model.verdicts[i].numbers[0] : loss);
    exact.push_back(answerable ? model.verdicts[i].numbers[1] : loss);
  }
  const std::size_t n = odds.size();
  if (n == 0) return std::nullopt;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&odds](std::size_t a, std::size_t b) { return odds[a] < odds[b]; });
  const Scanned ofExact = scanned(order, exact, odds, unanswerable);
  const Scanned ofF1 = scanned(order, f1, odds, unanswerable);
  const auto percent = [n](double sum) { return 100 * sum / static_cast<double>(n); };
  return BestThreshold{percent(ofExact.best),      percent(ofF1.best),     ofExact.at, ofF1.at,
                       percent(ofExact.reachable), percent(ofF1.reachable)};
}

}  // namespace fathom
