// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "app/window/main/main_window.h"
#include "app/window/main/run_notice.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_host.h"
#include "app/window/session/appearance.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/run_lock.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/run_swatch.h"
#include "views/look/theme.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/fold_bar.h"
#include "views/panels/widgets/frozen_columns.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// How Train divides its room, and what of it comes by itself.
class TrainLayoutTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void curvesHaveTheRoom_data();
  void curvesHaveTheRoom();
  void widthsFollowTheWindow();
  void detailsSlideOverInNarrowWindows();
  void detailsGoBelowInLargeWindows();
  void docksComeBackAsTheWindowIs_data();
  void docksComeBackAsTheWindowIs();
  void movedDocksStay();
  void panelsBelowAreFolded();
  void logOpensWhenTheRunFails();
  void nameStaysInSight();
  void waitingRunsAreTakenOut_data();
  void waitingRunsAreTakenOut();
  void startedRunKeepsItsPlace();
  void tipsLeaveTheCountsAlone();
  void longRunsAreTold();

 private:
  MainWindow* open(const QSize& size);
  QDockWidget* dock(const char* id) const { return m_window->findChild<QDockWidget*>(id); }
  QTableView* table() const { return m_window->train()->runs()->table(); }
  void click(const char* fold) const {
    QTest::mouseClick(m_window->findChild<FoldBar*>()->button(QString::fromLatin1(fold)), Qt::LeftButton);
  }
  // Of the docks, and of the table's columns.
  QString widths() const {
    QString text = QStringLiteral("runs %1, details %2, table %3:")
                       .arg(dock("runs")->width())
                       .arg(dock("details")->width())
                       .arg(table()->viewport()->width());
    for (int column = 0; column < table()->model()->columnCount(); ++column)
      text += QStringLiteral(" %1").arg(table()->columnWidth(column));
    return text;
  }
  void pause() const;
  void enqueue(const char* name) const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void TrainLayoutTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void TrainLayoutTest::cleanup() {
  m_host->appearance()->setTextPercent(100);
  m_host.reset();
  m_fixture.reset();
}

MainWindow* TrainLayoutTest::open(const QSize& size) {
  m_window = m_host->openWindow(m_fixture->project());
  m_window->resize(size);
  bool changed = false;
  connect(m_window->service(), &ProjectService::changed, m_window, [&changed] { changed = true; });
  const bool ready = QTest::qWaitForWindowActive(m_window) &&
                     waitUntil([&] { return changed && m_window->jobs()->count() == 0; });
  m_window->service()->drain();
  return ready && settled(m_window) ? m_window : nullptr;
}

void TrainLayoutTest::pause() const {
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
}

void TrainLayoutTest::enqueue(const char* name) const {
  NewRun run;
  run.config.name = name;
  run.config.options["fake.steps"] = 5;
  m_window->service()->enqueue(run);
}

void TrainLayoutTest::curvesHaveTheRoom_data() {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<double>("share");
  QTest::addColumn<bool>("steps");
  QTest::newRow("small") << QSize(1024, 700) << 0.4 << false;
  QTest::newRow("usual") << QSize(1280, 800) << 0.45 << false;
  QTest::newRow("large") << QSize(2560, 1440) << 0.45 << false;
  QTest::newRow("usual, first steps above") << QSize(1280, 800) << 0.45 << true;
}

