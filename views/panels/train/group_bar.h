// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class RunTableModel;

// The line above the run table in which a person says by what runs are grouped (RunGrouping); there while
// they are grouped otherwise than by the seed, or while it is being written. GUI thread.
class GroupBar : public QWidget {
  Q_OBJECT
 public:
  // `model` is borrowed.
  explicit GroupBar(RunTableModel* model, QWidget* parent = nullptr);
  // Shown, to be written in.
  void edit();
  // Choices to group by, into a menu that is about to be shown.
  void fillMenu(QMenu* menu);
  QLineEdit* line() const { return m_line; }

 Q_SIGNALS:
  // A person has chosen another grouping.
  void chosen();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void choose(const QString& text);
  void take(const QString& text);
  void showChosen();
  void addChoice(QMenu* menu, const QString& title, const QString& text);
  RunTableModel* m_model;
  QTimer m_rest;  // between the last key and other groups
  QLineEdit* m_line;
  QToolButton* m_close;
  QLabel* m_problem;
};

}  // namespace fathom
