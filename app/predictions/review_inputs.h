// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/command.h"
#include "core/review/kept_executions.h"
#include "core/review/review.h"

namespace fathom {

// Fields of a review of any kind: --kind, --gold, --predictions, and what the kinds need besides.
std::vector<OptionField> reviewFields();
// The sources that the fields name. Null odds go with the predictions of the same name, or of the same place.
Result<ReviewSources> reviewSources(const CommandContext& context);
// A review as window and figures open it: queries are executed too where the files name databases, and put
// examples where spider-categorize puts them. Any thread; errors name file and line.
Result<Review> openExecutedReview(const ReviewSources& sources, const KeptExecutions& kept,
                                  Progress& progress, const StopToken& stop = {});
// One row per example: id, texts, right answer, and for each system answer, category, right, numbers.
std::vector<std::vector<std::string>> reviewRows(const Review& review,
                                                 const std::vector<std::vector<std::uint8_t>>& categories);
Json reviewScoresJson(const Review& review, const ReviewModel& model);
Json reviewNotes(const Review& review);

}  // namespace fathom