// The large curve has its share of the window, and the table shows what it shows without scrolling.
void TrainLayoutTest::curvesHaveTheRoom() {
  QFETCH(QSize, size);
  QFETCH(double, share);
  QFETCH(bool, steps);
  for (const char* name : {"12 layers Post-LN", "12 layers Admin"}) m_fixture->addRun(name, 2400);
  QVERIFY(open(size) != nullptr);
  if (steps) m_window->action("help.steps")->trigger();
  QCOMPARE(m_window->steps()->strip()->isVisible(), steps);
  auto* panel = m_window->findChild<CurvePanel*>();
  QVERIFY(waitUntil([&] { return panel->canvas()->isVisible() && panel->canvas()->panelCount() > 1; }));
  panel->drawNow();
  QVERIFY(settled(m_window));
  const double main = panel->canvas()->layout().panels.front().area.height();
  QVERIFY2(main >= share * size.height(), qPrintable(QString::number(main / size.height())));
  if (size.width() >= 1280) QVERIFY2(panel->width() >= .6 * size.width(), qPrintable(widths()));
  // None of the small ones is lower than its curve needs.
  for (std::size_t i = 1; i < panel->canvas()->panelCount(); ++i)
    QVERIFY(panel->canvas()->layout().panels[i].area.height() > 2 * panel->fontMetrics().height());
  QCOMPARE(table()->horizontalScrollBar()->maximum(), 0);
  QVERIFY(table()->columnWidth(RunTableModel::State) < 3 * table()->fontMetrics().height());
  for (const int column :
       std::initializer_list<int>{RunTableModel::Name, RunTableModel::State, RunTableModel::FixedColumns,
                                  RunTableModel::Progress, RunTableModel::Duration}) {
    QVERIFY2(!table()->isColumnHidden(column), qPrintable(widths()));
    const int needed =
        table()->fontMetrics().horizontalAdvance(table()->model()->index(0, column).data().toString());
    if (column != RunTableModel::State) QVERIFY(table()->columnWidth(column) >= needed);
  }
  // No name is cut beside room that nobody uses.
  const bool room = table()->horizontalHeader()->length() < table()->viewport()->width();
  QVERIFY(room || size.width() < 1280);
  for (int row = 0; room && row < table()->model()->rowCount(); ++row) {
    const QString name = table()->model()->index(row, RunTableModel::Name).data().toString();
    const int beside = kSwatchWidth + metrics::kMargin + 2 * metrics::kGrid;
    QVERIFY2(
        table()->columnWidth(RunTableModel::Name) - beside >= table()->fontMetrics().horizontalAdvance(name),
        qPrintable(name + widths()));
  }
}

void TrainLayoutTest::widthsFollowTheWindow() {
  m_fixture->addRun("one");
  QVERIFY(open({1440, 800}) != nullptr);
  const int usual = dock("runs")->width();
  QVERIFY(dock("details")->isVisible());
  QVERIFY(table()->isColumnHidden(RunTableModel::Started));
  m_window->resize(1024, 700);
  QVERIFY(waitUntil([&] { return !dock("details")->isVisible(); }));
  QVERIFY(settled(m_window));
  QCOMPARE(m_window->size(), QSize(1024, 700));
  m_window->resize(2560, 1440);
  QVERIFY2(waitUntil([&] { return dock("runs")->width() > usual * 3 / 2; }), qPrintable(widths()));
  QVERIFY(waitUntil([&] { return dock("details")->isVisible(); }));
  QVERIFY(waitUntil([&] { return !table()->isColumnHidden(RunTableModel::Started); }));
  // A width that somebody chose is theirs.
  QVERIFY(test::dragLineBeside(m_window, dock("runs"), -150));
  const int chosen = dock("runs")->width();
  m_window->resize(2000, 1200);
  QVERIFY(settled(m_window));
  QCOMPARE(dock("runs")->width(), chosen);
}

