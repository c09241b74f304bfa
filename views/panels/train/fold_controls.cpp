// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/fold_controls.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QTableView>
#include <utility>

#include "views/panels/train/run_table_delegate.h"
#include "views/tables/run_fold_model.h"
#include "views/tables/run_table_model.h"

namespace fathom {

FoldControls::FoldControls(RunFoldModel* rows, QTableView* table)
    : QObject(table), m_rows(rows), m_table(table) {
  table->installEventFilter(this);
  watch(table);
}

void FoldControls::watch(QTableView* view) {
  m_views.append(view);
  view->viewport()->installEventFilter(this);
}

bool FoldControls::press(QTableView* view, QEvent* event) {
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QModelIndex index = view->indexAt(mouse->position().toPoint());
  if (mouse->button() != Qt::LeftButton || index.column() != RunTableModel::Name) return false;
  const int group = index.data(RunFoldModel::GroupRole).toInt();
  if (group == 0) return false;
  const bool twice = event->type() == QEvent::MouseButtonDblClick;
  const bool onArrow =
      RunTableDelegate::arrowOf(view->visualRect(index)).contains(mouse->position().toPoint());
  if (!twice && !onArrow) return false;
  m_rows->setOpen(index.row(), group == 1);
  return true;
}

bool FoldControls::keyPressed(int key) {
  const QModelIndex current = m_table->currentIndex();
  const int group = current.data(RunFoldModel::GroupRole).toInt();
  const bool toggles = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (group == 1 && (toggles || key == Qt::Key_Right)) {
    m_rows->setOpen(current.row(), true);
    return true;
  }
  if (group == 2 && (toggles || key == Qt::Key_Left)) {
    m_rows->setOpen(current.row(), false);
    return true;
  }
  // From one of its runs to the group, as in a tree.
  if (key != Qt::Key_Left || !current.data(RunFoldModel::MemberRole).toBool()) return false;
  const int row = m_rows->groupRow(current.data(RunTableModel::UuidRole).toString());
  if (row >= 0) m_table->setCurrentIndex(m_rows->index(row, current.column()));
  return row >= 0;
}

bool FoldControls::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick) {
    for (QTableView* view : std::as_const(m_views))
      if (watched == view->viewport()) return press(view, event);
  }
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->modifiers() == Qt::NoModifier) return keyPressed(key->key());
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
