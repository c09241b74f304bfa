// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_errors_window.h"

#include <QAction>
#include <QPointer>
#include <QTableView>

#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "views/panels/errors/prediction_panel.h"

namespace fathom::test {

ErrorsWindow::ErrorsWindow() {
  qputenv("FATHOM_SQLRUN", FATHOM_BIN_DIR "/fathom-sqlrun");
  m_host = std::make_unique<WindowHost>(m_fixture.sessionFile());
}

ErrorsWindow::~ErrorsWindow() = default;

MainWindow* ErrorsWindow::openWindow() {
  m_window = m_host->openWindow(project());
  const auto idle = [this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; };
  return QTest::qWaitForWindowActive(m_window) && waitUntil(idle) ? m_window : nullptr;
}

MainWindow* ErrorsWindow::open() {
  if (openWindow() == nullptr) return nullptr;
  m_window->action("view.errors")->trigger();
  return waitUntil([this] { return m_window->jobs()->count() == 0; }) ? m_window : nullptr;
}

bool ErrorsWindow::loadSample() {
  if (open() == nullptr) return false;
  m_window->action("errors.sample")->trigger();
  if (!waitUntil([this] { return !review()->empty() && m_window->jobs()->count() == 0; })) return false;
  errors()->sqlPage()->predictions()->table()->setFocus();
  return true;
}

bool ErrorsWindow::restart() {
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture.sessionFile());
  m_window = m_host->openWindow(project());
  return somethingIsOpen();
}

bool ErrorsWindow::somethingIsOpen() const {
  return waitUntil([this] { return !review()->empty() || !errors()->textPage()->review()->empty(); });
}

bool ErrorsWindow::changeLanguage(const char* id) {
  const QPointer<MainWindow> former = m_window;
  m_window->action(QStringLiteral("language.") + QLatin1String(id))->trigger();
  if (!waitUntil([&] { return former.isNull(); })) return false;
  for (QWidget* each : QApplication::topLevelWidgets())
    if (auto* window = qobject_cast<MainWindow*>(each)) m_window = window;
  return m_window != former && somethingIsOpen();
}

}  // namespace fathom::test
