// SPDX-License-Identifier: Apache-2.0
// What the window does with runs is what the shell's commands do.
#include <QProcess>
#include <QSignalSpy>
#include <QTest>
#include <ctime>
#include <fstream>

#include "app/runner/place_notes.h"
#include "app/runner/runner_program.h"
#include "app/runs/run_control.h"
#include "app/runs/training_request.h"
#include "app/window/jobs/project_service.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/record/runs/run_lock.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"

namespace fathom {

using test::waitUntil;

class RunControlTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void abortedOutsideTheQueueIsRestartedLater();
  void aMarkOfAnotherTimeIsGone();
  void stopAndAbortOfWhatWaits();
  void wishesElsewhereSayWhenTheyAct();
  void retryIsTheShells();
  void retryOfWhatCannotBeTrained();

 private:
  std::string project() const { return m_fixture->project().toStdString(); }
  QueueFolder queue() const { return QueueFolder(project()); }
  // An engine that somebody starts by hand.
  ControlledRun startByHand(QProcess& engine, const char* behaviour, int steps) const;
  int fathom(const QStringList& words) const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<ProjectService> m_service;
};

void RunControlTest::init() {
  m_service.reset();
  m_fixture = std::make_unique<test::WindowFixture>();
  qputenv("FATHOM_RESTART_SECONDS", "0.05");
  m_service = std::make_unique<ProjectService>();
  m_service->open(m_fixture->project());
  m_service->drain();
  QVERIFY(test::waitUntil([this] { return m_service->isReady(); }));
}

ControlledRun RunControlTest::startByHand(QProcess& engine, const char* behaviour, int steps) const {
  const std::string uuid = makeUuid(), config = project() + "/by_hand.json";
  RunConfig what;
  what.name = "by hand";
  what.options = {{"fake.behaviour", behaviour}, {"fake.steps", steps}, {"fake.milliseconds", 10}};
  writeFileAtomically(config, runConfigToJson(what).dump()).value();
  const QString folder = fromUtf8(project() + "/runs/" + uuid);
  engine.start(qEnvironmentVariable("FATHOM_ENGINE"),
               {"train", "--config", fromUtf8(config), "--run", folder, "--uuid", fromUtf8(uuid)});
  return {fromUtf8(uuid), QStringLiteral("by hand"), folder};
}

int RunControlTest::fathom(const QStringList& words) const {
  QProcess shell;
  shell.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
              words + QStringList{"--project", m_fixture->project()});
  return shell.waitForFinished(60000) ? shell.exitCode() : -1;
}

// Only what is in the queue is marked. The run is not: later it goes on in the queue, a fault hits it, and it
// is started again like any other, as often as others are.
void RunControlTest::abortedOutsideTheQueueIsRestartedLater() {
  QProcess engine;
  const ControlledRun run = startByHand(engine, "device_fault", 300);
  const std::string folder = toUtf8(run.folder);
  QVERIFY(waitUntil([&] { return RunFolder(folder).lastAttempt() == 1 && runLockHolder(folder); }));
  m_service->abort(run);
  m_service->drain();
  QVERIFY(engine.waitForFinished());
  QCOMPARE(engine.exitCode(), 137);
  QVERIFY(!isMarkedAborted(project(), toUtf8(run.uuid)));
  // Fewer updates, so that the faults come soon.
  const std::string config = folder + "/attempts/0001/config.json";
  Json options = readJsonFile(config).value();
  options["options"]["fake.steps"] = 4;
  writeFileAtomically(config, options.dump()).value();
  QCOMPARE(fathom({"resume", run.folder, "--wait"}), 75);
  QCOMPARE(RunFolder(folder).lastAttempt(), 1 + 1 + QueueSettings().maxRestartsPerHour);
}

// Left behind by an older version, which marked every run that the window aborted.
void RunControlTest::aMarkOfAnotherTimeIsGone() {
  const std::string folder = m_fixture->addRun("marked", 4, RunState::Stopped);
  const std::string uuid = RunFolder(folder).identity()->uuid;
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue().setSettings(paused).ok());
  QVERIFY(markAborted(project(), uuid).ok());
  m_service->resume(fromUtf8(folder));
  m_service->drain();
  QVERIFY(!isMarkedAborted(project(), uuid));
  QCOMPARE(queue().entries()->size(), std::size_t{1});
  QVERIFY(queue().entries()->front().resume);
  QVERIFY(queue().remove(uuid).ok());
  QVERIFY(markAborted(project(), uuid).ok());
  QCOMPARE(fathom({"resume", fromUtf8(uuid)}), 0);
  QVERIFY(!isMarkedAborted(project(), uuid));
}

