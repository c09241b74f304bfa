// SPDX-License-Identifier: Apache-2.0
// Where runs are trained, in the table, in the details and in the queue: columns of place and job with when
// they were heard, every attempt with its place, a retry at another place.
#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "app/runner/place_journal.h"
#include "app/runner/place_notes.h"
#include "app/runner/place_record.h"
#include "app/runs/training_request.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/runs/attempt_place.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class RunPlacesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void columnsSayPlaceJobAndWhenItWasHeard();
  void withoutItsColumnTheStateNamesThePlace();
  void attemptsOnOtherPlacesAreOneHistory();
  void aRunIsTriedAgainAtAnotherPlace();

 private:
  std::string project() const { return m_fixture->project().toStdString(); }
  void open();
  // A run that waits for the place "box"; its UUID.
  std::string enqueue() const;
  QTableView* table() const { return m_window->train()->runs()->table(); }
  QString cell(int column) const {
    const RunTableModel* runs = m_window->train()->runModel();
    return runs->rowCount() == 1 ? runs->index(0, column).data().toString() : QString();
  }
  void toggleColumn(const QString& title) const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void RunPlacesTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  const char* text = R"({"format": 1, "places": {
    "box": {"launcher": "ssh", "resources": {"host": "box.invalid", "program": "/bin/false"}}}})";
  QVERIFY(writeFileAtomically(placesFile(project()), text).ok());
  QueueSettings settings;
  settings.paused = true;  // no engine is started anywhere
  QVERIFY(QueueFolder(project()).setSettings(settings).ok());
}

void RunPlacesTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

void RunPlacesTest::open() {
  m_window = m_host->openWindow(m_fixture->project());
  m_window->resize(1900, 900);
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->rowCount() == 1; }));
}

std::string RunPlacesTest::enqueue() const {
  RunConfig config;
  config.name = "waits";
  QueueEntry entry = trainingEntry(project(), config);
  entry.place = "box";
  return QueueFolder(project()).add(entry).value().uuid;
}

void RunPlacesTest::toggleColumn(const QString& title) const {
  auto* button = m_window->train()->runs()->findChild<QToolButton*>("columns");
  Q_EMIT button->menu()->aboutToShow();
  for (QAction* action : button->menu()->actions())
    if (action->text() == title) action->trigger();
}

void RunPlacesTest::columnsSayPlaceJobAndWhenItWasHeard() {
  const std::string uuid = enqueue();
  open();
  QVERIFY(waitUntil([&] { return cell(RunTableModel::Place) == QLatin1String("box"); }));
  for (const char* title : {"Place", "Job"}) {
    const int column = title == QLatin1String("Place") ? RunTableModel::Place : RunTableModel::Job;
    if (table()->isColumnHidden(column)) toggleColumn(QLatin1String(title));
    QVERIFY(waitUntil([&] { return !table()->isColumnHidden(column); }));
  }
  PlaceNote note{"box", "17_3", "waiting", "Priority", {}};
  QVERIFY(writePlaceNote(project(), uuid, note).ok());
  QVERIFY(waitUntil([&] { return cell(RunTableModel::Job) == QLatin1String("17_3"); }));
  QCOMPARE(cell(RunTableModel::State), QStringLiteral("queued: Priority"));  // its place is said once
  PlaceJournal(project(), "box").heard(200);
  QVERIFY2(waitUntil([&] { return cell(RunTableModel::Place) == QLatin1String("box, heard 3 min ago"); }),
           qPrintable(cell(RunTableModel::Place)));
  // Words of the filter find it.
  QTest::keyClicks(m_window->train()->runs()->filterBox(), "17_3");
  QTRY_COMPARE(table()->model()->rowCount(), 1);
  QTest::keyClicks(m_window->train()->runs()->filterBox(), "9");
  QTRY_COMPARE(table()->model()->rowCount(), 0);
}

