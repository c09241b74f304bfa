// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolBar>
#include <cmath>

#include "app/window/jobs/run_details_reader.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/events/event_log.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/command_palette.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/log_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// The whole window on a project of recordings, with real keys and clicks.
class MainWindowTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void withoutProject();
  void withoutRuns();
  void refusedRunIsNotResumed();
  void withoutCheckpointItStartsAtZero();
  void runsAndDetails();
  void starCanBeUndone();
  void trashCanBeUndone();
  void paletteRunsWhatIsTyped();
  void tabReachesTheTable();
  void sessionIsRestored();
  void twoWindowsShowOneProject();
  void liveEventsArrive();
  void nanRunIsShown();
  void trainNowQueues();
  void damagedProjectIsExplained();
  void messagesMoveNothing();
  void redoHasTwoKeys();
  void redoOfATextIsTheText();
  void aboutShowsNoMarkup();

 private:
  MainWindow* open();
  QLabel* visibleLabel(QWidget* in, const QString& containing);
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void MainWindowTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void MainWindowTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* MainWindowTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  bool changed = false;
  connect(window->service(), &ProjectService::changed, window, [&changed] { changed = true; });
  if (!QTest::qWaitForWindowActive(window) ||
      !waitUntil([&] { return changed && window->jobs()->count() == 0; }))
    return nullptr;
  return window;
}

QLabel* MainWindowTest::visibleLabel(QWidget* in, const QString& containing) {
  for (QLabel* label : in->findChildren<QLabel*>())
    if (label->isVisible() && label->text().contains(containing)) return label;
  return nullptr;
}

void MainWindowTest::aboutShowsNoMarkup() {
  MainWindow* window = m_host->openWindow();
  window->action("help.about")->trigger();
  const auto boxes = window->findChildren<QMessageBox*>();
  QCOMPARE(boxes.size(), 1);
  int texts = 0;
  for (const QLabel* label : boxes.first()->findChildren<QLabel*>()) {
    if (label->textFormat() == Qt::RichText || label->text().isEmpty()) continue;
    ++texts;
    QVERIFY2(!label->text().contains(QLatin1Char('<')), qPrintable(label->text()));
  }
  QVERIFY(texts > 0);
  boxes.first()->close();
}

void MainWindowTest::withoutProject() {
  MainWindow* window = m_host->openWindow();
  QVERIFY(QTest::qWaitForWindowActive(window));
  QVERIFY(visibleLabel(window, QStringLiteral("Open a project")) != nullptr);
  QVERIFY(!window->action("run.new")->isEnabled());
  QVERIFY(window->action("file.open")->isEnabled());
}

void MainWindowTest::withoutRuns() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(visibleLabel(window->train()->runs(), QStringLiteral("No runs yet")) != nullptr);
  // The middle says what to do, and leads to the sample too.
  QVERIFY(visibleLabel(window->train()->pages(), QStringLiteral("Choose a preset")) != nullptr);
  QPushButton* start = nullptr;
  QVERIFY(waitUntil([&] {
    for (QPushButton* button : window->train()->pages()->findChildren<QPushButton*>())
      if (button->isVisible() && button->property("primary").toBool()) start = button;
    return start != nullptr;
  }));
  QStringList offered;
  for (QPushButton* button : window->train()->pages()->findChildren<QPushButton*>())
    if (button->isVisible()) offered.append(button->toolTip());
  QVERIFY(offered.contains(window->action("file.sample")->toolTip()));
  QTest::mouseClick(start, Qt::LeftButton);
  QCOMPARE(window->train()->pages()->currentIndex(), 1);
}

