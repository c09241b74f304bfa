// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/paper/agreement_table.h"

#include <QLocale>

#include "views/figure/figure_text.h"
#include "views/look/engine_text.h"
#include "views/selection/selection.h"

namespace fathom {

namespace {

std::string inMarkup(const QString& text) {
  return toUtf8(escapeMarkup(text));
}

// Categories that have a row and a column.
std::vector<std::size_t> usedCategories(const ReviewedPredictions& review,
                                        const JudgementAgreement& agreement) {
  const auto& categories = review.kind().categories;
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < categories.size(); ++k) {
    bool any = k > 0 && categories[k].byPerson && categories[k].counting != Counting::NotAtAll;
    for (std::size_t other = 0; other < categories.size(); ++other)
      any = any || agreement.table[k][other] > 0 || agreement.table[other][k] > 0;
    if (any) used.push_back(k);
  }
  return used;
}

}  // namespace

PaperTable agreementTable(const ReviewedPredictions& review, int model) {
  const JudgementAgreement agreement = review.judgements().agreement(std::size_t(model));
  PaperTable table;
  table.label = "tab:agreement";
  table.caption = "Categories by the program (rows) and by hand (columns).";
  table.columns = {{inMarkup(ReviewedPredictions::tr("program / person"))}};
  const std::vector<std::size_t> used = usedCategories(review, agreement);
  for (const std::size_t k : used) table.columns.push_back({inMarkup(review.categoryTitle(int(k))), 0});
  for (const std::size_t row : used) {
    table.rows.push_back({inMarkup(review.categoryTitle(int(row)))});
    for (const std::size_t column : used)
      table.rows.back().emplace_back(double(agreement.table[row][column]));
  }
  return table;
}

std::vector<std::vector<std::string>> agreementCells(const ReviewedPredictions& review, int model) {
  const std::vector<std::size_t> used =
      usedCategories(review, review.judgements().agreement(std::size_t(model)));
  std::vector<std::vector<std::string>> cells;
  for (const std::size_t row : used) {
    auto& line = cells.emplace_back(1);
    for (const std::size_t column : used) {
      QStringList examples;
      for (int i = 0; i < review.examples(); ++i)
        if (review.isHuman(model, i) && review.verdict(model, i).category == row &&
            std::size_t(review.category(model, i)) == column)
          examples.append(QString::number(i));
      Selection selection;
      selection.set(Dimension::PredictionSet, {review.modelName(model)});
      if (!examples.isEmpty()) selection.set(Dimension::Example, examples, examples.front());
      line.push_back(examples.isEmpty() ? std::string() : toUtf8(selection.text()));
    }
  }
  return cells;
}

QString agreementText(const ReviewedPredictions& review, int model) {
  const JudgementAgreement agreement = review.judgements().agreement(std::size_t(model));
  if (agreement.judged == 0)
    return ReviewedPredictions::tr("Nothing of %1 has been judged by hand yet.").arg(review.modelName(model));
  const QLocale locale;
  return ReviewedPredictions::tr("%1: %2 of %3 judged alike (%4 %), kappa %5")
      .arg(review.modelName(model), locale.toString(agreement.agreed), locale.toString(agreement.judged),
           locale.toString(100 * agreement.share(), 'f', 0), locale.toString(agreement.kappa(), 'f', 2));
}

}  // namespace fathom
