// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/runner/child_process.h"
#include "app/runner/run_watch.h"
#include "app/runner/runner.h"
#include "app/runner/runner_program.h"
#include "app/runs/run_control.h"
#include "app/runs/training_request.h"
#include "core/base/files/atomic_file.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class RunnerTest : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<ProjectFixture> m_fixture;

  RunnerOptions options(double restartSeconds = 0.01) const {
    RunnerOptions result = runnerOptions(m_fixture->path()).value();
    result.pollSeconds = 0.01;
    result.restartSeconds = restartSeconds;
    return result;
  }
  RunnerStatus work() const { return workWith(options()); }
  RunnerStatus workWith(RunnerOptions options) const {
    Runner runner(std::move(options));
    return runner.run(StopToken()).value().value();
  }
  RunOutcome outcome(const QueueEntry& entry) const {
    const RunFolder folder(entry.runPath);
    return folder.outcome(folder.lastAttempt()).value();
  }
  int attempts(const QueueEntry& entry) const { return RunFolder(entry.runPath).lastAttempt(); }
  void expect(const char* behaviour, RunState state, const char* cause, int exitCode, int attemptCount) {
    const QueueEntry entry = m_fixture->enqueue(behaviour);
    work();
    const RunOutcome found = outcome(entry);
    QCOMPARE(runStateName(found.state), runStateName(state));
    QCOMPARE(found.cause, std::string(cause));
    QCOMPARE(found.exitCode, exitCode);
    QCOMPARE(attempts(entry), attemptCount);
    QVERIFY(m_fixture->queue().entries()->empty());
  }

 private Q_SLOTS:
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }

  void runsEverythingAndEnds() {
    const auto a = m_fixture->enqueue("finish");
    const auto b = m_fixture->enqueue("finish");
    const RunnerStatus status = work();
    QCOMPARE(status.ended, 2);
    QCOMPARE(status.notFinished, 0);
    QCOMPARE(outcome(a).state, RunState::Finished);
    QCOMPARE(outcome(b).state, RunState::Finished);
    QCOMPARE(RunFolder(a.runPath).identity()->uuid, a.uuid);
  }
  void emptyQueueEndsAtOnce() { QCOMPARE(work().ended, 0); }
  void divergenceIsNotRestarted() { expect("diverge", RunState::Diverged, "nan_loss", 20, 1); }
  void badInputIsNotRestarted() { expect("bad", RunState::Failed, "data", 30, 1); }
  void crashGetsItsOutcomeFromTheRunner() { expect("crash", RunState::Crashed, "crash", 134, 1); }
  void deviceFaultIsTriedAgain() { expect("device_fault_once", RunState::Finished, "", 0, 2); }
  void lostRankIsTriedAgain() { expect("rank_lost_once", RunState::Finished, "", 0, 2); }
  void killIsTriedAgain() { expect("oom_once", RunState::Finished, "", 0, 2); }
  void atMostThreeRestartsAnHour() {
    const QueueEntry entry = m_fixture->enqueue("device_fault");
    work();
    QCOMPARE(attempts(entry), 4);
    QCOMPARE(outcome(entry).exitCode, 75);
    QCOMPARE(outcome(entry).cause, std::string("device_fault"));
  }

  void waitsGrowExponentially() {
    const QueueEntry entry = m_fixture->enqueue("oom");
    QElapsedTimer timer;
    timer.start();
    workWith(options(0.2));  // .2 + .4 + .8
    QVERIFY2(timer.elapsed() >= 1400, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(attempts(entry), 4);
  }

  void deathBeforeTheRunFolderIsRecorded() {
    const QueueEntry entry = m_fixture->enqueue("die_before_folder");
    work();
    const RunOutcome found = outcome(entry);
    QCOMPARE(found.state, RunState::Crashed);
    QVERIFY(found.message.english().find("signal 11") != std::string::npos);
    QCOMPARE(RunFolder(entry.runPath).identity()->uuid, entry.uuid);
  }

  void refusedConfigurationIsRecordedWithTheEnginesWords() {
    const QueueEntry entry = m_fixture->enqueue("no_such_behaviour");
    work();
    const RunOutcome found = outcome(entry);
    QCOMPARE(found.exitCode, 30);
    QVERIFY2(found.message.english().find("fake.behaviour") != std::string::npos,
             found.message.english().c_str());
  }

  // What the engine lacks, every run would lack: none is to blame, none is lost.
  void engineThatDoesNotStartLosesNoRun() {
    const QueueEntry entry = m_fixture->enqueue("finish");
    const QueueEntry second = m_fixture->enqueue("finish");
    const QString lame = m_fixture->file("lame_engine");
    // As the loader of programs ends one whose library is gone.
    const std::string words = "libtorch_cpu.so: cannot open shared object file";
    writeFileAtomically(lame.toStdString(), "#!/bin/sh\necho '" + words + "' >&2\nexit 127\n").value();
    QFile(lame).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    for (const auto& [engine, reason] :
         {std::pair{std::string("/nowhere/engine"), std::string("/nowhere/engine")},
          std::pair{lame.toStdString(), words}}) {
      RunnerOptions broken = options();
      broken.enginePath = engine;
      Runner runner(std::move(broken));
      const auto ended = runner.run(StopToken());
      QVERIFY(!ended.ok());
      QVERIFY2(ended.error().text().find(reason) != std::string::npos, ended.error().text().c_str());
      for (const QueueEntry& one : {entry, second}) QVERIFY(!std::filesystem::exists(one.runPath));
      const auto entries = m_fixture->queue().entries().value();
      QCOMPARE(entries.size(), std::size_t{2});
      for (const QueueEntry& one : entries) QVERIFY(!one.claimed());
    }
    QCOMPARE(work().ended, 2);
    QCOMPARE(outcome(entry).state, RunState::Finished);
    QCOMPARE(outcome(second).state, RunState::Finished);
  }

  void resultsOfAnEngineLeaveTheQueueInOrder() {
    std::vector<QueueEntry> entries;
    for (int i = 0; i < 5; ++i) entries.push_back(m_fixture->enqueue("finish", 4));
    work();
    std::string last;
    for (const QueueEntry& entry : entries) {
      QVERIFY(outcome(entry).finishedAt >= last);
      last = outcome(entry).finishedAt;
    }
  }

  void atMostAsManyAtOnceAsTheSettingsSay() {
    QueueSettings settings;
    settings.concurrentCpuRuns = 2;
    QVERIFY(m_fixture->queue().setSettings(settings).ok());
    for (int i = 0; i < 5; ++i) m_fixture->enqueue("finish", 50, 3);
    std::size_t most = 0;
    RunnerOptions watched = options();
    watched.onPoll = [&most](const RunnerStatus& status) { most = std::max(most, status.active.size()); };
    QCOMPARE(workWith(watched).ended, 5);
    QCOMPARE(most, std::size_t{2});
  }

  void pausedQueueStartsNothing() {
    QueueSettings settings;
    settings.paused = true;
    QVERIFY(m_fixture->queue().setSettings(settings).ok());
    m_fixture->enqueue("finish");
    QCOMPARE(work().ended, 0);
    QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{1});
  }

  void secondRunnerLeavesAtOnce() {
    m_fixture->enqueue("finish", 100, 5);
    std::thread first([this] { work(); });
    const bool works = waitFor([&] { return m_fixture->queue().runnerPid() != 0; });
    Runner second(options());
    const auto status = second.run(StopToken());
    first.join();
    QVERIFY(works);
    QVERIFY(status.ok());
    QVERIFY(!status->has_value());
  }

  void entryAddedWhileItWorksIsSeen() {
    m_fixture->enqueue("finish", 50, 2);
    QueueEntry late;
    std::thread adder([&] {
      QTest::qSleep(40);  // while the first one trains, wherever it is
      late = m_fixture->enqueue("finish");
    });
    QCOMPARE(work().ended, 2);
    adder.join();
    QCOMPARE(outcome(late).state, RunState::Finished);
  }

  void abortedRunIsNotStartedAgain() {
    const QueueEntry entry = m_fixture->enqueue("stall", 40, 1);
    std::thread killer([&] {
      QVERIFY(waitFor([&] { return runLockHolder(entry.runPath).has_value(); }));
      QTest::qSleep(100);  // somewhere in its middle
      QVERIFY(markAborted(m_fixture->path(), entry.uuid).ok());
      kill(static_cast<pid_t>(runLockHolder(entry.runPath)->pid), SIGKILL);
    });
    work();
    killer.join();
    QCOMPARE(outcome(entry).state, RunState::Killed);
    QCOMPARE(outcome(entry).cause, std::string("aborted"));
    QCOMPARE(attempts(entry), 1);
    QVERIFY(!isMarkedAborted(m_fixture->path(), entry.uuid));
  }

  // An engine that hangs in a library hears no abort.
  void abortedEngineThatDoesNotEndIsKilled() {
    const QueueEntry entry = m_fixture->enqueue("stall", 4, 1);
    RunnerOptions impatient = options();
    impatient.abortSeconds = 0.3;
    std::thread marker([&] {
      QVERIFY(waitFor([&] { return runLockHolder(entry.runPath).has_value(); }));
      QVERIFY(markAborted(m_fixture->path(), entry.uuid).ok());
    });
    workWith(std::move(impatient));
    marker.join();
    QCOMPARE(outcome(entry).state, RunState::Killed);
    QCOMPARE(outcome(entry).cause, std::string("aborted"));
    QCOMPARE(attempts(entry), 1);
    QVERIFY(m_fixture->queue().entries()->empty());
  }

  // The runner itself is killed: engines go on, the next runner takes them over and does the rest.
  void killedRunnerLosesNothing() {
    const QueueEntry running = m_fixture->enqueue("finish", 150, 10);
    const QueueEntry waiting = m_fixture->enqueue("finish");
    QProcess runner;
    runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"run-queue", "--project", QString::fromStdString(m_fixture->path())});
    QVERIFY(runner.waitForStarted());
    QVERIFY(waitFor([&] { return runLockHolder(running.runPath).has_value(); }));
    runner.kill();
    QVERIFY(runner.waitForFinished());
    QVERIFY(runLockHolder(running.runPath).has_value());
    work();
    QCOMPARE(outcome(running).state, RunState::Finished);
    QCOMPARE(attempts(running), 1);
    QCOMPARE(outcome(waiting).state, RunState::Finished);
  }

  // The runner is killed when its engine has been started and has no run yet.
  void engineThatStartsIsNotStartedTwice() {
    const QueueEntry entry = m_fixture->enqueue("finish");
    const QString late = m_fixture->file("late");
    qputenv("FATHOM_FAKE_LATE", late.toUtf8());
    const auto go = [late] { (void)QFile(late).open(QIODevice::WriteOnly); };
    const auto unset = qScopeGuard([go] {
      qunsetenv("FATHOM_FAKE_LATE");
      go();
    });
    QProcess runner;
    runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"run-queue", "--project", QString::fromStdString(m_fixture->path())});
    const std::string messages = m_fixture->queue().startingPath() + "/" + entry.uuid + ".stderr";
    // The runner itself holds the messages until it has a child.
    QVERIFY(waitFor([&] { return QFile::exists(late + ".awaited"); }));
    QVERIFY(isHeldByChild(messages));
    runner.kill();
    QVERIFY(runner.waitForFinished());
    RunnerOptions next = options();
    std::string said;
    next.log = [&](const std::string& line) {
      said += line + "\n";
      // The first has its run only when the next runner has found it.
      if (line.find(entry.uuid) != std::string::npos) go();
    };
    QCOMPARE(workWith(next).ended, 1);
    QVERIFY2(said.find("watching an engine that starts") != std::string::npos &&
                 said.find(": started on") == std::string::npos,
             said.c_str());
    QCOMPARE(outcome(entry).state, RunState::Finished);
    QCOMPARE(attempts(entry), 1);
    QVERIFY(!isHeldByChild(messages));
  }

  // The engine and its runner die together (power, a kill of the whole group): the next runner goes on with
  // the run.
  void runCutOffWithItsRunnerIsTakenUpAgain() {
    const QueueEntry entry = m_fixture->enqueue("finish", 400, 10);
    QProcess runner;
    runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"run-queue", "--project", QString::fromStdString(m_fixture->path())});
    QVERIFY(waitFor([&] { return runLockHolder(entry.runPath).has_value(); }));
    QTest::qSleep(50);  // somewhere in its middle
    runner.kill();
    QVERIFY(runner.waitForFinished());
    kill(static_cast<pid_t>(runLockHolder(entry.runPath)->pid), SIGKILL);
    QVERIFY(waitFor([&] { return !runLockHolder(entry.runPath).has_value(); }));
    work();
    QCOMPARE(attempts(entry), 2);
    QCOMPARE(RunFolder(entry.runPath).outcome(1)->state, RunState::Lost);
    QCOMPARE(outcome(entry).state, RunState::Finished);
  }

  // The copy's queue is about the copy: one run that waits for its start, one that goes on.
  void copiedOrMovedProjectRunsItsOwnRuns() {
    const QueueEntry stopped = m_fixture->enqueue("abort_once");
    work();
    QCOMPARE(attempts(stopped), 1);
    QVERIFY(m_fixture->queue().add(resumeEntry(m_fixture->path(), stopped.runPath).value(), true).ok());
    const QueueEntry fresh = m_fixture->enqueue("finish");
    const auto runIn = [&](const std::string& project) {
      const ShellResult shell =
          m_fixture->fathom({"run-queue", "--project", QString::fromStdString(project), "--json"});
      QVERIFY2(shell.exitCode == 0 && shell.json().at("ended") == 2, qPrintable(shell.out + shell.err));
      for (const QueueEntry& entry : {stopped, fresh}) {
        const RunFolder folder(project + "/runs/" + entry.uuid);
        QCOMPARE(folder.outcome(folder.lastAttempt())->state, RunState::Finished);
        QCOMPARE(folder.lastAttempt(), entry.uuid == stopped.uuid ? 2 : 1);
      }
      QVERIFY(QueueFolder(project).entries()->empty());
    };
    const std::string copy = m_fixture->file("copy.fathom").toStdString();
    std::filesystem::copy(m_fixture->path(), copy, std::filesystem::copy_options::recursive);
    runIn(copy);
    QCOMPARE(attempts(stopped), 1);
    QVERIFY(!std::filesystem::exists(fresh.runPath));
    QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{2});
    const std::string moved = m_fixture->file("moved.fathom").toStdString();
    std::filesystem::rename(m_fixture->path(), moved);
    runIn(moved);
  }

  // The claim of a runner that works on the original does not hold the copy up.
  void copyOfAProjectAtWorkRuns() {
    const QueueEntry entry = m_fixture->enqueue("finish");
    QueueEntry claimed = m_fixture->queue().claimEntry(entry.uuid)->value();
    QCOMPARE(claimed.claimer, thisProcess());
    const std::string copy = m_fixture->file("copy.fathom").toStdString();
    std::filesystem::copy(m_fixture->path(), copy, std::filesystem::copy_options::recursive);
    const ShellResult shell =
        m_fixture->fathom({"run-queue", "--project", QString::fromStdString(copy), "--json"});
    QVERIFY2(shell.exitCode == 0 && shell.json().at("ended") == 1, qPrintable(shell.out + shell.err));
    QVERIFY(std::filesystem::exists(copy + "/runs/" + entry.uuid + "/run.json"));
    QVERIFY(!std::filesystem::exists(entry.runPath));
  }

  // A fault between run.json and the first attempt: there is nothing to resume, so it starts anew.
  void runWithoutAnAttemptStartsAnew() {
    const QueueEntry entry = m_fixture->enqueue("finish");
    QVERIFY(RunFolder::create(entry.runPath, {entry.uuid, "finish", "", Json::object()}).ok());
    QCOMPARE(RunFolder(entry.runPath).state(), RunState::Crashed);  // it does not wait for anything
    work();
    QCOMPARE(outcome(entry).state, RunState::Finished);
    QCOMPARE(attempts(entry), 1);
    // Cut off a little earlier: no run at all.
    const QueueEntry second = m_fixture->enqueue("finish");
    const RunFolder half = RunFolder::prepare(second.runPath).value();
    QVERIFY(half.clear().ok() && half.beginAttempt(second.config).ok());
    work();
    QCOMPARE(outcome(second).state, RunState::Finished);
    QCOMPARE(attempts(second), 1);
  }

  // In a container that was started again the runner has the number that it had before.
  void claimUnderOurOwnNumberBeforeARestart() {
    const QueueEntry entry = m_fixture->enqueue("finish");
    const QueueEntry claimed = m_fixture->queue().claimEntry(entry.uuid)->value();
    for (const auto& file : std::filesystem::directory_iterator(m_fixture->queue().path())) {
      std::string name = file.path().filename().string();
      const std::string start = "@" + claimed.claimer.startTime + "@";
      if (name.find(start) == std::string::npos) continue;
      name.replace(name.find(start), start.size(), "@1@");
      std::filesystem::rename(file.path(), file.path().parent_path() / name);
      break;
    }
    QCOMPARE(work().ended, 1);
    QCOMPARE(outcome(entry).state, RunState::Finished);
    QVERIFY(m_fixture->queue().entries()->empty());
  }

  // The tree of control groups as /proc and /sys show it.
  void memoryKillsOfBothVersions_data() {
    QTest::addColumn<QString>("groups");
    QTest::addColumn<QString>("mounts");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kills");
    const QString v2 = "29 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n";
    const QString v1 =
        "35 32 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "36 32 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";
    QTest::newRow("version 2") << "0::/user.slice/a" << v2 << "/sys/fs/cgroup/user.slice/a/memory.events"
                               << "low 0\nhigh 0\nmax 4\noom 2\noom_kill 3\n"
                               << 3;
    QTest::newRow("version 1") << "9:cpu,cpuacct:/a\n7:memory:/docker/1f\n"
                               << v1 << "/sys/fs/cgroup/memory/docker/1f/memory.oom_control"
                               << "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"
                               << 2;
    QTest::newRow("version 1 in a container")
        << "7:memory:/docker/1f\n"
        << "35 32 0:30 /docker/1f /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        << "/sys/fs/cgroup/memory/memory.oom_control"
        << "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n"
        << 5;
    QTest::newRow("both, memory with version 1") << "7:memory:/a\n0::/a\n"
                                                 << v2 + v1 << "/sys/fs/cgroup/memory/a/memory.oom_control"
                                                 << "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"
                                                 << 1;
    QTest::newRow("a kernel that does not count") << "7:memory:/a\n"
                                                  << v1 << "/sys/fs/cgroup/memory/a/memory.oom_control"
                                                  << "oom_kill_disable 0\nunder_oom 0\n"
                                                  << 0;
    QTest::newRow("nothing to be seen") << ""
                                        << ""
                                        << "/proc/self/nothing"
                                        << "" << 0;
  }
  void memoryKillsOfBothVersions() {
    QFETCH(QString, groups);
    QFETCH(QString, mounts);
    QFETCH(QString, file);
    QFETCH(QString, text);
    QFETCH(int, kills);
    QTemporaryDir root;
    const auto write = [&](const QString& path, const QString& content) {
      const std::filesystem::path target = (root.path() + path).toStdString();
      std::filesystem::create_directories(target.parent_path());
      std::ofstream(target) << content.toStdString();
    };
    write("/proc/self/cgroup", groups);
    write("/proc/self/mountinfo", mounts);
    write(file, text);
    QCOMPARE(memoryKills(root.path().toStdString()), std::int64_t{kills});
  }

  void entryOfARunThatIsNotThereIsPutAsideWithASentence() {
    const QueueEntry stopped = m_fixture->enqueue("abort_once");
    work();
    QVERIFY(m_fixture->queue().add(resumeEntry(m_fixture->path(), stopped.runPath).value(), true).ok());
    std::filesystem::remove_all(stopped.runPath);
    const QueueEntry next = m_fixture->enqueue("finish");
    const RunnerStatus status = work();
    QCOMPARE(status.ended, 1);
    QCOMPARE(status.putAside.size(), std::size_t{1});
    QVERIFY(status.putAside[0].file.find(stopped.uuid) != std::string::npos);
    QCOMPARE(outcome(next).state, RunState::Finished);
    QVERIFY(!std::filesystem::exists(stopped.runPath));
  }

  // Whoever waits is told by what runners do, not by how long they take.
  void waitingEndsWithTheRunnersOwnWords() {
    const QueueEntry entry = m_fixture->enqueue("finish");
    const QByteArray engine = qgetenv("FATHOM_ENGINE");
    const auto back = qScopeGuard([&] { qputenv("FATHOM_ENGINE", engine); });
    const QString broken = m_fixture->file("broken_engine");
    writeFileAtomically(broken.toStdString(), "#!/bin/sh\necho 'error: no engine today' >&2\nexit 3\n")
        .value();
    QFile(broken).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
    qputenv("FATHOM_ENGINE", broken.toLocal8Bit());
    Progress progress;
    const auto ended = waitForRun(m_fixture->path(), entry, progress, [](const std::string&) {}, {});
    QVERIFY(!ended.ok());
    QVERIFY2(ended.error().message.find("ends at once") != std::string::npos, ended.error().text().c_str());
    QVERIFY2(ended.error().message.find("engine") != std::string::npos, ended.error().text().c_str());
    // The run is there still, and with a sound engine it is done.
    qputenv("FATHOM_ENGINE", engine);
    QVERIFY(ensureRunner(m_fixture->path()).ok());
    const auto done = waitForRun(m_fixture->path(), entry, progress, [](const std::string&) {}, {});
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text().c_str());
    QCOMPARE(done->outcome.state, RunState::Finished);
  }

  void runThatWaitsToGoOnSaysSo() {
    QueueEntry entry = m_fixture->enqueue("diverge");
    work();
    QueueSettings paused;
    paused.paused = true;
    QVERIFY(m_fixture->queue().setSettings(paused).ok());
    entry.resume = true;
    QVERIFY(m_fixture->queue().add(entry).ok());
    const QStringList words{"runs", "--project", QString::fromStdString(m_fixture->path())};
    const ShellResult text = m_fixture->fathom(words);
    QVERIFY2(text.out.contains("queued again, diverged"), qPrintable(text.out + text.err));
    const ShellResult json = m_fixture->fathom(words + QStringList{"--json"});
    QCOMPARE(json.json().at("runs").at(0).at("queued_again").get<bool>(), true);
  }

  void queueGoesOnWhenItsStarterIsKilled() {
    const QueueEntry first = m_fixture->enqueue("finish", 100, 5);
    const QueueEntry second = m_fixture->enqueue("finish");
    QVERIFY(ensureRunner(m_fixture->path()).ok());  // detached: nobody's child
    QCOMPARE(m_fixture->waitForEnd(second.runPath), RunState::Finished);
    QCOMPARE(outcome(first).state, RunState::Finished);
    QVERIFY(waitFor([&] { return m_fixture->queue().runnerPid() == 0; }));
  }
};

QTEST_GUILESS_MAIN(RunnerTest)
#include "tst_runner.moc"
