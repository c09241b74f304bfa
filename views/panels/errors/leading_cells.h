// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "views/look/qt_names.h"

namespace fathom {

// Cells of a table of a PaperTableModel that lead to examples: the pointer says so, a click and Return go
// there. The table's child.
class LeadingCells : public QObject {
  Q_OBJECT
 public:
  // The table is borrowed.
  explicit LeadingCells(QTableView* table);

 Q_SIGNALS:
  // A cell that leads somewhere (PaperTableModel::selectionAt); `title`: what is behind it, in words.
  void chosen(const QModelIndex& cell, const QString& selection, const QString& title);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void choose(const QModelIndex& cell);
  QString selectionAt(const QModelIndex& cell) const;
  QTableView* m_table;
};

}  // namespace fathom