// What the engine refused is for "Clone and edit", and what has done all its updates has nothing left; other
// failures may be resumed.
void MainWindowTest::refusedRunIsNotResumed() {
  QHash<QString, bool> resumed;
  for (const char* cause : {"config", "oom"}) {
    const RunFolder run(m_fixture->makeRun(cause));
    RunOutcome outcome;
    outcome.state = RunState::Failed;
    outcome.cause = cause;
    QVERIFY(run.writeOutcome(1, outcome).ok());
    resumed.insert(QString::fromStdString(run.identity()->uuid), outcome.cause != "config");
  }
  // All 100 updates done without learning: nothing is left. Cut off after the last of them: the end is.
  for (const RunState state : {RunState::Diverged, RunState::Stopped}) {
    std::string path;
    const auto log = m_fixture->beginRun(runStateName(state), &path);
    test::WindowFixture::writeSteps(*log, 1, 100, 6.6);
    RunOutcome outcome;
    outcome.state = state;
    outcome.step = 100;
    outcome.lastFiniteStep = 30;
    if (state == RunState::Diverged) outcome.cause = kNotLearning;
    QVERIFY(RunFolder(path).writeOutcome(1, outcome).ok());
    resumed.insert(QString::fromStdString(RunFolder(path).identity()->uuid), state == RunState::Stopped);
    QVERIFY(!readRunDetails({}, QString::fromStdString(path)).outcomeText.contains(QLatin1String("30")));
  }
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 4; }));
  for (auto each = resumed.cbegin(); each != resumed.cend(); ++each) {
    window->selection()->set(Dimension::Run, {each.key()}, each.key(), nullptr);
    QCOMPARE(window->action("run.resume")->isEnabled(), each.value());
    QVERIFY(window->action("run.clone")->isEnabled());
  }
}

void MainWindowTest::withoutCheckpointItStartsAtZero() {
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
  std::string path;
  const auto log = m_fixture->beginRun("cut off", &path);
  test::WindowFixture::writeSteps(*log, 1, 7, 6.6);
  RunOutcome outcome;
  outcome.state = RunState::Stopped;
  outcome.step = 7;
  QVERIFY(RunFolder(path).writeOutcome(1, outcome).ok());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  const QString uuid = QString::fromStdString(RunFolder(path).identity()->uuid);
  window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  window->action("run.resume")->trigger();
  const QString said = window->messages()->currentText();
  QVERIFY2(said.contains(QStringLiteral("cut off")) && said.contains(QStringLiteral("update 0")),
           qPrintable(said));
}

void MainWindowTest::runsAndDetails() {
  for (int i = 0; i < 7; ++i) m_fixture->addRun("run " + std::to_string(i) + std::string(60, 'x'), 10 + i);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QCOMPARE(window->train()->runModel()->rowCount(), 7);
  QTableView* table = window->train()->runs()->table();
  QVERIFY(waitUntil([&] { return !window->train()->details()->currentRun().isEmpty(); }));
  const int column = window->train()->runModel()->columnCount() > RunTableModel::FixedColumns
                         ? RunTableModel::FixedColumns
                         : 0;
  QVERIFY(column > 0);
  QCOMPARE(window->train()->runModel()->columnId(column), QStringLiteral("metric:valid.bleu"));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                    table->visualRect(table->model()->index(3, 1)).center());
  QCOMPARE(window->train()->details()->currentRun(), window->train()->runs()->currentRun());
  QTest::keyClicks(window->train()->runs()->filterBox(), "3xxx");
  QCOMPARE(table->model()->rowCount(), 1);
  QTest::keyClicks(window->train()->runs()->filterBox(), "zzz");
  QVERIFY(visibleLabel(window->train()->runs(), QStringLiteral("3xxxzzz")) != nullptr);
}

void MainWindowTest::starCanBeUndone() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QTableView* table = window->train()->runs()->table();
  const QModelIndex star = table->model()->index(0, RunTableModel::Star);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(star).center());
  QVERIFY(waitUntil([&] { return star.data(RunTableModel::StarRole).toBool(); }));
  QTest::keyClick(window, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return !star.data(RunTableModel::StarRole).toBool(); }));
}

void MainWindowTest::trashCanBeUndone() {
  const std::string path = m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->action("run.trash")->isEnabled(); }));
  window->train()->runs()->table()->setFocus();
  QTest::keyClick(window->train()->runs()->table(), Qt::Key_Delete);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 0; }));
  QVERIFY(!QFile::exists(QString::fromStdString(path)));
  QVERIFY(window->messages()->currentText().contains("one"));
  window->undoStack()->undo();
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  QVERIFY(QFile::exists(QString::fromStdString(path)));
}

void MainWindowTest::paletteRunsWhatIsTyped() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QTest::keyClick(window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CommandPalette* palette = window->palettePopup();
  QVERIFY(palette->isVisible());
  const int all = palette->list()->model()->rowCount();
  QVERIFY(all > 20);
  QTest::keyClicks(palette->findChild<QLineEdit*>("paletteQuery"), "new run");
  QVERIFY(palette->list()->model()->rowCount() < all);
  QTest::keyClick(palette->findChild<QLineEdit*>("paletteQuery"), Qt::Key_Return);
  QVERIFY(!palette->isVisible());
  QCOMPARE(window->train()->pages()->currentIndex(), 1);
}

