// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_docks.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>
#include <QTimer>

#include "app/window/main/main_window.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"

namespace fathom {

namespace {

// Grows when docks are added or renamed, so that an old layout is not forced on a new window.
constexpr int kLayoutVersion = 1;

}  // namespace

WindowDocks::WindowDocks(QMainWindow* window, SessionStore* session)
    : QObject(window), m_window(window), m_session(session) {
  window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks |
                         QMainWindow::AllowNestedDocks);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
}

void WindowDocks::add(const char* id, const QString& title, QWidget* widget) {
  auto* made = new QDockWidget(title, m_window);
  made->setObjectName(QString::fromLatin1(id));
  made->setWidget(widget);
  // Floating docks cannot be docked again under Wayland with this Qt.
  made->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
  m_docks.insert(made->objectName(), made);
}

void WindowDocks::layOut() {
  for (QDockWidget* dock : std::as_const(m_docks)) {
    m_window->removeDockWidget(dock);
    dock->setFloating(false);
  }
  const auto dock = [this](const char* id) { return m_docks[QString::fromLatin1(id)]; };
  m_window->addDockWidget(Qt::LeftDockWidgetArea, dock("runs"));
  m_window->addDockWidget(Qt::BottomDockWidgetArea, dock("log"));
  m_window->addDockWidget(Qt::BottomDockWidgetArea, dock("queue"));
  m_window->addDockWidget(Qt::BottomDockWidgetArea, dock("grid"));
  m_window->addDockWidget(Qt::RightDockWidgetArea, dock("details"));
  m_window->tabifyDockWidget(dock("log"), dock("queue"));
  m_window->tabifyDockWidget(dock("queue"), dock("grid"));
  for (QDockWidget* each : std::as_const(m_docks)) each->show();
  dock("log")->raise();
  m_window->resizeDocks({dock("runs"), dock("details")}, {400, 256}, Qt::Horizontal);
  m_window->resizeDocks({dock("log")}, {190}, Qt::Vertical);
}

void WindowDocks::setShown(bool shown) {
  if (!shown && !m_hidden) {
    m_before = state();
    m_hidden = true;
    for (QDockWidget* dock : std::as_const(m_docks)) dock->hide();
  } else if (shown && m_hidden) {
    m_hidden = false;
    if (!m_window->restoreState(m_before, kLayoutVersion)) layOut();
  }
  QTimer::singleShot(0, this, &WindowDocks::tendTabBars);
}

void WindowDocks::setEnabled(bool on) {
  for (QDockWidget* dock : std::as_const(m_docks)) dock->setEnabled(on);
}

void WindowDocks::raise(const char* id) {
  m_docks[QString::fromLatin1(id)]->show();
  m_docks[QString::fromLatin1(id)]->raise();
}

QAction* WindowDocks::toggle(const char* id) const {
  return m_docks[QString::fromLatin1(id)]->toggleViewAction();
}

void WindowDocks::restore() {
  const QByteArray docks = m_session->bytes(session::kDocks);
  if (!docks.isEmpty()) m_window->restoreState(docks, kLayoutVersion);
  QTimer::singleShot(0, this, &WindowDocks::tendTabBars);
}

void WindowDocks::save() const {
  m_session->setBytes(session::kDocks, state());
}

QByteArray WindowDocks::state() const {
  if (m_hidden) return m_before;
  return m_painted ? m_window->saveState(kLayoutVersion) : m_session->bytes(session::kDocks);
}

// The bars of docks that share a place are Qt's own: nameless, and a stop of Tab even without a tab.
void WindowDocks::tendTabBars() {
  for (QTabBar* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    bar->setAccessibleName(MainWindow::tr("Panels that share a place"));
    bar->setFocusPolicy(bar->count() > 0 ? Qt::TabFocus : Qt::NoFocus);
  }
}

}  // namespace fathom