// An engine on another host looks by itself; one whose place is not heard does when it is back. On this
// machine it is done at once, and nothing is said.
void RunControlTest::wishesElsewhereSayWhenTheyAct() {
  QSignalSpy said(m_service.get(), &ProjectService::wished);
  QProcess engine;
  const ControlledRun here = startByHand(engine, "finish", 5000);
  QVERIFY(waitUntil([&] { return runLockHolder(toUtf8(here.folder)).has_value(); }));
  m_service->stop(here);
  m_service->drain();
  QVERIFY(engine.waitForFinished(20000));
  QVERIFY(said.isEmpty());
  RunIdentity identity;
  identity.uuid = makeUuid();
  const RunFolder folder = RunFolder::create(project() + "/runs/" + identity.uuid, identity).value();
  QCOMPARE(folder.beginAttempt({{"format", 1}}).value(), 1);
  std::ofstream(folder.eventsPath(1))
      << R"({"v":1,"seq":0,"k":"heartbeat","step":0,"t":)" << std::time(nullptr) << "}\n";
  std::ofstream(folder.path() + "/lock")
      << R"({"pid":1,"host":"lab-3","boot_id":"b","start_time":"1","socket":"","control":true})"
      << "\n";
  const ControlledRun there{fromUtf8(identity.uuid), QStringLiteral("there"), fromUtf8(folder.path())};
  m_service->stop(there);
  QVERIFY(waitUntil([&] { return said.size() == 1; }));
  QCOMPARE(said[0][0].toString(), QStringLiteral("there"));
  QCOMPARE(said[0][1].toString(), QStringLiteral("it runs on lab-3, which looks every 2 s"));
  QVERIFY(
      writePlaceNote(project(), identity.uuid, {"box", "17_3", "running", "", "2026-11-30T10:00:00Z"}).ok());
  m_service->saveCheckpoint(there);
  QVERIFY(waitUntil([&] { return said.size() == 2; }));
  QCOMPARE(
      said[1][1].toString(),
      QStringLiteral("nothing was heard of box since 2026-11-30T10:00:00Z; it heeds this when it is back"));
}

void RunControlTest::stopAndAbortOfWhatWaits() {
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue().setSettings(paused).ok());
  for (const bool abort : {false, true}) {
    const QueueEntry entry = queue().add(trainingEntry(project(), {.name = "waits"})).value();
    const ControlledRun run{fromUtf8(entry.uuid), QStringLiteral("waits"), fromUtf8(entry.runPath)};
    abort ? m_service->abort(run) : m_service->stop(run);
    m_service->drain();
    QVERIFY(queue().entries()->empty());
    QVERIFY(!isMarkedAborted(project(), entry.uuid));
  }
}

// Device, threads and options of another time are left out; of what waits and has no folder as well.
void RunControlTest::retryIsTheShells() {
  QueueSettings paused;
  paused.paused = true;
  QVERIFY(queue().setSettings(paused).ok());
  const std::string folder = m_fixture->addRun("one", 4);
  const std::string config = folder + "/attempts/0001/config.json";
  Json recorded = readJsonFile(config).value();
  recorded["preset"] = "of its own";
  Json& options = recorded["options"];
  options["device"] = "cuda:7";
  options["threads"] = 3;
  options["gone.option"] = 1;
  options["seed"] = 5;
  writeFileAtomically(config, recorded.dump()).value();
  const QueueEntry waits =
      queue().add(trainingEntry(project(), {.name = "two", .options = {{"fake.steps", 9}}})).value();
  m_service->retry({{fromUtf8(RunFolder(folder).identity()->uuid), QStringLiteral("one"), fromUtf8(folder)},
                    {fromUtf8(waits.uuid), QStringLiteral("two"), QString()}});
  m_service->drain();
  QCOMPARE(fathom({"retry", QStringLiteral("one"), "--name", "one again"}), 0);
  const auto entries = queue().entries().value();
  QCOMPARE(entries.size(), std::size_t{4});
  const Json &window = entries[1].config, &second = entries[2].config, &shell = entries[3].config;
  QCOMPARE(window.dump(), shell.dump());
  QCOMPARE(window.at("name").get<std::string>(), std::string("one again"));
  QCOMPARE(window.at("preset").get<std::string>(), std::string("of its own"));
  QCOMPARE(window.at("options").at("seed").get<int>(), 5);
  QVERIFY(!window.at("options").contains("device") && !window.at("options").contains("gone.option"));
  QCOMPARE(second.at("name").get<std::string>(), std::string("two again"));
  QCOMPARE(second.at("options").at("fake.steps").get<int>(), 9);
}

// Refused with a sentence instead of queued for an engine to refuse.
void RunControlTest::retryOfWhatCannotBeTrained() {
  const std::string folder = m_fixture->addRun("odd", 4);
  const std::string config = folder + "/attempts/0001/config.json";
  Json recorded = readJsonFile(config).value();
  recorded["options"]["fake.behaviour"] = "dance";
  writeFileAtomically(config, recorded.dump()).value();
  QString problem;
  connect(m_service.get(), &ProjectService::problem, this,
          [&](const Error& error) { problem = fromUtf8(error.text()); });
  m_service->retry({{fromUtf8(RunFolder(folder).identity()->uuid), QStringLiteral("odd"), fromUtf8(folder)}});
  m_service->drain();
  QVERIFY(waitUntil([&] { return !problem.isEmpty(); }));
  QVERIFY2(problem.contains(QLatin1String("dance")), qPrintable(problem));
  QVERIFY(queue().entries()->empty());
}

}  // namespace fathom

using fathom::RunControlTest;
QTEST_MAIN(RunControlTest)
#include "tst_run_control.moc"
