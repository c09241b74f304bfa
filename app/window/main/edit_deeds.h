// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include "views/look/qt_names.h"

namespace fathom {

// Cut, Copy, Paste and Select all of the Edit menu and the palette: each does to the widget that has the
// keyboard what its key does there. Their keys are no shortcuts of these actions, since every text and table
// listens to them itself. What cannot be done now is grey. GUI thread.
class EditDeeds : public QObject {
  Q_OBJECT
 public:
  // Borrowed actions, in this order; `window` is the one whose widgets they are about.
  struct Actions {
    QAction *cut, *copy, *paste, *all;
  };
  EditDeeds(const Actions& actions, QWidget* window);
  // Looks again at what can be done: before a menu opens.
  void refresh();

 private:
  void remember(QWidget* now);
  QWidget* target() const;
  QWidget* m_window;
  QPointer<QAction> m_cut, m_copy, m_paste, m_all;  // the window lets go of them before it does of this
  QPointer<QWidget> m_last;                         // had the keyboard before a menu or the palette took it
};

}  // namespace fathom
