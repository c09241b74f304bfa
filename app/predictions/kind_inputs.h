// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/command.h"
#include "core/review/kind_review.h"

namespace fathom {

// Fields of a review of any kind: --kind, --gold, --predictions, and what the kinds need besides.
std::vector<OptionField> kindFields();
// The sources that the fields name. Null odds go with the predictions of the same name, or of the same place.
Result<KindSources> kindSources(const CommandContext& context);
// One row per example: id, texts, right answer, and for each system answer, category, right, numbers.
std::vector<std::vector<std::string>> kindRows(const KindReview& review,
                                               const std::vector<std::vector<std::uint8_t>>& categories);
Json kindScoresJson(const KindReview& review, const KindModel& model);
Json kindNotes(const KindReview& review);

}  // namespace fathom
