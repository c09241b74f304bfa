// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

// The place of a part beside others. Where there is no room for it the place is folded and the part is a tab
// of a neighbour instead: nothing is squeezed, and nothing is lost.
class SideOrTab : public QWidget {
 public:
  // Takes `part`; `tabs` is borrowed.
  SideOrTab(QWidget* part, QTabWidget* tabs, QString title, QString tip, QWidget* parent = nullptr);
  void setAside(bool aside);

 private:
  QWidget* m_part;
  QTabWidget* m_tabs;
  QString m_title, m_tip;
  bool m_aside = true;
};

}  // namespace fathom