void MainWindowTest::tabReachesTheTable() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QTest::keyClick(window, Qt::Key_F, Qt::ControlModifier);
  QVERIFY(window->train()->runs()->filterBox()->hasFocus());
  bool reached = false;
  QSet<QWidget*> seen;
  for (int i = 0; i < 60 && !reached; ++i) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus != nullptr && focus->isVisible());
    reached = focus == window->train()->runs()->table();
    seen.insert(focus);
  }
  QVERIFY(reached);
}

void MainWindowTest::sessionIsRestored() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->resize(1000, 640);
  window->train()->runs()->table()->setColumnWidth(RunTableModel::Name, 222);
  window->findChild<QDockWidget*>("log")->show();
  window->findChild<QDockWidget*>("details")->hide();
  window->close();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  window = m_host->openWindow();
  QVERIFY(QTest::qWaitForWindowActive(window));
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));  // the last project
  QCOMPARE(window->width(), 1000);
  QCOMPARE(window->train()->runs()->table()->columnWidth(RunTableModel::Name), 222);
  QVERIFY(window->findChild<QDockWidget*>("log")->isVisible());
  QVERIFY(window->findChild<QDockWidget*>("details")->isHidden());
  window->resize(1440, 800);
  window->resetLayout();
  QVERIFY(window->findChild<QDockWidget*>("log")->isHidden());
  QVERIFY(window->findChild<QDockWidget*>("details")->isVisible());
}

void MainWindowTest::twoWindowsShowOneProject() {
  m_fixture->addRun("one");
  MainWindow* first = open();
  MainWindow* second = open();
  QVERIFY(first != nullptr && second != nullptr);
  const QModelIndex star = first->train()->runModel()->index(0, RunTableModel::Star);
  first->train()->runModel()->setData(star, true, RunTableModel::StarRole);
  QVERIFY(waitUntil(
      [&] { return second->train()->runModel()->index(0, 0).data(RunTableModel::StarRole).toBool(); }));
  QVERIFY(!second->messages()->isVisible());
}

void MainWindowTest::liveEventsArrive() {
  std::string path;
  const auto log = m_fixture->beginRun("live", &path);
  test::WindowFixture::writeSteps(*log, 1, 10, 4);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  auto* lines = window->findChild<LogModel*>();
  QVERIFY(waitUntil([&] { return lines->rowCount() == 1; }));
  test::WindowFixture::writeSteps(*log, 11, 30, 4);
  log->append("warning", Json{{"message", "the clock went back"}}).value();
  QVERIFY(waitUntil([&] { return lines->rowCount() == 2; }));
  QVERIFY(lines->index(1, LogModel::Text).data().toString().contains("clock"));
  QVERIFY(waitUntil([&] { return window->train()->runModel()->runs().first().step == 30; }));
  QVERIFY(window->train()->lastEventAge() >= 0);
}

void MainWindowTest::nanRunIsShown() {
  m_fixture->addRun("bad", 15, RunState::Diverged);
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const QString state = window->train()->runModel()->index(0, RunTableModel::State).data().toString();
  QVERIFY(state.contains("diverged"));
  QVERIFY(std::isnan(window->train()->runModel()->runs().first().last.value("loss", 0)));
  QVERIFY(!window->grab().isNull());
}

void MainWindowTest::trainNowQueues() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->newRun()->engine() != nullptr; }));
  QueueFolder queue(m_fixture->project().toStdString());
  QueueSettings paused;
  paused.paused = true;
  queue.setSettings(paused).value();
  QTest::keyClick(window, Qt::Key_R, Qt::ControlModifier);
  auto* name = window->findChild<QLineEdit*>("runName");
  QVERIFY(name->isVisible());
  QTest::keyClicks(name, "mine");
  auto* steps = window->findChild<QLineEdit*>("fake.steps");
  QVERIFY(waitUntil([&] { return (steps = window->findChild<QLineEdit*>("fake.steps")) != nullptr; }));
  steps->setFocus();
  steps->selectAll();
  QTest::keyClicks(steps, "x");
  auto* train = window->findChild<QPushButton*>("trainNow");
  QVERIFY(!train->isEnabled());
  steps->selectAll();
  QTest::keyClicks(steps, "7");
  QVERIFY(train->isEnabled());
  QTest::mouseClick(train, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return queue.entries().value().size() == 1; }));
  const QueueEntry entry = queue.entries().value().front();
  QCOMPARE(entry.config["name"].get<std::string>(), std::string("mine"));
  QCOMPARE(entry.config["options"]["fake.steps"].get<int>(), 7);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  QCOMPARE(window->train()->pages()->currentIndex(), 0);
}

