// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QDockWidget>
#include <QTest>

#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_store.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// The panels around the curves from workspace to workspace and from start to start.
class WindowDocksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void layoutComesBack();
  void docksKeepTheirWidths();

 private:
  MainWindow* open();
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void WindowDocksTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void WindowDocksTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* WindowDocksTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  const auto shown = [window] {
    return window->train()->runModel()->rowCount() > 0 && window->jobs()->count() == 0;
  };
  return QTest::qWaitForWindowActive(window) && waitUntil(shown) ? window : nullptr;
}

void WindowDocksTest::layoutComesBack() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->train()->showNewRun();
  QVERIFY(!window->findChild<QDockWidget*>("runs")->isVisible());
  window->train()->showCurves();
  QVERIFY(window->findChild<QDockWidget*>("runs")->isVisible());
  window->resize(900, 600);
  QVERIFY(settled(window));
  QCOMPARE(window->width(), 900);
}

// Also after a workspace that needs much room, and when the window starts in one: the docks are first seen
// when it has its size.
void WindowDocksTest::docksKeepTheirWidths() {
  m_fixture->addRun("one");
  const auto backInTrain = [](MainWindow* window) {
    window->action("view.train")->trigger();
    return !settled(window) ? -1 : window->findChild<QDockWidget*>("runs")->width();
  };
  const auto startElsewhere = [&] {
    MainWindow* window = open();
    if (window == nullptr || window->findChild<QDockWidget*>("runs")->isVisible()) return -1;
    return backInTrain(window);
  };
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const int standard = window->findChild<QDockWidget*>("runs")->width();
  for (const char* workspace : {"view.attention", "view.errors", "view.figures"}) {
    window->action(workspace)->trigger();
    if (qstrcmp(workspace, "view.figures") == 0) window->figures()->editor()->create();  // its form is wide
    QVERIFY(settled(window));
    QCOMPARE(backInTrain(window), standard);
  }
  window->action("view.figures")->trigger();
  m_host->session()->flush();  // not closed: only the workspace is remembered, as after a crash
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QCOMPARE(startElsewhere(), standard);
  window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(window));
  QVERIFY(test::dragLineBeside(window, window->findChild<QDockWidget*>("runs"), 54));
  const int chosen = window->findChild<QDockWidget*>("runs")->width();
  QCOMPARE(chosen, standard + 54);
  window->action("view.attention")->trigger();
  window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QCOMPARE(startElsewhere(), chosen);
}

QTEST_MAIN(WindowDocksTest)
#include "tst_window_docks.moc"
