// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/review_table_model.h"

namespace fathom {

// Predicted SQL: number, database, hardness, one column per model (right, or the category of the error), the
// category of the current model, its confidence, the question.
class PredictionTableModel : public ReviewTableModel {
  Q_OBJECT
 public:
  enum Column { Number, Database, Hardness, FirstModel };

  // `review` is borrowed.
  explicit PredictionTableModel(ErrorReview* review, QObject* parent = nullptr);
  int categoryColumn() const override { return FirstModel + m_review->models(); }
  int confidenceColumn() const { return categoryColumn() + 1; }
  int questionColumn() const { return categoryColumn() + 2; }
  int modelOfColumn(int column) const override;
  int columnDigits(int column) const override;

  void sort(int column, Qt::SortOrder order) override;

 private:
  qsizetype shownColumns() const override { return questionColumn() + 1; }
  QString title(int column) const override;
  Shown shown(int model, int example) const override;
  QString text(int example, int column) const override;
  QString toolTip(int example, int column) const override;
  bool isNumber(int column) const override { return column == Number || column == confidenceColumn(); }
  ErrorReview* m_review;
};

}  // namespace fathom
