// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QVector>

namespace fathom {

// The first columns of a table, kept in sight while the others are scrolled sideways: a second view on the
// same model and selection that lies over the first one's left edge, only while something is scrolled away.
// Keys, editing and the context menu stay the table's.
class FrozenColumns : public QTableView {
  Q_OBJECT
 public:
  // `columns` are the first ones shown. The table is borrowed and its parent; its model must be set.
  FrozenColumns(QTableView* table, const QVector<int>& columns);
  // Others of the table's first columns, of another model content.
  void setColumns(const QVector<int>& columns);
  // Part of the table's width that they lie over.
  int coveredWidth() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void follow();
  void uncover(const QModelIndex& current);
  QTableView* m_table;
  QVector<int> m_columns;
};

}  // namespace fathom
