// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/review/reviewed_sql.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

// Questions of panels to predictions that are SQL; the review is not empty and of that kind. GUI thread.

const SpiderReview& sqlOf(const ReviewedPredictions& review);
QString databaseOf(const ReviewedPredictions& review, int example);
QString questionOf(const ReviewedPredictions& review, int example);
QString goldSqlOf(const ReviewedPredictions& review, int example);
const CategoryVerdict& sqlVerdictOf(const ReviewedPredictions& review, int model, int example);
// Null when tables.json does not know the database.
const SpiderSchema* schemaOf(const ReviewedPredictions& review, int example);
// The folder with <db_id>/<db_id>.sqlite, "" = none.
std::string databasesOf(const ReviewedPredictions& review);

// The categories of the keys 1 … 4.
inline constexpr std::array<ErrorCategory, 4> kReviewCategories = {
    ErrorCategory::FalseNegative, ErrorCategory::Column, ErrorCategory::Sketch, ErrorCategory::Both};
// In the language of the window: "Column".
QString categoryTitle(ErrorCategory category);
QString hardnessTitle(SpiderHardness hardness);

}  // namespace fathom
