// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

namespace fathom {

// A flat table. A subclass says how many rows and columns it shows, what stands over a column and what in a
// cell.
class TableModel : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;
  int rowCount(const QModelIndex& parent = {}) const final {
    return parent.isValid() ? 0 : static_cast<int>(shownRows());
  }
  int columnCount(const QModelIndex& parent = {}) const final {
    return parent.isValid() ? 0 : static_cast<int>(shownColumns());
  }
  // A title stands over its cells: right where they are numbers.
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) {
      const QVariant cells = rowCount() > 0 ? data(index(0, section), role) : QVariant();
      return cells.isValid() ? cells : QVariant(int(Qt::AlignLeft | Qt::AlignVCenter));
    }
    return role == Qt::DisplayRole ? QVariant(title(section)) : QVariant();
  }

 protected:
  virtual qsizetype shownRows() const = 0;
  virtual qsizetype shownColumns() const = 0;
  virtual QString title(int column) const = 0;  // only of columns that are shown
  // `change` makes another table of it.
  template <typename Change>
  void replaceTable(Change change) {
    beginResetModel();
    change();
    endResetModel();
  }
  void changedRows(int first, int last) {
    Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
  }
};

}  // namespace fathom
