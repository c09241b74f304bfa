// SPDX-License-Identifier: Apache-2.0
// What a run takes of its machine, in a tab of its details: by clicks, as it grows, without samples,
// with an estimate that is asked for.
#include <QComboBox>
#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <fstream>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/record/events/system_stream.h"
#include "core/record/runs/run_lock.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/system/system_figure.h"
#include "views/panels/system/system_view.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/fold_bar.h"
#include "views/panels/widgets/mark_canvas_view.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

namespace {

constexpr double kStart = 1790000000;

SystemSample sampleOf(int i) {
  return {{"system/cpu", 20.0 + i},
          {"system/memory", 4.0},
          {"system/process_cpu", 1.5},
          {"system/process_memory", 1.0},
          {"system/process_memory_peak", 1.0 + 0.01 * i},
          {"system/disk_free", 70.0},
          {"system/disk_written", 0.25 * i}};
}

std::unique_ptr<SystemStream> streamOf(const std::string& run) {
  return SystemStream::open(systemStreamPath(RunFolder(run), 1)).value();
}

}  // namespace

class RunSystemTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void tabIsReachedByClicks();
  void chartsGrowWhileTheRunTrains();
  void withoutSamplesASentenceSaysWhy();
  void estimateIsAskedFor();
  void damageIsSaid();
  void chartsAreThoseOfTheSamples();

 private:
  MainWindow* open();
  // Chooses its tab as a hand does: by its tab, or in the list where tabs do not fit.
  static SystemView* showSystem(MainWindow* window);
  static QString memoryText(const SystemView* view) {
    return view->findChild<QLabel*>(QStringLiteral("systemMemory"))->text();
  }
  // Points of the first chart; 0 while there is none.
  static std::size_t points(const SystemView* view);
  static QString sentence(const SystemView* view);
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void RunSystemTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void RunSystemTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* RunSystemTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  window->resize(1700, 800);  // the details stand beside the curves
  const auto ready = [&] { return !window->train()->details()->currentRun().isEmpty(); };
  return QTest::qWaitForWindowActive(window) && waitUntil(ready) && settled(window) ? window : nullptr;
}

SystemView* RunSystemTest::showSystem(MainWindow* window) {
  auto* tabs = window->train()->details()->findChild<QTabWidget*>();
  // In a narrow window they come over the curves when they are wanted.
  if (!tabs->isVisible())
    QTest::mouseClick(window->findChild<FoldBar*>()->button(QStringLiteral("details")), Qt::LeftButton);
  if (!waitUntil([&] { return tabs->isVisible(); }) || !settled(window)) return nullptr;
  SystemView* view = window->train()->details()->system();
  const int tab = tabs->indexOf(view);
  if (tabs->tabBar()->isVisible()) {
    QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tab).center());
  } else {
    auto* choice = tabs->parentWidget()->findChild<QComboBox*>(QStringLiteral("pages"));
    choice->setFocus();
    while (choice->currentIndex() < tab) QTest::keyClick(choice, Qt::Key_Down);
  }
  return waitUntil([&] { return view->isVisible(); }) ? view : nullptr;
}

std::size_t RunSystemTest::points(const SystemView* view) {
  const FigureSpec& spec = view->canvas()->spec();
  if (!view->canvas()->isVisible() || spec.panels.empty()) return 0;
  return std::get<LineMark>(spec.panels[0].marks[0].shape).x.size();
}

QString RunSystemTest::sentence(const SystemView* view) {
  const auto* empty = view->findChild<EmptyState*>();
  return empty->isVisible() ? empty->text() : QString();
}

