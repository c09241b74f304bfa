// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/files/latex_table.h"
#include "views/tables/table_model.h"

namespace fathom {

// A table for a paper as it is looked at in the window: the same cells that are exported as LaTeX and CSV.
// Cells that lead to examples are underlined.
class PaperTableModel : public TableModel {
  Q_OBJECT
 public:
  using TableModel::TableModel;
  // `selections`: where cells lead, by row and column; empty, and missing at the end: nowhere.
  void setTable(PaperTable table, std::vector<std::vector<std::string>> selections = {});
  // Selection string of what is behind a cell; empty: nothing.
  QString selectionAt(const QModelIndex& index) const;
  const PaperTable& table() const { return m_table; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  qsizetype shownRows() const override { return qsizetype(m_table.rows.size()); }
  qsizetype shownColumns() const override { return qsizetype(m_table.columns.size()); }
  QString title(int column) const override;
  PaperTable m_table;
  std::vector<std::vector<std::string>> m_selections;
};

}  // namespace fathom
