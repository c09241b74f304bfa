// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>

#include "app/window/main/window_door.h"
#include "app/window/session/appearance.h"
#include "app/window/session/session_store.h"

namespace fathom {

class MainWindow;

// The windows of the process, with what they share: session and appearance. Makes a window anew when the
// language changes: the former one stays in sight until the next is painted, with the project in it.
class WindowHost : public QObject {
  Q_OBJECT
 public:
  // `sessionFile` empty: the user's own.
  explicit WindowHost(const QString& sessionFile = {});
  ~WindowHost() override;
  // Shows a window; `project` empty: the last one.
  MainWindow* openWindow(const QString& project = {});
  SessionStore* session() { return &m_session; }
  Appearance* appearance() { return &m_appearance; }

 private:
  MainWindow* makeWindow();
  void changeLanguage(MainWindow* window, const QString& id);
  void listen();
  void bringToFront(const QString& project);
  SessionStore m_session;
  Appearance m_appearance;
  QList<QPointer<MainWindow>> m_windows;
  QList<QPointer<MainWindow>> m_leaving;  // out of sight
  WindowDoor m_door;
};

// The program with a window: runs until the last one is closed. Where another program shows the project
// already, its window comes to the front and this one ends with 0. Needs a QApplication.
int runWindow(const QString& project);

}  // namespace fathom