void RunSystemTest::tabIsReachedByClicks() {
  const auto stream = streamOf(m_fixture->addRun("one"));
  QVERIFY(stream->describe({8, 16, "cpu", 1'400'000'000}, kStart).ok());
  for (int i = 0; i < 12; ++i) QVERIFY(stream->add(sampleOf(i), kStart + 10 * i).ok());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const SystemView* view = showSystem(window);
  QVERIFY(view != nullptr);
  QVERIFY(waitUntil([&] { return points(view) == 12; }));
  QCOMPARE(memoryText(view), QStringLiteral("Memory: estimate 1.4 GB · measured 1.2 GB"));
  QVERIFY(!view->findChild<QToolButton*>(QStringLiteral("systemEstimate"))->isVisible());
  QVERIFY(sentence(view).isEmpty());
  QVERIFY(view->canvas()->accessibleDescription().contains(QStringLiteral("Processors of the run, cores")));
  QVERIFY(settled(window));
  QVERIFY(view->rect().contains(
      QRect(view->canvas()->mapTo(view, QPoint(0, 0)), QSize(view->canvas()->width(), 1))));
}

void RunSystemTest::chartsGrowWhileTheRunTrains() {
  const std::string run = m_fixture->makeRun("live");
  const auto lock = RunLock::acquire(run, "").value();
  const auto stream = streamOf(run);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const SystemView* view = showSystem(window);
  QVERIFY(view != nullptr);
  QVERIFY(waitUntil([&] { return sentence(view).startsWith(QStringLiteral("No sample yet")); }));
  for (int i = 0; i < 3; ++i) {
    QVERIFY(stream->add(sampleOf(i), kStart + 10 * i).ok());
    QVERIFY(waitUntil([&] { return points(view) == std::size_t(i) + 1; }));
  }
  QVERIFY(sentence(view).isEmpty());
  QVERIFY(memoryText(view).startsWith(QStringLiteral("Memory: measured ")));
}

void RunSystemTest::withoutSamplesASentenceSaysWhy() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const SystemView* view = showSystem(window);
  QVERIFY(view != nullptr);
  QVERIFY(waitUntil([&] { return sentence(view).startsWith(QStringLiteral("Nobody noted")); }));
  QVERIFY(!view->canvas()->isVisible());
  SystemView queued;
  queued.setRun({QStringLiteral("a"), false, false, true});
  queued.show();
  QVERIFY(QTest::qWaitForWindowExposed(&queued));
  QCOMPARE(sentence(&queued), QStringLiteral("Known when the run has started."));
}

void RunSystemTest::estimateIsAskedFor() {
  const auto stream = streamOf(m_fixture->addRun("one"));
  QVERIFY(stream->add(sampleOf(0), kStart).ok());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const SystemView* view = showSystem(window);
  QVERIFY(view != nullptr);
  auto* ask = view->findChild<QToolButton*>(QStringLiteral("systemEstimate"));
  QVERIFY(waitUntil([&] { return ask->isVisible(); }));
  QTest::mouseClick(ask, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return memoryText(view).contains(QStringLiteral("estimate 412.0 MB")); }));
  QVERIFY(!ask->isVisible());
}

void RunSystemTest::damageIsSaid() {
  const std::string run = m_fixture->addRun("one");
  QVERIFY(streamOf(run)->add(sampleOf(0), kStart).ok());
  std::ofstream(systemStreamPath(RunFolder(run), 1), std::ios::app) << "half a line\n";
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const SystemView* view = showSystem(window);
  QVERIFY(view != nullptr);
  QVERIFY(waitUntil([&] { return points(view) == 1; }));
  const auto* remark = view->findChild<QLabel*>(QStringLiteral("systemRemark"));
  QCOMPARE(remark->text(), QStringLiteral("Damaged lines of the samples, skipped: 1."));
  QVERIFY(remark->isVisible());
}

void RunSystemTest::chartsAreThoseOfTheSamples() {
  RunSystem system;
  const std::vector<double> seconds = {0, 3600, 36000};
  for (const char* name : {"system/gpu1", "system/gpu0", "system/gpu0_memory", "system/process_memory",
                           "system/network", "system/gpu.9.odd"})
    system.series.push_back({name, seconds, {1, 2, 3}});
  system.machine.cores = 4;
  const FigureSpec spec = systemFigure(system, 2'147'483'648, 2);
  QVERIFY(checkFigure(spec).ok());
  QStringList titles;
  for (const FigurePanel& panel : spec.panels) titles.append(QString::fromStdString(panel.title.english()));
  QCOMPARE(titles, (QStringList{"Memory of the run, GiB", "Cards, % busy", "Memory of cards, GiB", "network",
                                "gpu.9.odd"}));
  QCOMPARE(spec.panels[0].marks.size(), std::size_t{2});  // with the estimate
  QCOMPARE(std::get<RuleMark>(spec.panels[0].marks[1].shape).position, 2.0);
  QCOMPARE(spec.panels[1].marks.size(), std::size_t{2});
  QCOMPARE(spec.panels[1].marks[0].label.english(), std::string("card 0"));
  QCOMPARE(std::get<LineMark>(spec.panels[0].marks[0].shape).x, (std::vector<double>{0, 1, 10}));  // hours
  QVERIFY(spec.panels[4].row == 2 && spec.panels[4].column == 0);
  QVERIFY(systemFigure({}, 0, 1).panels.empty());
}

QTEST_MAIN(RunSystemTest)
#include "tst_run_system.moc"
