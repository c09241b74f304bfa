// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

namespace fathom {

// Deletes a widget of many parts, a few of them whenever the event loop has time: at once it would stand
// still. Out of sight meanwhile, a child of the window it was in, with which it goes at the latest. Deletes
// itself. GUI thread.
class SlicedDeletion : public QObject {
 public:
  // Nobody uses `widget` or its parts any more; null does nothing.
  static void begin(QWidget* widget, QWidget* window);
  // Whether something of the window is still being deleted.
  static bool isGoingOn(const QWidget* window);

 private:
  SlicedDeletion(QWidget* widget, QWidget* window);
  void goOn();
  QPointer<QWidget> m_widget;
  QTimer m_timer;
};

}  // namespace fathom
