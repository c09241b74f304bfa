// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "views/tables/review_filter.h"
#include "views/tables/table_model.h"

namespace fathom {

// The examples of a review that pass the filter: number, the text that says most, one column per model
// (right, or the letter of the category); the category of the current model, its numbers that are known, the
// facets that the kind has as columns. Nothing is copied; rows are looked up when they are painted. A changed
// category repaints its row and moves nothing.
class PredictionTableModel : public TableModel {
  Q_OBJECT
 public:
  // Everything shown of one prediction.
  struct Shown {
    std::string category;  // id of the shown one
    bool human = false;    // a person set it
    bool stale = false;    // a person set one for another answer
    bool right = false;
  };

  // `review` is borrowed.
  explicit PredictionTableModel(ReviewedPredictions* review, QObject* parent = nullptr);
  ReviewFilter& filter() { return m_filter; }
  ReviewedPredictions* reviewed() const { return m_review; }
  // Takes the filter's settings into effect.
  void refresh();

  // The model of a column; -1 = none.
  int modelOfColumn(int column) const;
  static constexpr int kText = 1, kFirstModel = 2;
  int categoryColumn() const { return kFirstModel + m_review->models(); }
  // First width of a column, in digits.
  int columnDigits(int column) const;
  int exampleOfRow(int row) const { return m_rows[std::size_t(row)]; }
  int rowOfExample(int example) const;  // -1 = not shown
  // The next row (direction 1) or the one before (-1) whose prediction by the current model is wrong; -1 =
  // none. `after` -1 starts at the end that fits.
  int nextWrong(int after, int direction) const;
  // By the model of its column, else by the current one: there are some.
  Shown shownAt(const QModelIndex& index) const;
  static QString modelLetter(int model);  // "A", …, "Z", "AA"

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  // Rows or facet counts are other ones.
  void filtered();

 private:
  qsizetype shownRows() const override { return qsizetype(m_rows.size()); }
  qsizetype shownColumns() const override { return firstFacet() + int(m_facetColumns.size()); }
  QString title(int column) const override;
  QString text(int example, int column) const;
  QString modelText(int model, int example) const;
  QString toolTip(int example, int column) const;
  bool isNumber(int column) const;
  int firstFacet() const { return categoryColumn() + 1 + int(m_review->knownNumbers().size()); }
  // One of Review::facets, null: the column is none.
  const ReviewFacet* facetOfColumn(int column) const;
  int numberOfColumn(int column) const;  // -1: none
  ReviewedPredictions* m_review;
  ReviewFilter m_filter;
  std::vector<int> m_facetColumns;  // in Review::facets
  std::vector<int> m_rows;          // what is shown: the filter's rows of the last refresh
  std::vector<int> m_rowOf;         // per example, -1 = not shown
  int m_shownModel = -1;
};

}  // namespace fathom
