// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_host.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <QScreen>
#include <QTimer>
#include <cstdio>

#include "app/window/jobs/project_service.h"
#include "app/window/main/leaving_window.h"
#include "app/window/main/main_window.h"
#include "app/window/session/menu_keys.h"
#include "app/window/session/redo_key.h"
#include "app/window/session/session_keys.h"
#include "views/look/foreign_text.h"

namespace fathom {

WindowHost::WindowHost(const QString& sessionFile) : m_session(sessionFile) {
  new ForeignText(this);
  new RedoKey(this);
  new MenuKeys(this);
  m_appearance.setLanguage(m_session.text(session::kLanguage));
  m_appearance.setTheme(m_session.text(session::kTheme));
  connect(&m_door, &WindowDoor::knocked, this, &WindowHost::bringToFront);
  if (const int percent = m_session.text(session::kTextSize).toInt(); percent > 0)
    m_appearance.setTextPercent(percent);
}

WindowHost::~WindowHost() {
  while (!m_leaving.isEmpty()) delete m_leaving.takeFirst().data();
  while (!m_windows.isEmpty()) delete m_windows.takeFirst().data();
}

MainWindow* WindowHost::openWindow(const QString& project) {
  if (!project.isEmpty()) m_session.setText(session::kProject, project);
  MainWindow* window = makeWindow();
  window->restoreSession();
  window->show();
  return window;
}

MainWindow* WindowHost::makeWindow() {
  auto* window = new MainWindow(&m_session, &m_appearance);
  window->setAttribute(Qt::WA_DeleteOnClose);
  m_windows.append(window);
  connect(window, &MainWindow::languageRequested, this,
          [this, window](const QString& id) { changeLanguage(window, id); });
  connect(window, &MainWindow::newWindowRequested, this, [this] { openWindow(); });
  connect(window->service(), &ProjectService::opened, this, [this] { listen(); });
  // A widget says so before its pointers know.
  connect(window, &QObject::destroyed, this, [this, window] {
    for (auto* list : {&m_windows, &m_leaving})
      list->removeIf([window](const auto& each) { return each.isNull() || each.data() == window; });
    listen();
  });
  return window;
}

void WindowHost::listen() {
  QStringList projects;
  for (const QPointer<MainWindow>& window : std::as_const(m_windows))
    if (!window.isNull() && window->service()->isOpen()) projects.append(window->service()->path());
  m_door.answerFor(projects);
}

void WindowHost::bringToFront(const QString& project) {
  for (const QPointer<MainWindow>& window : std::as_const(m_windows)) {
    if (window.isNull() || QFileInfo(window->service()->path()).canonicalFilePath() != project) continue;
    window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
    window->show();
    window->raise();
    window->activateWindow();
    return;
  }
}

void WindowHost::changeLanguage(MainWindow* window, const QString& id) {
  if (m_leaving.contains(window)) return;  // chosen twice before the next one was in sight
  m_session.setText(session::kLanguage, id);
  m_appearance.setLanguage(id);
  // Every text is made when its widget is made: a new window is simpler and surer than changing each in
  // place. The former one says nothing anew, and keeps its picture until it goes.
  QCoreApplication::removePostedEvents(window, QEvent::LanguageChange);
  window->setUpdatesEnabled(false);
  window->keepSession();  // as when it is closed: the next one is arranged like it
  if (window->service()->isOpen()) m_session.setText(session::kProject, window->service()->path());
  m_leaving.append(window);
  m_windows.removeIf([window](const auto& each) { return each.data() == window; });
  MainWindow* next = makeWindow();
  next->takeOver(*window);
  // With the project in it; one that does not answer soon is not waited for. Once: after that it may have
  // been hidden, by a further language even.
  auto* unseen = new QObject(next);
  const auto show = [next, unseen] {
    unseen->deleteLater();
    next->show();
  };
  constexpr int kProjectPatience = 200;
  connect(next->service(), &ProjectService::opened, unseen, show);
  connect(next->service(), &ProjectService::openFailed, unseen, show);
  QTimer::singleShot(window->service()->isOpen() ? kProjectPatience : 0, unseen, show);
  // A window that nobody sees, on another desktop, is never painted.
  constexpr int kPaintPatience = 2000;
  const auto leave = [window] {
    if (!window->isHidden()) new LeavingWindow(window);
  };
  connect(next, &MainWindow::firstPainted, window, leave);
  QTimer::singleShot(kPaintPatience, window, leave);
}

int runWindow(const QString& project) {
  QApplication::setApplicationName(QStringLiteral("Fathom"));
  QApplication::setApplicationVersion(QStringLiteral(FATHOM_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("org.fathom.Fathom"));
  QGuiApplication::setWindowIcon(QIcon::fromTheme(QStringLiteral("org.fathom.Fathom"),
                                                  QIcon(QStringLiteral(":/desktop/org.fathom.Fathom.svg"))));
  WindowHost host;
  const QString wanted = project.isEmpty() ? host.session()->text(session::kProject) : project;
  if (!wanted.isEmpty() && WindowDoor::knock(wanted)) {
    std::fputs(qUtf8Printable(WindowHost::tr("%1 has a window already: it is in front now.").arg(wanted) +
                              QLatin1Char('\n')),
               stdout);
    return 0;
  }
  MainWindow* window = host.openWindow(project);
  // On a small screen the first window has its title bar and status bar on it.
  constexpr int kTitleBar = 40;
  const QSize room = window->screen()->availableSize() - QSize(0, kTitleBar);
  if (!window->isMaximized() && !window->isFullScreen()) window->resize(window->size().boundedTo(room));
  return QApplication::exec();
}

}  // namespace fathom
