// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/comparison_tables.h"

#include <QLocale>

#include "views/figure/figure_text.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

// In the order of ErrorCategory, as the table of the agreement is.
constexpr std::array<ErrorCategory, 6> kAll = {ErrorCategory::Correct, ErrorCategory::FalseNegative,
                                               ErrorCategory::Column,  ErrorCategory::Sketch,
                                               ErrorCategory::Both,    ErrorCategory::GoldError};

std::string markup(const QString& text) {
  return toUtf8(escapeMarkup(text));
}

std::vector<double> gapsOf(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<double> gaps;
  for (std::size_t i = 0; i < first.size(); ++i) gaps.push_back(first[i] - second[i]);
  return gaps;
}

std::string percent(double share) {
  return toUtf8(QString::number(100 * share, 'f', 1));
}

}  // namespace

std::vector<ModelPair> compareModels(const std::vector<std::vector<int>>& right) {
  std::vector<ModelPair> pairs;
  for (std::size_t a = 0; a < right.size(); ++a)
    for (std::size_t b = a + 1; b < right.size(); ++b)
      pairs.push_back(
          {int(a), int(b), mcnemarTest(right[a], right[b]), bootstrapMean(gapsOf(right[a], right[b]))});
  return pairs;
}

std::vector<std::vector<int>> rightByModel(const ErrorReview& review) {
  std::vector<std::vector<int>> all;
  for (int m = 0; m < review.models(); ++m) {
    auto& right = all.emplace_back();
    for (int i = 0; i < review.examples(); ++i)
      if (const auto& state = review.state(m, i); state.exact || state.wrong) right.push_back(state.exact);
  }
  return all;
}

std::vector<int> onlyFirstRight(const ErrorReview& review, int first, int second) {
  std::vector<int> examples;
  for (int i = 0; i < review.examples(); ++i)
    if (review.state(first, i).exact && review.state(second, i).wrong) examples.push_back(i);
  return examples;
}

PaperTable pairsTable(const ErrorReview& review, const std::vector<ModelPair>& pairs) {
  PaperTable table;
  table.label = "tab:pairs";
  table.caption =
      "Models in pairs: examples that only one of them has right, McNemar's exact test, and the "
      "difference in exact match with its 95 % interval by paired bootstrap.";
  table.columns = {{markup(ErrorReview::tr("A"))},
                   {markup(ErrorReview::tr("B"))},
                   {markup(ErrorReview::tr("A right, B wrong")), 0},
                   {markup(ErrorReview::tr("B right, A wrong")), 0},
                   {markup(ErrorReview::tr("difference, points")), 1},
                   {markup(ErrorReview::tr("95 %"))},
                   {markup(ErrorReview::tr("McNemar p"))}};
  for (const ModelPair& pair : pairs) {
    table.rows.push_back(
        {markup(review.modelName(pair.first)), markup(review.modelName(pair.second)),
         double(pair.test.onlyFirst), double(pair.test.onlySecond), 100 * pair.bootstrap.difference,
         percent(pair.bootstrap.interval.low) + " … " + percent(pair.bootstrap.interval.high),
         probabilityMarkup(pair.test.pExact)});
  }
  return table;
}

PaperTable agreementTable(const ErrorReview& review, int model) {
  const JudgementAgreement agreement = review.judgements().agreement(std::size_t(model));
  PaperTable table;
  table.label = "tab:agreement";
  table.caption = "Categories by the program (rows) and by hand (columns).";
  table.columns = {{markup(ErrorReview::tr("program / person"))}};
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < kAll.size(); ++k) {
    bool any = k >= 1 && k <= 4;
    for (std::size_t other = 0; other < kAll.size(); ++other)
      any = any || agreement.table[k][other] > 0 || agreement.table[other][k] > 0;
    if (any) used.push_back(k);
  }
  for (const std::size_t k : used) table.columns.push_back({markup(categoryTitle(kAll[k])), 0});
  for (const std::size_t row : used) {
    table.rows.push_back({markup(categoryTitle(kAll[row]))});
    for (const std::size_t column : used)
      table.rows.back().emplace_back(double(agreement.table[row][column]));
  }
  return table;
}

QString agreementText(const ErrorReview& review, int model) {
  const JudgementAgreement agreement = review.judgements().agreement(std::size_t(model));
  if (agreement.judged == 0)
    return ErrorReview::tr("Nothing of %1 has been judged by hand yet.").arg(review.modelName(model));
  const QLocale locale;
  return ErrorReview::tr("%1: %2 of %3 judged alike (%4 %), kappa %5")
      .arg(review.modelName(model), locale.toString(agreement.agreed), locale.toString(agreement.judged),
           locale.toString(100 * agreement.share(), 'f', 0), locale.toString(agreement.kappa(), 'f', 2));
}

}  // namespace fathom
