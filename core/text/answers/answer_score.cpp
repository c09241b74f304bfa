// SPDX-License-Identifier: Apache-2.0
#include "core/text/answers/answer_score.h"

#include <algorithm>

namespace fathom {

namespace {

void addTo(AnswerTotals& totals, const AnswerScore& score) {
  totals.exact += score.exact;
  totals.f1 += score.f1;
  ++totals.total;
}

void toPercent(AnswerTotals& totals) {
  if (totals.total == 0) return;
  totals.exact = 100.0 * totals.exact / static_cast<double>(totals.total);
  totals.f1 = 100.0 * totals.f1 / static_cast<double>(totals.total);
}

struct Scan {
  double current = 0, best = 0, threshold = 0;
  double reachable = 0, reachableThreshold = -1;
};

Scan scan(const std::vector<AnsweredQuestion>& questions, const std::vector<AnswerScore>& scores,
          double AnswerScore::*which) {
  std::vector<std::size_t> order;
  Scan result;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!questions[i].prediction) continue;
    order.push_back(i);
    if (questions[i].gold.empty()) result.current += 1;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return questions[a].noAnswer < questions[b].noAnswer;
  });
  result.best = result.reachable = result.current;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const AnsweredQuestion& question = questions[order[i]];
    if (!question.gold.empty())
      result.current += scores[order[i]].*which;
    else if (!question.prediction->empty())
      result.current -= 1;
    if (result.current > result.best) {
      result.best = result.current;
      result.threshold = question.noAnswer;
    }
    const bool last = i + 1 == order.size() || questions[order[i + 1]].noAnswer != question.noAnswer;
    if (last && result.current > result.reachable) {
      result.reachable = result.current;
      result.reachableThreshold = question.noAnswer;
    }
  }
  const double all = order.empty() ? 1 : static_cast<double>(order.size());
  result.best = 100.0 * result.best / all;
  result.reachable = 100.0 * result.reachable / all;
  return result;
}

}  // namespace

AnswerEvaluation evaluateAnswers(const std::vector<AnsweredQuestion>& questions, AnswerRules rules,
                                 std::optional<double> threshold) {
  AnswerEvaluation evaluation;
  for (const AnsweredQuestion& question : questions) {
    evaluation.each.emplace_back();
    AnswerScore& score = evaluation.each.back();
    if (!question.prediction) ++evaluation.missing;
    if (!question.prediction && rules == AnswerRules::Unanswerable) continue;
    if (question.prediction) score = bestAnswerScore(*question.prediction, question.gold, rules);
    if (threshold && question.noAnswer > *threshold) score.exact = score.f1 = question.gold.empty() ? 1 : 0;
    addTo(evaluation.all, score);
    addTo(question.gold.empty() ? evaluation.unanswerable : evaluation.answerable, score);
  }
  toPercent(evaluation.all);
  toPercent(evaluation.answerable);
  toPercent(evaluation.unanswerable);
  return evaluation;
}

AnswerThresholds bestAnswerThresholds(const std::vector<AnsweredQuestion>& questions,
                                      const std::vector<AnswerScore>& scores) {
  const Scan exact = scan(questions, scores, &AnswerScore::exact);
  const Scan f1 = scan(questions, scores, &AnswerScore::f1);
  return {{exact.best, exact.threshold},
          {f1.best, f1.threshold},
          {exact.reachable, exact.reachableThreshold},
          {f1.reachable, f1.reachableThreshold}};
}

}  // namespace fathom
