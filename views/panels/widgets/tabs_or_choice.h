// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// Pages under tabs, or under a drop-down list of the same titles where the tabs would not be whole: no title
// is ever cut, and none is behind an arrow.
class TabsOrChoice : public QWidget {
 public:
  // `accessibleName` is what the list is called.
  TabsOrChoice(const QString& accessibleName, QWidget* parent);
  // Owned by it; pages are added here.
  QTabWidget* tabs() const { return m_tabs; }

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  QTabWidget* m_tabs;
  QComboBox* m_choice;
  QWidget* m_row;  // the list and its margins
};

}  // namespace fathom
