// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/review/judgements.h"
#include "core/review/review.h"

namespace fathom {

// A review by people's verdicts, for what compares models (ReviewCategory::counting): an answer that a person
// calls right has the score of a right one, an example whose gold a person calls wrong for any of the models
// is scored for none of them. Every other category, and whatever nobody judged, leaves the metric's verdict.
struct JudgedReview {
  Review review;          // kind, facets, and of each model name, verdicts and counts; the examples are empty
  int judged = 0;         // examples of which a person judged some answer
  int leftOut = 0;        // of them, those that the metric scores and whose gold is wrong
  int rightAfterAll = 0;  // answers that the metric calls wrong and a person right
  // "12 examples judged by people: …"
  Phrase words() const;
};
JudgedReview judgedReview(const Review& review, const Judgements& judgements);

// All pairs (comparePairs) by people's verdicts; NaN where they leave no example.
Result<std::vector<ReviewPair>> comparePeoplesPairs(const JudgedReview& judged, const StopToken& stop = {});

// All pairs by the metric's verdicts and, in the same order, by people's; those are none where nobody judged.
// Takes the time of comparePairs() on two cores, so off the GUI thread.
struct JudgedPairs {
  std::vector<ReviewPair> byMetric, byPeople;
  JudgedReview judged;
};
Result<JudgedPairs> compareJudged(const Review& review, JudgedReview judged, const StopToken& stop = {});

}  // namespace fathom
