// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/tables/kind_error_review.h"
#include "views/tables/review_table_model.h"

namespace fathom {

// A review of any kind: number, one column per model (right, or the letter of the category), the category of
// the current model, its numbers that are known, the text that says most.
class KindTableModel : public ReviewTableModel {
  Q_OBJECT
 public:
  // `review` is borrowed.
  explicit KindTableModel(KindErrorReview* review, QObject* parent = nullptr);
  int categoryColumn() const override { return 1 + m_review->models(); }
  int textColumn() const { return categoryColumn() + 1 + numbers(); }
  int modelOfColumn(int column) const override;
  int columnDigits(int column) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  qsizetype shownColumns() const override { return textColumn() + 1; }
  QString title(int column) const override;
  Shown shown(int model, int example) const override;
  QString text(int example, int column) const override;
  QString toolTip(int example, int column) const override;
  bool isNumber(int column) const override;
  int numbers() const;
  int numberOfColumn(int column) const;
  KindErrorReview* m_review;
};

}  // namespace fathom
