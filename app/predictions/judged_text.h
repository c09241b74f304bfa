// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/text_table.h"
#include "core/base/json/json.h"
#include "core/review/judged_review.h"

namespace fathom {

// Pairs of models in a shell, in the units of the kind.

// Only first and only second right, p, difference and its interval; NaN is null.
Json pairNumbersJson(const ReviewKind& kind, const ReviewPair& pair);
// "judged", "left_out" and "right_after_all".
Json judgedJson(const JudgedReview& judged);
// Columns of a pair after its models, and their cells.
std::vector<std::string> pairColumns(const ReviewKind& kind);
std::vector<std::string> pairCells(const ReviewKind& kind, const ReviewPair& pair);
// The table of pairs by people's verdicts below what it is of; "" where nobody judged.
std::string peoplesPairsText(const JudgedReview& judged, const std::vector<ReviewPair>& byPeople);

}  // namespace fathom
