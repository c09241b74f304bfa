// SPDX-License-Identifier: Apache-2.0
// Commands when something fails on the way: one step or none, and what is disposable is in nobody's way.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

#include <QFile>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/library/records/project_library.h"
#include "core/record/events/event_log.h"
#include "core/record/import/import_staging.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

// For a library that another program holds all the while: nobody waits the 5 s of users.
const QStringList kShortWait = {"FATHOM_LIBRARY_SECONDS=0.2"};

}  // namespace

class OneStepTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void gridOnAFullDisk_data();
  void gridOnAFullDisk();
  void gridKilled();
  void gridWithoutRoomInTheLibrary();
  void trainWithDamagedSettings();
  void trainOnAFullDisk();
  void indexOnAFullDisk();
  void figureWhoseRecipeIsNotKept();
  void importUnderWayIsNotCleaned();
  void newProject();

 private:
  QString project() const { return QString::fromStdString(m_fixture->path()); }
  ShellResult ask(QStringList words, const QStringList& environment = {}) const {
    return m_fixture->fathom(words << "--project" << project() << "--json", environment);
  }
  // Under a limit of the size of files nothing can be written, as on a full disk.
  ShellResult askOnAFullDisk(const QStringList& words) const;
  std::string addRun(const std::string& name) const;
  QStringList grid() const {
    return {"grid", "--name", "g", "--over", "fake.milliseconds=1,2,3", "--over", "seed=1,2"};
  }
  // What the engine says is in the cache then: its file is not what fails.
  void keepDescription() const { QCOMPARE(m_fixture->fathom({"describe", "--json"}).exitCode, 0); }
  void nothingWasQueued() const {
    QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{0});
    QCOMPARE(ProjectLibrary::open(m_fixture->path()).value()->grids()->size(), std::size_t{0});
    for (const auto& file : fs::directory_iterator(m_fixture->path() + "/queue"))
      QVERIFY2(
          file.path().filename() == "settings.json" ||
              (file.path().extension() != ".json" && file.path().string().find(".tmp-") == std::string::npos),
          file.path().c_str());
    QVERIFY(fs::is_empty(m_fixture->path() + "/runs"));
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void OneStepTest::init() {
  m_fixture = std::make_unique<ProjectFixture>();
  QueueSettings settings;
  settings.paused = true;  // what is queued stays to be seen
  QVERIFY(m_fixture->queue().setSettings(settings).ok());
}

ShellResult OneStepTest::askOnAFullDisk(const QStringList& words) const {
  QStringList line = {"-c", "ulimit -f 0; exec \"$@\"", "bash", QStringLiteral(FATHOM_BIN_DIR "/fathom")};
  QProcess process;
  process.start("bash", line + words + QStringList{"--project", project(), "--json"});
  ShellResult result;
  if (process.waitForFinished(60000)) result.exitCode = process.exitCode();
  result.out = QString::fromUtf8(process.readAllStandardOutput());
  result.err = QString::fromUtf8(process.readAllStandardError());
  return result;
}

std::string OneStepTest::addRun(const std::string& name) const {
  const std::string path = m_fixture->path() + "/runs/" + name;
  const RunFolder run = RunFolder::create(path, {"uuid-" + name, name, "", {}}).value();
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  for (int step = 1; step <= 40; ++step)
    log->appendStep(step, 1, step, 1e-3, {{"loss", 1.0 / step}, {"nll", 1.0 / step}}).value();
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = 40;
  run.writeOutcome(attempt, outcome).value();
  return path;
}

void OneStepTest::gridOnAFullDisk_data() {
  QTest::addColumn<QString>("fault");
  // Six runs: six files with their names, then one step for all.
  for (const char* fault :
       {"write:3:28", "open:2:28", "sync:5:28", "rename:4:28", "rename:6:28", "folder:6:5"})
    QTest::newRow(fault) << fault;
}

// "nothing was changed", and three runs were in the queue.
void OneStepTest::gridOnAFullDisk() {
  QFETCH(QString, fault);
  keepDescription();
  const ShellResult result = ask(grid(), {"FATHOM_FAULT=" + fault});
  QVERIFY2(result.exitCode == 50, qPrintable(result.out + result.err));
  nothingWasQueued();
  const ShellResult again = ask(grid());
  QVERIFY2(again.exitCode == 0, qPrintable(again.out));
  QCOMPARE(again.json()["runs"].size(), std::size_t{6});
  QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{6});
}

