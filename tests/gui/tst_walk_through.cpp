// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>
#include <csignal>

#include "app/runs/made_data.h"
#include "app/runs/run_control.h"
#include "app/runs/training_request.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/run_actions.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/base/options/named_files.h"
#include "tests/gui/support_form_schema.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/train/queue_panel.h"
#include "views/panels/train/run_details_panel.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// What somebody new to the program meets first: the sample without files of one's own, a training file that
// is not named, a queue nobody works at, a run deleted and brought back, the program asked to end.
class WalkThroughTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void sampleIsMadeOnceAndOverNothing();
  void missingTrainingFileIsNamed();
  void refusalStandsUnderItsField();
  void placementIsNotInherited();
  void queueWithoutRunnerOffersToStart();
  void pausedQueueIsToldInTheStatusBar();
  void deletedRunIsNotCounted();
  void undoneDeletionTakesItsOfferAway();
  void filesAreShownInTheirFolders();
  void windowEndsWhenAsked();

 private:
  MainWindow* open();
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void WalkThroughTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void WalkThroughTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

MainWindow* WalkThroughTest::open() {
  MainWindow* window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(window) || !waitUntil([&] { return window->service()->isReady(); }))
    return nullptr;
  window->service()->drain();
  return window;
}

void WalkThroughTest::sampleIsMadeOnceAndOverNothing() {
  QVERIFY(usesMadeData("sample_small"));
  QVERIFY(!usesMadeData("nmt_quick"));
  const QTemporaryDir folder;
  const std::string project = folder.path().toStdString();
  OptionValues values(test::formSchema());
  const Json files = madeDataFiles(project, taskOf(values));
  const std::string train = files["data.train"].get<std::string>();
  QVERIFY(makeMissingData(project, values).ok());
  QVERIFY(!QFile::exists(QString::fromStdString(train)));
  QVERIFY(values.set("data.train", train).ok());
  QVERIFY(makeMissingData({}, values).ok());
  QVERIFY(!QFile::exists(QString::fromStdString(train)));
  QVERIFY(makeMissingData(project, values).ok());
  for (const auto& [key, file] : files.items())
    QVERIFY2(QFileInfo(QString::fromStdString(file.get<std::string>())).size() > 1000, key.c_str());
  QVERIFY(writeFileAtomically(train, "mine").ok());
  QVERIFY(QFile::remove(QString::fromStdString(project + "/data/test.tsv")));
  QVERIFY(makeMissingData(project, values).ok());
  QCOMPARE(QFileInfo(QString::fromStdString(train)).size(), 4);
}

void WalkThroughTest::missingTrainingFileIsNamed() {
  OptionValues values(test::formSchema());
  const Status status = checkFilesNamed(values);
  QVERIFY(!status.ok());
  QCOMPARE(status.error().key, std::string("data.train"));
  QVERIFY(values.set("data.train", "/some/file").ok());
  QVERIFY(checkFilesNamed(values).ok());
}

void WalkThroughTest::refusalStandsUnderItsField() {
  ExperimentDraft draft(test::formSchema());
  draft.refuse(QStringLiteral("data.train"), QStringLiteral("there is no file x"));
  QCOMPARE(draft.reasons(QStringLiteral("data.train")), QStringList(QStringLiteral("there is no file x")));
  QVERIFY(draft.acceptable());  // the file may be there next time
  QVERIFY(draft.setText(QStringLiteral("data.train"), QStringLiteral("/y")));
  QVERIFY(draft.reasons(QStringLiteral("data.train")).isEmpty());
}

void WalkThroughTest::placementIsNotInherited() {
  Json options = {{"device", "cpu"}, {"threads", 1}, {"seed", 3}};
  QCOMPARE(takePlacement(options), Json({{"device", "cpu"}, {"threads", 1}}));
  QCOMPARE(options, Json({{"seed", 3}}));
}

void WalkThroughTest::queueWithoutRunnerOffersToStart() {
  RunConfig config;
  config.name = "left over";
  QVERIFY(QueueFolder(m_fixture->project().toStdString())
              .add(trainingEntry(m_fixture->project().toStdString(), config))
              .ok());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  auto* start = window->train()->queue()->findChild<QPushButton*>(QStringLiteral("startQueue"));
  QVERIFY(waitUntil([&] { return !start->isHidden(); }));
  QCOMPARE(window->train()->running(), 0);
}

void WalkThroughTest::pausedQueueIsToldInTheStatusBar() {
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(QueueFolder(m_fixture->project().toStdString()).setSettings(paused).ok());
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->paused(); }));
  QVERIFY(waitUntil([&] {
    for (const QLabel* label : window->findChildren<QLabel*>())
      if (label->text() == QStringLiteral("0 running · 0 queued, paused")) return true;
    return false;
  }));
}

void WalkThroughTest::deletedRunIsNotCounted() {
  RunTableModel model;
  RunTablePanel panel(&model);
  RunItem one, two;
  one.uuid = QStringLiteral("1");
  two.uuid = QStringLiteral("2");
  model.setRuns({one, two});
  model.setRuns({one});
  const QList<QLabel*> labels = panel.findChildren<QLabel*>();
  QVERIFY(!labels.isEmpty());
  for (const QLabel* label : labels) QVERIFY(!label->text().contains(QStringLiteral("1 of")));
}

void WalkThroughTest::undoneDeletionTakesItsOfferAway() {
  m_fixture->addRun("one");
  m_fixture->addRun("two");
  MainWindow* window = open();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return !window->train()->details()->currentRun().isEmpty(); }));
  window->findChild<QAction*>(QStringLiteral("run.trash"))->trigger();
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  QCOMPARE(window->messages()->count(), 1);
  window->findChild<QAction*>(QStringLiteral("edit.undo"))->trigger();
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 2; }));
  QCOMPARE(window->messages()->count(), 0);
}

void WalkThroughTest::filesAreShownInTheirFolders() {
  RunDetailsPanel panel;
  RunItem run;
  run.uuid = QStringLiteral("1");
  panel.setRun(&run, {});
  RunDetails details;
  details.uuid = run.uuid;
  details.files = {{QStringLiteral("a/b/one.json"), 1000},
                   {QStringLiteral("a/two.json"), 24},
                   {QStringLiteral("run.json"), 5}};
  panel.setDetails(details);
  for (const QTreeWidget* tree : panel.findChildren<QTreeWidget*>()) {
    if (tree->headerItem()->text(0) != QLatin1String("File")) continue;
    QCOMPARE(tree->topLevelItemCount(), 2);
    const QTreeWidgetItem* folder = tree->topLevelItem(0);
    QCOMPARE(folder->text(0), QStringLiteral("a"));
    QCOMPARE(folder->text(1), QStringLiteral("1.0 kB"));
    QCOMPARE(folder->child(0)->child(0)->text(0), QStringLiteral("one.json"));
    QCOMPARE(folder->child(0)->child(0)->data(0, Qt::UserRole).toString(), QStringLiteral("a/b/one.json"));
    return;
  }
  QFAIL("no tree of files");
}

void WalkThroughTest::windowEndsWhenAsked() {
  QProcess window;
  window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
  window.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), {m_fixture->project()});
  QVERIFY(window.waitForStarted());
  QVERIFY(!window.waitForFinished(500));
  QCOMPARE(kill(static_cast<pid_t>(window.processId()), SIGTERM), 0);
  QVERIFY(window.waitForFinished(20000));
  QCOMPARE(window.exitStatus(), QProcess::NormalExit);
  QCOMPARE(window.exitCode(), 0);
}

QTEST_MAIN(WalkThroughTest)
#include "tst_walk_through.moc"
