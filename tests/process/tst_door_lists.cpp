// SPDX-License-Identifier: Apache-2.0
// Doors that are lists: a format of foreign runs, a kind of data set and a place to start runs at, added by a
// file and a list line each (tests/fakes), are known to the shell and the runner without another line.
#include <QDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/library/queue/queue_folder.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class DoorListsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }
  void anAddedFormatIsRecognised();
  void theProgramItselfDoesNotKnowIt();
  void anAddedDataSetIsKnown();
  void anAddedPlaceRunsWhatNamesIt();
  void anUnknownPlaceKeepsItsRuns();
  void entriesOfOldNameThisMachine();

 private:
  static QString made() { return QStringLiteral(FATHOM_BIN_DIR "/../made/fathom"); }
  ShellResult ask(const QStringList& words) const {
    return m_fixture->fathom(words + QStringList{"--project", QString::fromStdString(m_fixture->path())});
  }
  QString pairs() const {
    const QString file = m_fixture->file("curve.txt");
    writeFileAtomically(file.toStdString(), "%pairs\n1 loss 3\n2 loss 2.5\n3 lo").value();
    return file;
  }
  QueueEntry queued(const std::string& place) const {
    QueueEntry entry = m_fixture->enqueue("finish", 3);
    m_fixture->queue().withdraw({entry}).value();
    entry.uuid = makeUuid();
    entry.runPath = m_fixture->path() + "/runs/" + entry.uuid;
    entry.place = place;
    return m_fixture->queue().add(entry).value();
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void DoorListsTest::anAddedFormatIsRecognised() {
  m_fixture->setProgram(made());
  const ShellResult result = ask({"import-run", pairs(), "--json"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  const Json json = result.json();
  QCOMPARE(json["source_format"].get<std::string>(), std::string("pairs"));
  QCOMPARE(json["points"].get<int>(), 2);  // the last line has not come yet
  QVERIFY(ask({"import-run", "--help"}).out.contains("pairs"));
}

void DoorListsTest::theProgramItselfDoesNotKnowIt() {
  const ShellResult result = ask({"import-run", pairs(), "--format", "pairs"});
  QCOMPARE(result.exitCode, 2);
  QVERIFY2(result.err.contains("tensorboard"), qPrintable(result.err));
}

void DoorListsTest::anAddedDataSetIsKnown() {
  const QString file = m_fixture->file("letters.txt");
  writeFileAtomically(file.toStdString(), "a b\n").value();
  const QStringList words = {"data", file.section('/', 0, -2), "--json"};
  const ShellResult unknown = m_fixture->fathom(words);
  QVERIFY(unknown.exitCode == 30 && unknown.out.contains("Spider"));
  m_fixture->setProgram(made());
  const ShellResult result = m_fixture->fathom(words);
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  const Json json = result.json();
  QCOMPARE(json["kind"].get<std::string>(), std::string("letters"));
  QCOMPARE(json["options"]["data.train"].get<std::string>(), file.toStdString());
}

void DoorListsTest::anAddedPlaceRunsWhatNamesIt() {
  m_fixture->setProgram(made());
  const QueueEntry entry = queued("shelf");
  QCOMPARE(m_fixture->queue().entries()->at(0).place, std::string("shelf"));
  const ShellResult result = ask({"run-queue"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  QVERIFY2(result.err.contains("on shelf") && result.err.contains("shelf_1"), qPrintable(result.err));
  QCOMPARE(m_fixture->waitForEnd(entry.runPath), RunState::Finished);
  QVERIFY(m_fixture->queue().entries()->empty());
}

void DoorListsTest::anUnknownPlaceKeepsItsRuns() {
  queued("shelf");
  const QueueEntry here = queued(kLocalPlace);
  const ShellResult result = ask({"run-queue"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  QVERIFY2(result.err.contains("there is no place 'shelf'"), qPrintable(result.err));
  QCOMPARE(m_fixture->waitForEnd(here.runPath), RunState::Finished);
  QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{1});
  QVERIFY(!m_fixture->queue().entries()->at(0).claimed());
}

void DoorListsTest::entriesOfOldNameThisMachine() {
  queued(kLocalPlace);
  const auto entry = m_fixture->queue().entries()->at(0);
  QCOMPARE(entry.place, std::string("local"));
  // Their file does not name it either, so that older programs read it as theirs.
  QStringList files = QDir(QString::fromStdString(m_fixture->queue().path())).entryList({"*.json"});
  files.removeAll("settings.json");
  QCOMPARE(files.size(), 1);
  const auto text = readFile(m_fixture->queue().path() + "/" + files.front().toStdString()).value();
  QVERIFY(text.find("\"place\"") == std::string::npos);
}

QTEST_GUILESS_MAIN(DoorListsTest)
#include "tst_door_lists.moc"
