// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>

#include "views/look/qt_names.h"

class QModelIndex;

namespace fathom {

class RunTableModel;

// Hands on the eyes of a run table: a click on one (with Alt that run alone), Space for the selected rows,
// and a button with a menu for many. None of it changes what is selected.
class EyeControls : public QObject {
  Q_OBJECT
 public:
  // `runs` and `table` are borrowed; `selected` tells the UUIDs of the selected runs. The button is the
  // parent's.
  EyeControls(RunTableModel* runs, QTableView* table, std::function<QStringList()> selected, QWidget* parent);
  QToolButton* button() const { return m_button; }
  // Another view on the same rows, whose eyes are clicked, too.
  void watch(QTableView* view);
  // Entries for the context menu of a row.
  const QList<QAction*>& actions() const { return m_actions; }
  // As far as runs are selected; before the entries are shown.
  void enableActions();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeMenu();
  bool press(QTableView* view, QEvent* event);
  RunTableModel* m_runs;
  QTableView* m_table;
  std::function<QStringList()> m_selected;
  QToolButton* m_button;
  QList<QTableView*> m_views;
  QList<QAction*> m_actions;
};

}  // namespace fathom