// No other panel makes room for the details in a narrow window; Esc and their button take them away again.
void TrainLayoutTest::detailsSlideOverInNarrowWindows() {
  m_fixture->addRun("one");
  QVERIFY(open({1280, 800}) != nullptr);
  QVERIFY(!dock("details")->isVisible());
  const QRect curves = m_window->train()->curves()->geometry(), runs = dock("runs")->geometry();
  click("details");
  QVERIFY(waitUntil([&] { return dock("details")->isVisible(); }) && settled(m_window));
  QCOMPARE(m_window->train()->curves()->geometry(), curves);
  QCOMPARE(dock("runs")->geometry(), runs);
  const QRect middle = m_window->centralWidget()->geometry();
  QVERIFY(waitUntil([&] {
    const QRect now = dock("details")->geometry();
    return middle.contains(now) && now.right() == middle.right() && now.width() > 240;
  }));
  const QRect over = dock("details")->geometry();
  QVERIFY(m_window->findChild<FoldBar*>()->button("details")->isChecked());
  QVERIFY(!over.intersects(QRect(m_window->findChild<FoldBar*>()->mapTo(m_window, QPoint()),
                                 m_window->findChild<FoldBar*>()->size())));
  // It is in front: what is clicked there is in it.
  QWidget* there = m_window->childAt(over.center());
  QVERIFY(there != nullptr && dock("details")->isAncestorOf(there));
  // Messages keep off it.
  m_window->messages()->showNote(QStringLiteral("done"));
  QVERIFY(settled(m_window));
  const QRect card(m_window->messages()->mapTo(m_window, QPoint()), m_window->messages()->size());
  QVERIFY(!card.intersects(over));
  dock("details")->widget()->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(waitUntil([&] { return !dock("details")->isVisible(); }));
  click("details");
  QVERIFY(waitUntil([&] { return dock("details")->isVisible(); }));
  click("details");
  QVERIFY(waitUntil([&] { return !dock("details")->isVisible(); }));
  // With the width it has its place again, also after a page that had the window to itself.
  m_window->action("run.new")->trigger();
  m_window->train()->showCurves();
  m_window->resize(1600, 900);
  QVERIFY(waitUntil([&] {
    return dock("details")->isVisible() &&
           m_window->dockWidgetArea(dock("details")) == Qt::RightDockWidgetArea;
  }));
  m_window->resize(1280, 800);
  QVERIFY(waitUntil([&] { return !dock("details")->isVisible(); }));
  m_window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open({1280, 800}) != nullptr);
  QVERIFY(!dock("details")->isVisible());
  m_window->resize(1600, 900);
  QVERIFY(waitUntil([&] { return dock("details")->isVisible(); }));
}

// A list of a few runs is as high as its runs, the details below it; the curves have the width.
void TrainLayoutTest::detailsGoBelowInLargeWindows() {
  for (const char* name : {"one", "two"}) m_fixture->addRun(name);
  QVERIFY(open({1440, 800}) != nullptr);
  const auto area = [this] { return m_window->dockWidgetArea(dock("details")); };
  QCOMPARE(area(), Qt::RightDockWidgetArea);
  const int usual = dock("details")->width();
  m_window->resize(2560, 1440);
  QVERIFY(waitUntil([&] { return area() == Qt::LeftDockWidgetArea; }) && settled(m_window));
  const QRect runs = dock("runs")->geometry(), details = dock("details")->geometry();
  QVERIFY(dock("details")->isVisible() && details.top() > runs.bottom());
  QCOMPARE(details.width(), runs.width());
  constexpr int kFreeRows = 5;
  const int row = table()->rowHeight(0), room = table()->viewport()->height();
  QVERIFY2(room >= 2 * row && room <= (2 + kFreeRows) * row, qPrintable(QString::number(room)));
  QVERIFY(m_window->findChild<CurvePanel*>()->width() > 2560 * 2 / 3);
  // More runs have more of the column.
  for (int i = 0; i < 12; ++i) m_fixture->addRun("another " + std::to_string(i));
  m_window->service()->refresh();
  QVERIFY(waitUntil([&] { return table()->model()->rowCount() == 14; }));
  QVERIFY(waitUntil([&] { return table()->viewport()->height() >= 14 * row; }));
  // Somebody moves the line between them.
  const int before = dock("runs")->height();
  const QPoint line(dock("runs")->geometry().center().x(), dock("runs")->geometry().bottom() + 1);
  QVERIFY(m_window->isSeparator(line));
  QTest::mousePress(m_window, Qt::LeftButton, {}, line);
  QTest::mouseMove(m_window, line + QPoint(0, 60));
  QVERIFY(waitUntil([&] { return dock("runs")->height() > before + 40; }));
  QTest::mouseRelease(m_window, Qt::LeftButton, {}, line + QPoint(0, 60));
  const int chosen = dock("runs")->height();
  m_fixture->addRun("last");
  m_window->service()->refresh();
  QVERIFY(waitUntil([&] { return table()->model()->rowCount() == 15; }) && settled(m_window));
  QCOMPARE(dock("runs")->height(), chosen);
  m_window->resize(1440, 800);
  QVERIFY(waitUntil([&] { return area() == Qt::RightDockWidgetArea; }) && settled(m_window));
  QVERIFY(qAbs(dock("details")->width() - usual) <= 4);
}