void MainWindowTest::damagedProjectIsExplained() {
  QFile library(m_fixture->project() + "/library.sqlite");
  QVERIFY(library.open(QIODevice::WriteOnly));
  library.write("not a database");
  library.close();
  MainWindow* window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(window));
  QVERIFY(waitUntil([&] { return window->messages()->isVisible(); }));
  QVERIFY(window->messages()->currentText().contains("library.sqlite"));
  QVERIFY(!window->service()->isOpen());
}

// A message lies over the page: tool bar, docks and page stay where they are, also when the window is
// resized.
void MainWindowTest::messagesMoveNothing() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  const auto places = [window] {
    QVector<QRect> all;
    const auto add = [&](const QWidget* part) {
      all.append(QRect(part->mapTo(window, QPoint()), part->size()));
    };
    for (const QWidget* part : window->findChildren<QToolBar*>()) add(part);
    for (const QWidget* part : window->findChildren<QDockWidget*>()) add(part);
    add(window->train()->pages());
    add(window->train()->curves());
    return all;
  };
  const QVector<QRect> before = places();
  window->messages()->showNote(QStringLiteral("figure.pdf was written."));
  window->messages()->showError(QString(300, QLatin1Char('x')).replace(50, 1, QLatin1Char(' ')),
                                QStringLiteral("Do something."));
  QVERIFY(settled(window));
  QCOMPARE(places(), before);
  const auto inside = [window] {
    const MessageBar* bar = window->messages();
    return bar->isVisible() && bar->parentWidget()->rect().contains(bar->geometry());
  };
  QVERIFY(inside());
  window->resize(900, 600);
  QVERIFY(settled(window));
  QVERIFY(inside());
  window->messages()->closeCurrent();
  QVERIFY(inside());
  window->messages()->closeCurrent();
  QVERIFY(!window->messages()->isVisible());
}

void MainWindowTest::redoHasTwoKeys() {
  m_fixture->addRun("one");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  window->train()->runs()->table()->setFocus();
  const auto starred = [window] { return window->train()->runModel()->runs().first().star; };
  QVERIFY(waitUntil([&] { return window->action("run.star")->isEnabled(); }));
  window->action("run.star")->trigger();
  QVERIFY(waitUntil(starred));
  for (const auto& [key, modifiers] : {std::pair{Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
                                       std::pair{Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier)}}) {
    QTest::keyClick(window->train()->runs()->table(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(waitUntil([&] { return !starred(); }));
    QTest::keyClick(window->train()->runs()->table(), key, modifiers);
    QVERIFY(waitUntil(starred));
  }
  // Both are told, in the menu and in the palette.
  const QAction* redo = window->action("edit.redo");
  QCOMPARE(redo->text().section('\t', 1), QStringLiteral("Ctrl+Shift+Z, Ctrl+Y"));
  QCOMPARE(redo->toolTip(), QStringLiteral("Redo"));
  window->action("view.palette")->trigger();
  QTest::keyClicks(window->palettePopup()->findChild<QLineEdit*>("paletteQuery"), "redo");
  const QModelIndex found = window->palettePopup()->list()->currentIndex();
  QCOMPARE(found.data().toString(), QStringLiteral("Redo"));
  QCOMPARE(found.data(Qt::UserRole + 2).toString(), QStringLiteral("Ctrl+Shift+Z, Ctrl+Y"));
}

// In a text field both keys are the field's own, as Ctrl+Z is.
void MainWindowTest::redoOfATextIsTheText() {
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QLineEdit* box = window->train()->runs()->filterBox();
  box->setFocus();
  QTest::keyClicks(box, "adm");
  for (const auto& [key, modifiers] : {std::pair{Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
                                       std::pair{Qt::Key_Y, Qt::KeyboardModifiers(Qt::ControlModifier)}}) {
    QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(box->text(), QString());
    QTest::keyClick(box, key, modifiers);
    QCOMPARE(box->text(), QStringLiteral("adm"));
  }
}

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
