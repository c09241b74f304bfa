// SPDX-License-Identifier: Apache-2.0
#include "core/review/judged_review.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/base/threads/thread_ranges.h"

namespace fathom {

namespace {

// Texts and answers are most of a review, and no comparison looks at them.
Review withoutTexts(const Review& review) {
  Review kept;
  kept.kind = review.kind;
  kept.sources = review.sources;
  kept.dataset = review.dataset;
  kept.gold.examples.resize(review.examples());
  kept.facets = review.facets;
  for (const ReviewModel& model : review.models) {
    ReviewModel& mine = kept.models.emplace_back();
    mine.name = model.name;
    mine.verdicts = model.verdicts;
    mine.counts = model.counts;
  }
  return kept;
}

bool isScored(const ReviewVerdict& verdict) {
  return verdict.right || verdict.wrong;
}

// The meaning of the category that a person gave this answer; as scored, where nobody did.
Counting countingOf(const Review& review, const CategoryOverride* human) {
  if (human == nullptr) return Counting::AsScored;
  const auto category = categoryIndex(*review.kind, human->category);
  return category ? review.kind->categories[*category].counting : Counting::AsScored;
}

void countAsRight(const Review& review, std::size_t m, std::size_t i, JudgedReview& judged) {
  const ReviewKind& kind = *review.kind;
  ReviewModel& model = judged.review.models[m];
  ReviewVerdict& verdict = model.verdicts[i];
  verdict.score = 1;
  if (kind.judgeAsRight != nullptr)
    kind.judgeAsRight(review.gold, review.gold.examples[i], review.models[m].outputs[i], verdict,
                      std::span(model.counts).subspan(i * kind.counts, kind.counts));
  verdict.right = true;
  verdict.wrong = false;
  ++judged.rightAfterAll;
}

void leaveOut(std::size_t i, JudgedReview& judged) {
  bool scored = false;
  for (ReviewModel& model : judged.review.models) {
    scored = scored || isScored(model.verdicts[i]);
    model.verdicts[i].right = model.verdicts[i].wrong = false;
  }
  judged.leftOut += scored;
}

void judgeExample(const Review& review, const Judgements& judgements, std::size_t i, JudgedReview& judged) {
  std::vector<std::size_t> right;
  bool any = false, goldWrong = false;
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    const CategoryOverride* human = judgements.human(m, i);
    any = any || human != nullptr;
    const Counting counting = countingOf(review, human);
    goldWrong = goldWrong || counting == Counting::NotAtAll;
    if (counting == Counting::AsRight && review.models[m].verdicts[i].wrong) right.push_back(m);
  }
  judged.judged += any;
  if (goldWrong) return leaveOut(i, judged);
  for (const std::size_t m : right) countAsRight(review, m, i, judged);
}

bool nothingScored(const Review& review) {
  return std::none_of(review.models.begin(), review.models.end(), [](const ReviewModel& model) {
    return std::any_of(model.verdicts.begin(), model.verdicts.end(), isScored);
  });
}

}  // namespace

Phrase JudgedReview::words() const {
  return Phrase::tr(
      "Examples judged by people: %1; left out because their gold is wrong: %2; answers that are right after "
      "all: %3.")(judged, leftOut, rightAfterAll);
}

JudgedReview judgedReview(const Review& review, const Judgements& judgements) {
  JudgedReview judged;
  judged.review = withoutTexts(review);
  for (std::size_t i = 0; judgements.anyVerdict() && i < review.examples(); ++i)
    judgeExample(review, judgements, i, judged);
  return judged;
}

Result<std::vector<ReviewPair>> comparePeoplesPairs(const JudgedReview& judged, const StopToken& stop) {
  const Review& review = judged.review;
  if (!nothingScored(review)) return comparePairs(review, stop);
  std::vector<ReviewPair> pairs;
  for (std::size_t a = 0; a < review.models.size(); ++a)
    for (std::size_t b = a + 1; b < review.models.size(); ++b)
      pairs.push_back({.first = a, .second = b, .difference = kNaN, .low = kNaN, .high = kNaN, .p = kNaN});
  return pairs;
}

Result<JudgedPairs> compareJudged(const Review& review, JudgedReview judged, const StopToken& stop) {
  JudgedPairs pairs;
  std::array<Status, 2> failed;
  // Beside each other: they share nothing but the review, which neither changes.
  FATHOM_CHECK(forRanges(judged.judged > 0 ? 2 : 1, 2, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      auto found = i == 0 ? comparePairs(review, stop) : comparePeoplesPairs(judged, stop);
      if (found.ok())
        (i == 0 ? pairs.byMetric : pairs.byPeople) = std::move(*found);
      else
        failed[i] = found.error();
    }
  }));
  for (const Status& each : failed) FATHOM_CHECK(each);
  pairs.judged = std::move(judged);
  return pairs;
}

}  // namespace fathom