// Where somebody put the details they stay, in any window and in the next session.
// While a page has the whole window the docks are hidden, and the window may become another one.
void TrainLayoutTest::docksComeBackAsTheWindowIs_data() {
  QTest::addColumn<int>("text");
  QTest::newRow("usual texts") << 100;
  QTest::newRow("large texts, which leave less than the docks want") << 130;
}

void TrainLayoutTest::docksComeBackAsTheWindowIs() {
  QFETCH(int, text);
  m_host->appearance()->setTextPercent(text);
  m_fixture->addRun("12 layers Post-LN", 40);
  QVERIFY(open({2560, 1440}) != nullptr);
  const auto asNew = [this] {
    return !dock("details")->isHidden() && dock("details")->x() == dock("runs")->x() &&
           dock("runs")->height() < m_window->height() / 3;
  };
  QVERIFY(waitUntil(asNew));
  const int wide = dock("runs")->width();
  const QSize small(1024, 700), usual(1280, 800), large(2560, 1440);
  for (const QSize& hiddenAt : {small, usual, large}) {
    for (const QSize& backAt : {small, usual, large}) {
      m_window->resize(hiddenAt);
      QVERIFY(settled(m_window));
      m_window->action("run.new")->trigger();
      QVERIFY(waitUntil([this] { return dock("runs")->isHidden(); }));
      m_window->resize(backAt);
      QVERIFY(settled(m_window));
      m_window->train()->showCurves();
      QVERIFY(waitUntil([this] { return !dock("runs")->isHidden(); }));
      m_window->resize(usual);
      if (backAt != large) QVERIFY(settled(m_window));
      m_window->resize(large);
      QVERIFY2(
          waitUntil([&] { return asNew() && std::abs(dock("runs")->width() - wide) <= 4; }),
          qPrintable(QStringLiteral("%1, %2: %3").arg(hiddenAt.width()).arg(backAt.width()).arg(widths())));
    }
  }
  // Hidden again before they had their sizes.
  m_window->resize(usual);
  QVERIFY(settled(m_window));
  m_window->action("run.new")->trigger();
  m_window->resize(large);
  QVERIFY(settled(m_window));
  m_window->train()->showCurves();
  m_window->action("run.new")->trigger();
  QVERIFY(settled(m_window) && dock("runs")->isHidden());
  m_window->train()->showCurves();
  QVERIFY2(waitUntil([&] { return asNew() && std::abs(dock("runs")->width() - wide) <= 4; }),
           qPrintable(widths()));
}

void TrainLayoutTest::movedDocksStay() {
  m_fixture->addRun("one");
  QVERIFY(open({2560, 1440}) != nullptr);
  const auto area = [this] { return m_window->dockWidgetArea(dock("details")); };
  QVERIFY(waitUntil([&] { return area() == Qt::LeftDockWidgetArea; }));
  m_window->addDockWidget(Qt::RightDockWidgetArea, dock("details"));
  dock("details")->show();
  QVERIFY(settled(m_window));
  m_window->resize(2400, 1300);
  QVERIFY(settled(m_window));
  QCOMPARE(area(), Qt::RightDockWidgetArea);
  m_window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open({2560, 1440}) != nullptr);
  QCOMPARE(area(), Qt::RightDockWidgetArea);
  m_window->action("view.reset")->trigger();
  QVERIFY(waitUntil([&] { return area() == Qt::LeftDockWidgetArea; }));
  m_window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  QVERIFY(open({2560, 1440}) != nullptr);
  QCOMPARE(area(), Qt::LeftDockWidgetArea);
  QVERIFY(dock("details")->isVisible());
}