void RunPlacesTest::withoutItsColumnTheStateNamesThePlace() {
  const std::string uuid = enqueue();
  open();
  PlaceNote note{"box", "17_3", "waiting", "Priority", {}};
  QVERIFY(writePlaceNote(project(), uuid, note).ok());
  QVERIFY(waitUntil([&] { return cell(RunTableModel::Job) == QLatin1String("17_3"); }));
  if (table()->isColumnHidden(RunTableModel::Place)) toggleColumn(QStringLiteral("Place"));
  QVERIFY(waitUntil([&] { return cell(RunTableModel::State) == QLatin1String("queued: Priority"); }));
  toggleColumn(QStringLiteral("Place"));
  QVERIFY(waitUntil([&] { return table()->isColumnHidden(RunTableModel::Place); }));
  QCOMPARE(cell(RunTableModel::State), QStringLiteral("queued: box 17_3, Priority"));
}

// One of them nobody has written down, as in projects of before.
void RunPlacesTest::attemptsOnOtherPlacesAreOneHistory() {
  const std::string path = m_fixture->addRun("moved");
  const RunFolder folder(path);
  RunOutcome outcome;
  outcome.state = RunState::Killed;
  outcome.cause = "oom";
  outcome.step = 300;
  outcome.finishedAt = isoTimeNow();
  for (const int attempt : {2, 3}) {
    QCOMPARE(folder.beginAttempt(Json{{"name", "moved"}, {"options", {{"seed", 1}}}}).value(), attempt);
    QVERIFY(folder.writeOutcome(attempt, outcome).ok());
  }
  QVERIFY(writeAttemptPlace(folder, 2, {"local", "process 4711", "desk"}).ok());
  QVERIFY(writeAttemptPlace(folder, 3, {"box", "17_3", "n7"}).ok());
  open();
  auto* attempts = m_window->train()->details()->findChild<QTreeWidget*>("runAttempts");
  QVERIFY(attempts != nullptr);
  QVERIFY(waitUntil([&] { return attempts->topLevelItemCount() == 3; }));
  const auto row = [&](int index) {
    QStringList texts;
    for (int column = 0; column < 6; ++column) texts.append(attempts->topLevelItem(index)->text(column));
    return texts;
  };
  QCOMPARE(row(0), QStringList({"3", "box", "killed: out of memory", "300", "n7", "17_3"}));
  QCOMPARE(row(1),
           QStringList({"2", "This machine", "killed: out of memory", "300", "desk", "process 4711"}));
  QCOMPARE(row(2), QStringList({"1", "", "finished", "20", "", ""}));
  // The table names the last of them, and its state the cause.
  QVERIFY(waitUntil([&] { return cell(RunTableModel::Place) == QLatin1String("box"); }));
  QCOMPARE(cell(RunTableModel::State), QStringLiteral("killed: out of memory"));
}

void RunPlacesTest::aRunIsTriedAgainAtAnotherPlace() {
  m_fixture->addRun("one");
  open();
  QAction* menu = m_window->action(QStringLiteral("run.retry_at"));
  QVERIFY(menu != nullptr && menu->menu() != nullptr);
  QVERIFY(waitUntil([&] { return menu->isVisible() && menu->isEnabled(); }));
  QAction* there = nullptr;  // beside this machine, and a Slurm where it has one
  for (QAction* each : menu->menu()->actions())
    if (each->text() == QLatin1String("box")) there = each;
  QVERIFY(there != nullptr);
  QCOMPARE(menu->menu()->actions().first()->text(), QStringLiteral("This machine"));
  there->trigger();
  const auto queued = [&] {
    const auto entries = QueueFolder(project()).entries();
    return entries.ok() && entries->size() == 1 ? entries->front().place : std::string();
  };
  QVERIFY(waitUntil([&] { return queued() == "box"; }));
  QCOMPARE(QueueFolder(project()).entries()->front().config["options"]["seed"], Json(1));
  // One that is gone is named, and nothing is queued.
  QVERIFY(writeFileAtomically(placesFile(project()), R"({"format": 1, "places": {}})").ok());
  QVERIFY(waitUntil([&] {
    const auto actions = menu->menu()->actions();
    return std::none_of(actions.begin(), actions.end(),
                        [](const QAction* each) { return each->text() == QLatin1String("box"); });
  }));
}

QTEST_MAIN(RunPlacesTest)
#include "tst_run_places.moc"
