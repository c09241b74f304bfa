// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <QPointer>
#include <QStringList>
#include <QToolButton>
#include <functional>

#include "views/look/qt_names.h"

namespace fathom {

// Opens a list of values below a line, each to be ticked: the line then holds the ticked ones with commas
// between them. What is typed into the line is ticked in the list. Space ticks, Esc and Enter close.
class TickButton : public QToolButton {
  Q_OBJECT
 public:
  // `line` is borrowed.
  TickButton(QLineEdit* line, QWidget* parent);
  // Texts of the values with their tool tips; none: the button is not there. `chosen`: which of them the line
  // holds.
  void setChoices(const QStringList& values, const QStringList& tips, std::function<QStringList()> chosen);
  // While it is open; null before.
  QListWidget* list() const { return m_list; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void open();
  void take();
  QLineEdit* m_line;
  QPointer<QListWidget> m_list;
  QStringList m_values, m_tips;
  std::function<QStringList()> m_chosen;
};

}  // namespace fathom
