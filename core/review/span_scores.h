// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/review/review_kind.h"

namespace fathom {

// SQuAD's numbers over all questions, in per cent; NaN: of no question.
struct SpanScores {
  double exact = 0, f1 = 0;
  double answerableExact = 0, answerableF1 = 0, unanswerableExact = 0;
  int total = 0, answerable = 0;
};
SpanScores spanScores(const ReviewGold& gold, const ReviewModel& model);

// The threshold of the null score above which the empty answer is the best choice: sorted by null score, from
// the count of unanswerable questions, adding what each answered one gains, the first strict maximum. The
// published scan also stops between equal null scores, where no threshold can be: `reachable` is the best
// that one can reach. None without null scores.
struct BestThreshold {
  double exact = 0, f1 = 0;  // per cent
  double exactAt = 0, f1At = 0;
  double reachableExact = 0, reachableF1 = 0;
};
std::optional<BestThreshold> bestThreshold(const ReviewGold& gold, const ReviewModel& model);

}  // namespace fathom