// kill -9 inside any of its calls: whoever looks next sees the whole grid or nothing.
void OneStepTest::gridKilled() {
  keepDescription();
  std::size_t whole = 0, none = 0;
  for (const char* kind : {"open", "write", "sync", "rename", "folder"}) {
    for (int call = 2; call < 10; ++call) {  // the first two write the question of the dry run
      const QString fault = QString("FATHOM_FAULT=%1:%2:kill").arg(kind).arg(call);
      const ShellResult killed = ask(grid(), {fault});
      QCOMPARE(ask({"runs"}).exitCode, 0);
      const auto entries = m_fixture->queue().entries().value();
      const auto library = ProjectLibrary::open(m_fixture->path()).value();
      const auto grids = library->grids().value();
      QVERIFY2(entries.size() == grids.size() * 6, qPrintable(fault));
      QVERIFY2(grids.size() == (killed.exitCode == 0 ? 1 : grids.size()), qPrintable(fault));
      ++(entries.empty() ? none : whole);
      for (const QueueEntry& entry : entries) QCOMPARE(entry.grid, grids.front().uuid);
      QCOMPARE(m_fixture->queue().withdraw(entries).value(), static_cast<int>(entries.size()));
      for (const auto& each : grids) QVERIFY(library->removeGrid(each.uuid).ok());
      nothingWasQueued();
    }
  }
  QVERIFY2(whole > 0 && none > 20, qPrintable(QString("%1 whole, %2 none").arg(whole).arg(none)));
}

void OneStepTest::gridWithoutRoomInTheLibrary() {
  SQLite::Database library(m_fixture->path() + "/library.sqlite", SQLite::OPEN_READWRITE);
  const SQLite::Transaction busy(library, SQLite::TransactionBehavior::EXCLUSIVE);
  const ShellResult result = ask(grid(), kShortWait);
  QVERIFY2(result.exitCode != 0, qPrintable(result.out));
  QVERIFY(m_fixture->queue().entries()->empty());
}

// It left with code 30, and the run was in the queue.
void OneStepTest::trainWithDamagedSettings() {
  std::ofstream(m_fixture->path() + "/queue/settings.json", std::ios::trunc) << "{\"paused\":";
  for (const QStringList& words : {QStringList{"train", "--name", "a"}, grid()}) {
    const ShellResult result = ask(words);
    QCOMPARE(result.exitCode, 30);
    QVERIFY2(result.out.contains("settings.json"), qPrintable(result.out));
    QVERIFY(m_fixture->queue().entries()->empty());
  }
}

void OneStepTest::trainOnAFullDisk() {
  keepDescription();
  for (const char* fault : {"write:0:28:persistent", "rename:0:28:persistent", "folder:0:5:persistent"}) {
    const ShellResult result = ask({"train", "--name", "a"}, {QString("FATHOM_FAULT=") + fault});
    QVERIFY2(result.exitCode == 50, qPrintable(result.out + result.err));
    nothingWasQueued();
  }
}

// The index is disposable: without room for it curves are read from the run, and a figure goes to another
// disk.
void OneStepTest::indexOnAFullDisk() {
  addRun("one");
  for (const bool known : {false, true}) {
    if (known) QCOMPARE(ask({"curves", "one"}).exitCode, 0);  // there is an index now
    const ShellResult result = askOnAFullDisk({"curves", "one"});
    QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
    QCOMPARE(result.json()["curves"][0]["value"].size(), std::size_t{40});
    QCOMPARE(askOnAFullDisk({"runs"}).exitCode, 0);
    QCOMPARE(askOnAFullDisk({"show", "one"}).exitCode, 0);
  }
}

// The project cannot take it (here: somebody writes for ever); the figure is drawn all the same, and told.
void OneStepTest::figureWhoseRecipeIsNotKept() {
  addRun("one");
  const QString file = m_fixture->file("curve.svg");
  {
    SQLite::Database library(m_fixture->path() + "/library.sqlite", SQLite::OPEN_READWRITE);
    const SQLite::Transaction busy(library, SQLite::TransactionBehavior::IMMEDIATE);
    const ShellResult result =
        ask({"export-figure", "--figure", "training_curve", "--runs", "one", "--out", file}, kShortWait);
    QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
    QVERIFY(QFile::exists(file));
    QCOMPARE(result.json()["stored"].get<bool>(), false);
    QVERIFY2(result.err.contains("the recipe of the figure is not stored"), qPrintable(result.err));
  }
  const ShellResult kept =
      ask({"export-figure", "--figure", "training_curve", "--runs", "one", "--out", file});
  QCOMPARE(kept.json()["stored"].get<bool>(), true);
  QVERIFY(!kept.err.contains("not stored"));
}

void OneStepTest::importUnderWayIsNotCleaned() {
  const auto import = ImportStaging::begin(m_fixture->path() + "/runs").value();
  fs::create_directories(import->path() + "/attempts/0001");
  const ShellResult result = ask({"clean", "--apply"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.out));
  QVERIFY(fs::exists(import->path() + "/attempts/0001"));
  QVERIFY2(!result.out.contains(".import-"), qPrintable(result.out));
}

// A project that could not be made is made by the same words afterwards.
void OneStepTest::newProject() {
  const QString path = m_fixture->file("second.fathom");
  QProcess process;
  process.start("bash", {"-c", "ulimit -f 0; exec \"$@\"", "bash", QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                         "new-project", path});
  QVERIFY(process.waitForFinished(60000));
  QVERIFY(process.exitCode() != 0);
  const ShellResult again = m_fixture->fathom({"new-project", path});
  QVERIFY2(again.exitCode == 0, qPrintable(again.err));
}

QTEST_GUILESS_MAIN(OneStepTest)
#include "tst_one_step.moc"
