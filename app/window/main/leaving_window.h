// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace fathom {

class MainWindow;

// A window whose place another one has taken, which has what this one knew: out of sight at once, its jobs
// end, and it is taken apart while the event loop has time, so that the next one answers meanwhile. Nothing
// of it is saved. The window owns this and is deleted by it. GUI thread.
class LeavingWindow : public QObject {
 public:
  explicit LeavingWindow(MainWindow* window);

 private:
  void goOn();
  MainWindow* m_window;
  QTimer m_timer;
};

}  // namespace fathom