void TrainLayoutTest::panelsBelowAreFolded() {
  m_fixture->addRun("one");
  QVERIFY(open({1280, 800}) != nullptr);
  for (const char* id : {"log", "queue", "grid"}) QVERIFY(!dock(id)->isVisible());
  click("log");
  QVERIFY(waitUntil([&] { return dock("log")->isVisible(); }));
  click("queue");
  QVERIFY(waitUntil([&] { return dock("queue")->isVisible() && !dock("log")->isVisible(); }));
  QVERIFY(m_window->findChild<FoldBar*>()->button("queue")->isChecked());
  click("queue");
  QVERIFY(waitUntil([&] { return !dock("queue")->isVisible(); }));
  click("details");
  QVERIFY(waitUntil([&] { return dock("details")->isVisible(); }));
  click("details");
  QVERIFY(waitUntil([&] { return !dock("details")->isVisible(); }));
}

// It was folded; what went wrong is in it.
void TrainLayoutTest::logOpensWhenTheRunFails() {
  std::string path;
  const auto log = m_fixture->beginRun("live", &path);
  test::WindowFixture::writeSteps(*log, 1, 5, 4);
  auto lock = RunLock::acquire(path, "");
  QVERIFY(lock.ok());
  QVERIFY(open({1280, 800}) != nullptr);
  QVERIFY(waitUntil([&] {
    return m_window->train()->running() > 0 ||
           m_window->train()->runModel()->runs().first().state == RunState::Running;
  }));
  QVERIFY(!dock("log")->isVisible());
  RunOutcome outcome;
  outcome.state = RunState::Failed;
  outcome.cause = "oom";
  QVERIFY(RunFolder(path).writeOutcome(1, outcome).ok());
  lock->reset();
  m_window->service()->refresh();
  QVERIFY(waitUntil([&] { return dock("log")->isVisible(); }));
}

void TrainLayoutTest::nameStaysInSight() {
  for (const char* name : {"a run with a long name, seed 1", "a run with a long name, seed 2"})
    m_fixture->addRun(name, 2400);
  QVERIFY(open({1280, 800}) != nullptr);
  auto* frozen = table()->findChild<FrozenColumns*>();
  QVERIFY(frozen != nullptr && !frozen->isVisible());
  table()->setColumnWidth(RunTableModel::Progress, 600);
  QScrollBar* bar = table()->horizontalScrollBar();
  QVERIFY(waitUntil([&] { return bar->maximum() > 100; }));
  bar->setValue(bar->maximum());
  QVERIFY(frozen->isVisible());
  QCOMPARE(frozen->mapTo(table(), QPoint(0, 0)).x(), table()->viewport()->x());
  const QModelIndex name = frozen->model()->index(1, RunTableModel::Name);
  QCOMPARE(frozen->visualRect(name).left(),
           table()->columnWidth(RunTableModel::Eye) + table()->columnWidth(RunTableModel::Star));
  QTest::mouseClick(frozen->viewport(), Qt::LeftButton, {}, frozen->visualRect(name).center());
  QCOMPARE(m_window->train()->runs()->currentRun(), name.data(RunTableModel::UuidRole).toString());
  const QModelIndex star = frozen->model()->index(1, RunTableModel::Star);
  QTest::mouseClick(frozen->viewport(), Qt::LeftButton, {}, frozen->visualRect(star).center());
  QVERIFY(waitUntil([&] { return star.data(RunTableModel::StarRole).toBool(); }));
  bar->setValue(0);
  QVERIFY(!frozen->isVisible());
}

void TrainLayoutTest::waitingRunsAreTakenOut_data() {
  QTest::addColumn<bool>("withKey");
  QTest::newRow("Del") << true;
  QTest::newRow("Stop") << false;
}

