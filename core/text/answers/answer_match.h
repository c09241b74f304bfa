// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// Comparison of a predicted answer with the reference answers by SQuAD's published evaluation
// (docs/review_kinds.md §3). Texts are well-formed UTF-8.

// Lower case, without the 32 ASCII punctuation signs, without the words a, an and the, white space collapsed
// to single spaces. A word is bounded as by Python's \b: letters and numbers of Unicode, so "a" before a
// combining mark is an article.
std::string normalizeAnswer(std::string_view text);

enum class AnswerRules : std::uint8_t {
  Answerable,   // version 1.1: F1 is 0 where no word is shared, also for two texts that normalise to nothing
  Unanswerable  // version 2.0: where either normalises to nothing, F1 is whether both do
};

// F1 of texts that are normalised already.
double normalizedAnswerF1(std::string_view prediction, std::string_view reference, AnswerRules rules);

struct AnswerScore {
  double exact = 0;  // 0 or 1
  double f1 = 0;     // 0 … 1
};
// The best over the references, each number for itself. Version 2.0 leaves out references that normalise to
// nothing and compares with the empty answer when none is left; version 1.1 gives 0 without references.
AnswerScore bestAnswerScore(std::string_view prediction, const std::vector<std::string>& references,
                            AnswerRules rules);

}  // namespace fathom
