// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/tables/review_filter.h"
#include "views/tables/table_model.h"

namespace fathom {

// The examples of the review that pass the filter: number, database, hardness, one column per model (right,
// or the category of the error), the category of the current model, its confidence, the question. Nothing is
// copied; rows are looked up when they are painted. A changed category repaints its row and moves nothing.
class PredictionTableModel : public TableModel {
  Q_OBJECT
 public:
  enum Column { Number, Database, Hardness, FirstModel };
  enum Role {
    CategoryRole = Qt::UserRole,  // id of the shown category, also of model columns
    HumanRole,                    // bool: a person set it
    StaleRole,                    // bool: a person's category for other SQL
    CorrectRole,                  // bool: exact match
  };

  // `review` is borrowed.
  explicit PredictionTableModel(ErrorReview* review, QObject* parent = nullptr);
  ReviewFilter& filter() { return m_filter; }
  const ReviewFilter& filter() const { return m_filter; }
  ErrorReview* review() const { return m_review; }
  // Takes the filter's settings into effect.
  void refresh();

  int categoryColumn() const { return FirstModel + m_review->models(); }
  int confidenceColumn() const { return categoryColumn() + 1; }
  int questionColumn() const { return categoryColumn() + 2; }
  // The model of a column; -1 = none.
  int modelOfColumn(int column) const;
  int exampleOfRow(int row) const { return m_rows[std::size_t(row)]; }
  int rowOfExample(int example) const;  // -1 = not shown
  // The next row (direction 1) or the one before (-1) whose prediction by the current model is wrong; -1 =
  // none. `after` -1 starts at the end that fits.
  int nextWrong(int after, int direction) const;
  static QString modelLetter(int model);  // "A", …, "Z", "AA"

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  // Rows or facet counts are other ones.
  void filtered();

 private:
  qsizetype shownRows() const override { return qsizetype(m_rows.size()); }
  qsizetype shownColumns() const override { return questionColumn() + 1; }
  QString title(int column) const override;
  QString text(int example, int column) const;
  QVariant toolTip(int example, int column) const;
  ErrorReview* m_review;
  ReviewFilter m_filter;
  std::vector<int> m_rows;   // what is shown: the filter's rows of the last refresh
  std::vector<int> m_rowOf;  // per example, -1 = not shown
  int m_shownModel = -1;
};

}  // namespace fathom