// Stop and Del of a run that waits take it out of the queue, and Undo brings it back.
void TrainLayoutTest::waitingRunsAreTakenOut() {
  QFETCH(bool, withKey);
  pause();
  QVERIFY(open({1280, 800}) != nullptr);
  const auto* model = m_window->train()->runModel();
  enqueue("waits");
  QVERIFY(waitUntil([&] { return model->rowCount() == 1; }));
  const QString uuid = model->runs().first().uuid;
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QVERIFY2(waitUntil([&] { return m_window->action("run.trash")->isEnabled(); }),
           qPrintable(QStringLiteral("rows %1, selected there %2, current %3, selected %4")
                          .arg(table()->model()->rowCount())
                          .arg(table()->selectionModel()->selectedRows().size())
                          .arg(m_window->train()->runs()->currentRun())
                          .arg(m_window->selection()->of(Dimension::Run).items.size())));
  QVERIFY(m_window->action("run.stop")->isEnabled());
  table()->setFocus();
  if (withKey) {
    QTest::keyClick(table(), Qt::Key_Delete);
  } else {
    m_window->action("run.stop")->trigger();
  }
  QVERIFY(waitUntil([&] { return model->rowCount() == 0; }));
  QVERIFY(m_window->messages()->currentText().contains("waits"));
  QTest::keyClick(m_window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return model->rowCount() == 1; }));
}

// The table is sorted by time: a run that starts does not go elsewhere under the pointer.
void TrainLayoutTest::startedRunKeepsItsPlace() {
  pause();
  QVERIFY(open({1280, 800}) != nullptr);
  for (const char* name : {"a", "b", "c"}) enqueue(name);
  const auto* model = m_window->train()->runModel();
  QVERIFY(waitUntil([&] { return model->rowCount() == 3; }));
  const auto names = [this] {
    QString text;
    for (int row = 0; row < table()->model()->rowCount(); ++row)
      text += table()->model()->index(row, RunTableModel::Name).data().toString();
    return text;
  };
  QCOMPARE(names(), QStringLiteral("cba"));
  const QueueEntry first = QueueFolder(m_fixture->project().toStdString()).entries().value().front();
  RunIdentity identity;
  identity.uuid = first.uuid;
  identity.name = "a";
  identity.created = "2031-01-01T00:00:00.000Z";
  const std::string path = m_fixture->project().toStdString() + "/runs/" + first.uuid;
  QVERIFY(RunFolder::create(path, identity).ok());
  QVERIFY(waitUntil([&] { return !model->run(QString::fromStdString(first.uuid))->folder.isEmpty(); }));
  QCOMPARE(names(), QStringLiteral("cba"));
}

void TrainLayoutTest::tipsLeaveTheCountsAlone() {
  m_fixture->addRun("one");
  QVERIFY(open({1280, 800}) != nullptr);
  const QLabel* counts = nullptr;
  for (const QLabel* label : m_window->statusBar()->findChildren<QLabel*>())
    if (label->text().contains("running")) counts = label;
  QVERIFY(counts != nullptr && counts->isVisible());
  for (const char* id : {"run.star", "run.new"}) m_window->action(id)->hover();
  QStatusTipEvent tip(QStringLiteral("a tip"));
  QApplication::sendEvent(m_window, &tip);
  QVERIFY(counts->isVisible());
  QVERIFY(m_window->statusBar()->currentMessage().isEmpty());
}

void TrainLayoutTest::longRunsAreTold() {
  QWidget window;
  RunNotice notice(&window);
  QStringList told;
  notice.setSender([&told](const QString& title, const QString& text) { told.append(title + u'|' + text); });
  RunItem run;
  run.name = QStringLiteral("deep");
  run.state = RunState::Failed;
  run.message = QStringLiteral("out of memory");
  run.durationSeconds = RunNotice::kLongSeconds - 1;
  notice.runEnded(run);
  QVERIFY(told.isEmpty());
  run.durationSeconds = RunNotice::kLongSeconds + 1;
  notice.runEnded(run);
  QCOMPARE(told, QStringList{QStringLiteral("deep: failed|out of memory")});
  // In front of somebody's eyes nothing has to be told.
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  notice.runEnded(run);
  QCOMPARE(told.size(), 1);
}

QTEST_MAIN(TrainLayoutTest)
#include "tst_train_layout.moc"
