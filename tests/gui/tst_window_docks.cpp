// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QImage>
#include <QSet>
#include <QTest>
#include <QToolButton>

#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_store.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/widgets/fold_bar.h"

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
  void detailsSlideOverANarrowWindow();
  void detailsComeBackWithTheWidth();
  void largerTextsAreNotAnimated();
  void sizesOfTextsAreTakenTogether();

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

// A click opens them, Esc takes them away: the keyboard is in them.
void WindowDocksTest::detailsSlideOverANarrowWindow() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->resize(1200, 760);
  QVERIFY(settled(window));
  auto* details = window->findChild<QDockWidget*>("details");
  QVERIFY(details->isHidden());
  const int curves = window->centralWidget()->width();
  QToolButton* open = window->findChild<FoldBar*>()->button("details");
  QTest::mouseClick(open, Qt::LeftButton);
  QTRY_VERIFY(details->isVisible() && details->isAncestorOf(QApplication::focusWidget()));
  QVERIFY(settled(window));
  QCOMPARE(window->centralWidget()->width(), curves);
  // The curves do not shine through: its margin has the colour of a pane from top to bottom.
  const auto marginOf = [window, details] {
    const QImage image = window->grab().toImage();
    const QPoint from = details->mapTo(window, QPoint(1, details->height() / 4));
    QSet<QRgb> colours;
    for (int y = 0; y < details->height() / 2; ++y)
      colours.insert(image.pixel((QPointF(from.x(), from.y() + y) * image.devicePixelRatio()).toPoint()));
    return colours;
  };
  QTRY_COMPARE(marginOf(), QSet<QRgb>{details->palette().color(QPalette::Window).rgb()});
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(details->isHidden());
  // Opened and away again at once it does not come in afterwards.
  QTest::mouseClick(open, Qt::LeftButton);
  QTest::mouseClick(open, Qt::LeftButton);
  QVERIFY(settled(window));
  QVERIFY(details->isHidden());
}

// Folded for want of width, not by somebody: also when the window grew while another page was shown.
void WindowDocksTest::detailsComeBackWithTheWidth() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  auto* details = window->findChild<QDockWidget*>("details");
  const auto resized = [&](int width) {
    window->resize(width, 760);
    return settled(window);
  };
  QVERIFY(resized(1500));
  QVERIFY(details->isVisible());
  QVERIFY(resized(1200));
  QVERIFY(details->isHidden());
  QVERIFY(resized(1500));
  QVERIFY(details->isVisible());
  QVERIFY(resized(1200));
  window->action("view.figures")->trigger();
  QVERIFY(resized(1500));
  window->action("view.train")->trigger();
  QVERIFY(settled(window));
  QVERIFY(details->isVisible());
  // What somebody put away stays away.
  QVERIFY(resized(1200));
  QToolButton* open = window->findChild<FoldBar*>()->button("details");
  QTest::mouseClick(open, Qt::LeftButton);
  QVERIFY(details->isVisible());
  QTest::mouseClick(open, Qt::LeftButton);
  QVERIFY(resized(1500));
  QVERIFY(details->isHidden());
}

// Each step of an animation would arrange the whole page anew.
void WindowDocksTest::largerTextsAreNotAnimated() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(window));
  QVERIFY(waitUntil([&] { return window->isAnimated(); }));
  m_host->appearance()->setTextPercent(110);
  QVERIFY(!window->isAnimated());
  QVERIFY(waitUntil([&] { return window->isAnimated(); }));
  m_host->appearance()->setTextPercent(100);
}

// A key that is held down asks for many sizes at once: one of them is shown.
void WindowDocksTest::sizesOfTextsAreTakenTogether() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(window));
  const double body = QApplication::font().pointSizeF();
  for (int i = 0; i < 3; ++i) QTest::keyClick(window, Qt::Key_Plus, Qt::ControlModifier);
  QCOMPARE(QApplication::font().pointSizeF(), body);
  QCOMPARE(m_host->appearance()->wantedTextPercent(), 130);
  QVERIFY(waitUntil([&] { return m_host->appearance()->textPercent() == 130; }));
  QVERIFY(QApplication::font().pointSizeF() > 1.2 * body);
  m_host->appearance()->setTextPercent(100);
  QCOMPARE(QApplication::font().pointSizeF(), body);
}

QTEST_MAIN(WindowDocksTest)
#include "tst_window_docks.moc"
