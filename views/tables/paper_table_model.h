// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/files/latex_table.h"
#include "views/tables/table_model.h"

namespace fathom {

// A table for a paper as it is looked at in the window: the same cells that are exported as LaTeX and CSV.
class PaperTableModel : public TableModel {
  Q_OBJECT
 public:
  using TableModel::TableModel;
  void setTable(PaperTable table);
  const PaperTable& table() const { return m_table; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return qsizetype(m_table.rows.size()); }
  qsizetype shownColumns() const override { return qsizetype(m_table.columns.size()); }
  QString title(int column) const override;
  PaperTable m_table;
};

}  // namespace fathom
