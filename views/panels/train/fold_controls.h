// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "views/look/qt_names.h"

class QModelIndex;

namespace fathom {

class RunFoldModel;

// Hands on the groups of a run table: a click on an arrow, → and ←, Enter or a double click on a group open
// and fold it.
class FoldControls : public QObject {
  Q_OBJECT
 public:
  // Both are borrowed; the table shows `rows`.
  FoldControls(RunFoldModel* rows, QTableView* table);
  // Another view on the same rows, whose arrows are clicked, too.
  void watch(QTableView* view);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool press(QTableView* view, QEvent* event);
  bool keyPressed(int key);
  RunFoldModel* m_rows;
  QTableView* m_table;
  QList<QTableView*> m_views;
};

}  // namespace fathom
