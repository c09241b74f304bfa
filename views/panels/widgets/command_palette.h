// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QKeySequence>
#include <QList>
#include <QVector>
#include <functional>

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
  // Other words for an action, by its object name; what its title says comes before them.
  void setOtherWords(std::function<QString(const QString& id)> words) { m_words = std::move(words); }
  // Opens at the top of the parent with an empty query.
  void popUp();
  QListView* list() const { return m_list; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void search(const QString& text);
  void run();
  int scoreOf(const QPair<QString, QAction*>& action, const QStringList& words) const;
  QLineEdit* m_query;
  QLabel* m_nothing;  // instead of the list
  QListView* m_list;
  QStandardItemModel* m_model;
  QVector<QPair<QString, QAction*>> m_actions;
  std::function<QString(const QString&)> m_words;
};

}  // namespace fathom
