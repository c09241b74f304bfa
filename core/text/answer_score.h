// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Comparing short answers by the official rules of SQuAD (docs/fine_tuning.md §5.4).

// Lower case, ASCII punctuation off, the words a, an and the off, white space collapsed; all by Unicode.
std::string normalisedAnswer(std::string_view text);

enum class AnswerRules { Version1, Version2 };

struct AnswerScore {
  double exact = 0, f1 = 0;
};
// Against one gold answer. Version 1.1: F1 is 0 when nothing is shared; 2.0: of two texts that are empty
// after normalising it is 1.
AnswerScore answerScore(std::string_view predicted, std::string_view gold, AnswerRules rules);
// The best over the gold answers. Version 2.0 drops those that normalise to nothing and compares with ""
// where none is left.
AnswerScore bestAnswerScore(std::string_view predicted, std::span<const std::string> gold, AnswerRules rules);

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
