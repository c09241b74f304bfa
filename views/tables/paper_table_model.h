// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "views/figure/latex_table.h"

namespace fathom {

// A table for a paper as it is looked at in the window: the same cells that are exported as LaTeX and CSV.
class PaperTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setTable(PaperTable table);
  const PaperTable& table() const { return m_table; }
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  PaperTable m_table;
};

}  // namespace fathom
