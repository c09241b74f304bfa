// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QKeySequence>
#include <QList>
#include <QVector>

#include "views/look/qt_names.h"

namespace fathom {

// "Ctrl+Shift+Z, Ctrl+Y": all keys of an action as people read them.
QString keysText(const QList<QKeySequence>& keys);

// All that can be done, found by typing (Ctrl+Shift+P): enter runs it, disabled actions are shown grey.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* parent = nullptr);
  // Actions with a text; the menu path is shown behind it. Borrowed.
  void setActions(const QVector<QPair<QString, QAction*>>& actions);
  // Opens at the top of the parent with an empty query.
  void popUp();
  QListView* list() const { return m_list; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void search(const QString& text);
  void run();
  QLineEdit* m_query;
  QListView* m_list;
  QStandardItemModel* m_model;
  QVector<QPair<QString, QAction*>> m_actions;
};

}  // namespace fathom
