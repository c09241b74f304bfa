// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/sql_predictions.h"

#include "views/look/engine_text.h"

namespace fathom {

const SpiderReview& sqlOf(const ReviewedPredictions& review) {
  return *spiderOf(review.review());
}

QString databaseOf(const ReviewedPredictions& review, int example) {
  return fromUtf8(sqlOf(review).gold[std::size_t(example)].dbId);
}

QString questionOf(const ReviewedPredictions& review, int example) {
  const auto& questions = sqlOf(review).questions;
  return std::size_t(example) < questions.size() ? fromUtf8(questions[std::size_t(example)]) : QString();
}

QString goldSqlOf(const ReviewedPredictions& review, int example) {
  return fromUtf8(sqlOf(review).gold[std::size_t(example)].sql);
}

const CategoryVerdict& sqlVerdictOf(const ReviewedPredictions& review, int model, int example) {
  return sqlOf(review).models[std::size_t(model)].verdicts[std::size_t(example)];
}

const SpiderSchema* schemaOf(const ReviewedPredictions& review, int example) {
  return findSchema(sqlOf(review).schemas, sqlOf(review).gold[std::size_t(example)].dbId);
}

std::string databasesOf(const ReviewedPredictions& review) {
  return spiderSourcesOf(review.review().sources).databases;
}

QString categoryTitle(ErrorCategory category) {
  switch (category) {
    case ErrorCategory::Correct:
      return ReviewedPredictions::tr("Correct");
    case ErrorCategory::FalseNegative:
      return ReviewedPredictions::tr("False negative");
    case ErrorCategory::Column:
      return ReviewedPredictions::tr("Column");
    case ErrorCategory::Sketch:
      return ReviewedPredictions::tr("Sketch");
    case ErrorCategory::Both:
      return ReviewedPredictions::tr("Both");
    case ErrorCategory::GoldError:
      return ReviewedPredictions::tr("Gold is wrong");
  }
  return {};
}

QString hardnessTitle(SpiderHardness hardness) {
  switch (hardness) {
    case SpiderHardness::Easy:
      return ReviewedPredictions::tr("easy");
    case SpiderHardness::Medium:
      return ReviewedPredictions::tr("medium");
    case SpiderHardness::Hard:
      return ReviewedPredictions::tr("hard");
    case SpiderHardness::Extra:
      return ReviewedPredictions::tr("extra");
  }
  return {};
}

}  // namespace fathom
