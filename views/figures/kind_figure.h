// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/review/kind_review.h"
#include "views/figures/review_figure.h"

namespace fathom {

// What figures of a review of any kind (core/review) are made of. Models have the colours series:0, series:1,
// … in the order of the review.
struct KindFigureInput {
  const KindReview& review;  // borrowed
};

// --set system=NAME: the one that is drawn; empty, or another review's: the first.
OptionField systemField();
std::size_t systemOf(const KindFigureInput& input, const OptionValues& options);

// As much of a review of Spider as the figures of common failures look at: names, and who has what wrong.
struct FailureView {
  SpiderReview review;
  std::vector<std::vector<ErrorCategory>> categories;
  ReviewFigureInput input() const { return {review, categories}; }
};
FailureView failureView(const KindReview& review);

// Models, their metrics and how many predictions are wrong; with `markup` for a paper.
PaperTable kindScoresTable(const KindReview& review);
// Some examples: number, the text that says most, gold, answer and category of every model. `categories` are
// those that count, [model][example].
PaperTable kindExamplesTable(const KindReview& review,
                             const std::vector<std::vector<std::uint8_t>>& categories,
                             const std::vector<int>& examples);
// Models in pairs by the kind's test.
PaperTable kindPairsTable(const KindReview& review, const std::vector<KindPair>& pairs);

}  // namespace fathom
