// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "views/tables/review_filter.h"
#include "views/tables/table_model.h"

namespace fathom {

// The examples of a review that pass the filter. Nothing is copied; rows are looked up when they are painted.
// A changed category repaints its row and moves nothing. A subclass says what the columns are.
class ReviewTableModel : public TableModel {
  Q_OBJECT
 public:
  // What is known of one prediction.
  struct Shown {
    std::string category;  // id of the shown one
    bool human = false;    // a person set it
    bool stale = false;    // a person set one for another answer
    bool right = false;
  };

  // `review` is borrowed.
  explicit ReviewTableModel(ReviewedPredictions* review, QObject* parent);
  ReviewFilter& filter() { return m_filter; }
  ReviewedPredictions* reviewed() const { return m_reviewed; }
  // Takes the filter's settings into effect.
  void refresh();

  // The model of a column; -1 = none.
  virtual int modelOfColumn(int column) const = 0;
  virtual int categoryColumn() const = 0;
  // How wide it is at first, in digits.
  virtual int columnDigits(int column) const = 0;
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

 Q_SIGNALS:
  // Rows or facet counts are other ones.
  void filtered();

 protected:
  virtual Shown shown(int model, int example) const = 0;
  virtual QString text(int example, int column) const = 0;
  virtual QString toolTip(int example, int column) const = 0;
  virtual bool isNumber(int column) const = 0;
  qsizetype shownRows() const override { return qsizetype(m_rows.size()); }
  void sortBy(ReviewFilter::Sort key, Qt::SortOrder order, int model = -1);

 private:
  ReviewedPredictions* m_reviewed;
  ReviewFilter m_filter;
  std::vector<int> m_rows;   // what is shown: the filter's rows of the last refresh
  std::vector<int> m_rowOf;  // per example, -1 = not shown
  int m_shownModel = -1;
};

}  // namespace fathom
