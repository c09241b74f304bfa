// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/text/answers/answer_match.h"

namespace fathom {

// Whole evaluations by the official rules of SQuAD (docs/fine_tuning.md §5.4); one answer: answer_match.h.

// One question of an evaluation. `prediction` none: 0 by version 1.1; version 2.0 leaves it out.
struct AnsweredQuestion {
  std::string id;
  std::vector<std::string> gold;  // empty: the question has no answer
  std::optional<std::string> prediction;
  double noAnswer = 0;  // how much speaks for there being none
};

// In per cent, means over questions.
struct AnswerTotals {
  double exact = 0, f1 = 0;
  std::int64_t total = 0;
};
struct AnswerEvaluation {
  AnswerTotals all, answerable, unanswerable;
  std::vector<AnswerScore> each;  // by question
  std::int64_t missing = 0;       // questions without a prediction
};
// Above `threshold` of noAnswer a prediction counts as empty (version 2.0 only).
AnswerEvaluation evaluateAnswers(const std::vector<AnsweredQuestion>& questions, AnswerRules rules,
                                 std::optional<double> threshold = {});

struct AnswerThreshold {
  double score = 0, threshold = 0;
};
// The official scan, which also looks between equal scores, and what a threshold can reach (-1: never an
// answer; empty where noAnswer > threshold; the lowest of equal ones).
struct AnswerThresholds {
  AnswerThreshold exact, f1;
  AnswerThreshold reachableExact, reachableF1;
};
AnswerThresholds bestAnswerThresholds(const std::vector<AnsweredQuestion>& questions,
                                      const std::vector<AnswerScore>& scores);

}  // namespace fathom
