// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "views/look/qt_names.h"

class QDropEvent;

namespace fathom {

// Drags onto a window: files from outside, and runs from the table. Runs that are held over a
// workspace of the rail are on their way there.
class WindowDrops : public QObject {
  Q_OBJECT
 public:
  explicit WindowDrops(QMainWindow* window);

 Q_SIGNALS:
  void filesDropped(const QStringList& paths);
  void runsDropped(const QStringList& uuids);
  void heldOver(QAction* ofTheRail);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void hold(const QPoint& at);
  void take(const QDropEvent& event);
  QMainWindow* m_window;
};

}  // namespace fathom
