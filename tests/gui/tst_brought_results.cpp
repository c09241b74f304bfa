// SPDX-License-Identifier: Apache-2.0
// What was brought to another program's run is looked for by the thread that reads runs: the window answers
// by what it was told, without asking the disk.
#include <QDir>
#include <QFile>
#include <QTest>
#include <filesystem>

#include "app/window/jobs/project_service.h"
#include "core/imports/run_import.h"
#include "core/record/runs/project_folder.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/tables/run_abilities.h"

namespace fathom {

using test::waitUntil;

class BroughtResultsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theItemAnswers();
  void comesAndGoes();
};

// Neither way is the folder asked: it says the opposite.
void BroughtResultsTest::theItemAnswers() {
  QTemporaryDir folder;
  RunItem item;
  item.uuid = QStringLiteral("a");
  item.folder = folder.path();
  item.origin = QStringLiteral("csv log.csv");
  QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("analyses")));
  QVERIFY(!whyNoStates(item).isEmpty());
  QVERIFY(broughtParts(item.folder).analyses && !broughtParts(item.folder).predictions);
  item.folder = folder.filePath(QStringLiteral("nothing"));
  item.brought.analyses = true;
  QVERIFY(whyNoStates(item).isEmpty());
}

// As import-attention leaves it, long after the run was read.
void BroughtResultsTest::comesAndGoes() {
  const test::WindowFixture fixture;
  const std::string project = toUtf8(fixture.project()), source = project + "/log.csv";
  const std::string runs = ProjectFolder(project).runsPath();
  QFile log(fromUtf8(source));
  QVERIFY(log.open(QIODevice::WriteOnly));
  log.write("step,loss\n1,3\n2,2\n");
  log.close();
  Progress progress;
  QVERIFY(importRuns(source, runs, {}, progress, StopToken()).ok());
  ProjectService service;
  RunItem item;
  connect(&service, &ProjectService::changed, this, [&item](const ProjectChanges& changes) {
    if (!changes.runs.isEmpty()) item = changes.runs.constFirst();
  });
  service.open(fixture.project());
  QVERIFY(waitUntil([&item] { return !item.folder.isEmpty(); }));
  QVERIFY(!item.origin.isEmpty() && item.brought == BroughtParts());
  const std::string analyses = RunFolder(toUtf8(item.folder)).analysesPath();
  std::filesystem::create_directories(analyses);
  service.refresh();  // as the window does after what it has done; else as often as that costs little
  QVERIFY(waitUntil([&item] { return item.brought.analyses; }));
  QVERIFY(whyNoStates(item).isEmpty());
  std::filesystem::remove_all(analyses);
  service.refresh();
  QVERIFY(waitUntil([&item] { return !item.brought.analyses; }));
  QVERIFY(!whyNoStates(item).isEmpty());
}

}  // namespace fathom

using fathom::BroughtResultsTest;
QTEST_MAIN(BroughtResultsTest)
#include "tst_brought_results.moc"
