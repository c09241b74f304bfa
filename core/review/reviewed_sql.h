// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/review/review_kind.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

// What only a review of SQL has: gold and predictions as queries to databases, read, matched and categorised
// by the rules of Spider (core/spider). Categories of a review of SQL are those of ErrorCategory, in its
// order.

inline constexpr const char* kSqlReviewId = "sql";

struct SqlOwn final : ReviewOwn {
  SpiderReview spider;
};
// Null: the review is of another kind.
const SpiderReview* spiderOf(const Review& review);

// Files and options of a review of SQL as Spider's reader takes them, and the other way round.
SpiderSources spiderSourcesOf(const ReviewSources& sources);
ReviewSources reviewSourcesOf(const SpiderSources& sources, const std::string& preset);
Result<CategoryPreset> presetOf(const ReviewSources& sources);

// The review of what was read, which it holds from then on.
Review sqlReview(SpiderReview spider, ReviewSources sources);
// The same without holding it: as much as judgements and comparisons ask for.
Review sqlReviewOf(const SpiderReview& spider);
// With `categories` as they are for Spider's own tables.
std::vector<std::vector<ErrorCategory>> errorCategories(
    const std::vector<std::vector<std::uint8_t>>& categories);

}  // namespace fathom
