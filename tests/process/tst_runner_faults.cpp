// SPDX-License-Identifier: Apache-2.0
// What a runner does where engines hang, talk without end, or lose the folder that they work in.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QProcess>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/runner/machine_settings.h"
#include "app/runner/runner.h"
#include "app/runner/sleep_guard.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class RunnerFaultsTest : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<ProjectFixture> m_fixture;
  const QByteArray m_path = qgetenv("PATH");

  RunnerOptions options() const {
    RunnerOptions result = runnerOptions(m_fixture->path()).value();
    result.pollSeconds = result.restartSeconds = 0.01;
    return result;
  }
  void work() const { workWith(options()); }
  static void workWith(RunnerOptions options) {
    Runner runner(std::move(options));
    QVERIFY(runner.run(StopToken()).value().has_value());
  }
  static RunOutcome outcome(const QueueEntry& entry) {
    const RunFolder folder(entry.runPath);
    return folder.outcome(folder.lastAttempt()).value();
  }
  static int attempts(const QueueEntry& entry) { return RunFolder(entry.runPath).lastAttempt(); }

  // An inhibitor that writes down its words and its process, and then does what the real one does.
  QString fakeInhibitor() const {
    const QString folder = QString::fromStdString(m_fixture->path()), said = folder + "/inhibitor.txt";
    std::ofstream script((folder + "/systemd-inhibit").toStdString());
    script << "#!/bin/sh\necho \"$$ $*\" > " << said.toStdString()
           << "\nwhile [ \"${1#--}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n";
    script.close();
    std::filesystem::permissions((folder + "/systemd-inhibit").toStdString(),
                                 std::filesystem::perms::owner_all);
    qputenv("PATH", folder.toUtf8() + ":" + m_path);
    return said;
  }
  static QByteArray saidIn(const QString& file) {
    QFile read(file);
    return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
  }

 private Q_SLOTS:
  void init() {
    m_fixture = std::make_unique<ProjectFixture>();
    qputenv("PATH", m_path);
    setMachineSettings({});
  }

  void timeLimitHasItsOwnWord() {
    const QueueEntry entry = m_fixture->enqueue("time_limit");
    work();
    QCOMPARE(outcome(entry).state, RunState::Killed);
    QCOMPARE(outcome(entry).cause, std::string("time_limit"));
    QCOMPARE(outcome(entry).exitCode, 128 + SIGXCPU);
    QCOMPARE(attempts(entry), 1);
  }

  void theMachineStaysAwakeWhileARunTrains() {
    const QString said = fakeInhibitor();
    m_fixture->enqueue("finish", 200, 10);  // longer than the inhibitor needs to say that it is there
    work();
    const QByteArray words = saidIn(said);
    QVERIFY2(words.contains("--what=sleep:idle"), words.constData());
    const pid_t inhibitor = words.left(words.indexOf(' ')).toInt();
    QVERIFY(inhibitor > 0 && ::kill(inhibitor, 0) != 0);
  }

  void sleepIsLeftToTheSystemWhereThatIsWanted() {
    const QString said = fakeInhibitor();
    MachineSettings settings = machineSettings();
    settings.keepAwake = false;
    setMachineSettings(settings);
    m_fixture->enqueue("finish");
    work();
    QVERIFY(saidIn(said).isEmpty());
  }

  void theInhibitorEndsWithARunnerThatIsKilled() {
    const QString said = fakeInhibitor();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // where the first process of a container reaps nobody
    const pid_t runner = ::fork();
    if (runner == 0) {
      ::alarm(30);  // a test that fails leaves nobody behind
      SleepGuard guard;
      guard.watch(true);
      for (;;) ::pause();
    }
    QVERIFY(waitFor([&] { return saidIn(said).contains('\n'); }));
    const QByteArray words = saidIn(said);
    const pid_t inhibitor = words.left(words.indexOf(' ')).toInt();
    QVERIFY(inhibitor > 0 && ::kill(inhibitor, 0) == 0);
    ::kill(runner, SIGKILL);
    ::waitpid(runner, nullptr, 0);
    QVERIFY(waitFor([&] {
      ::waitpid(inhibitor, nullptr, WNOHANG);
      return ::kill(inhibitor, 0) != 0;
    }));
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  }

  // Its outcome is written; what hangs is the process.
  void finishedEngineThatHangsIsEnded() {
    const QueueEntry entry = m_fixture->enqueue("linger", 4, 1);
    RunnerOptions impatient = options();
    impatient.lingerSeconds = 0.3;
    workWith(std::move(impatient));
    QCOMPARE(outcome(entry).state, RunState::Finished);
    QCOMPARE(attempts(entry), 1);
    QVERIFY(m_fixture->queue().entries()->empty());
  }

  // 40 MB of messages: the run goes on, and their end is kept.
  void messagesAreCapped() {
    const QueueEntry entry = m_fixture->enqueue("chatter", 60, 5);
    work();
    QCOMPARE(outcome(entry).state, RunState::Finished);
    const std::string log = RunFolder(entry.runPath).attemptPath(1) + "/stderr.log";
    QVERIFY2(std::filesystem::file_size(log) < (std::size_t{20} << 20),
             std::to_string(std::filesystem::file_size(log)).c_str());
    std::ifstream file(log);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    QVERIFY(text.ends_with("the last words\n"));
  }

  // The folder is deleted while its run goes on: nothing is made again, and the next run has its turn.
  void deletedRunDoesNotBlockTheQueue() {
    const QueueEntry entry = m_fixture->enqueue("stall", 8, 5);
    const QueueEntry next = m_fixture->enqueue("finish");
    std::thread remover([&] {
      QVERIFY(waitFor(
          [&] { return runLockHolder(entry.runPath) && RunFolder(entry.runPath).lastAttempt() == 1; }));
      QTest::qSleep(100);  // where it stands still
      const auto holder = runLockHolder(entry.runPath);
      std::filesystem::remove_all(entry.runPath);
      kill(static_cast<pid_t>(holder->pid), SIGKILL);
    });
    work();
    remover.join();
    QVERIFY(!std::filesystem::exists(entry.runPath));
    QCOMPARE(outcome(next).state, RunState::Finished);
    QVERIFY(m_fixture->queue().entries()->empty());
  }

  void deletedProjectEndsItsRunner() {
    const QueueEntry entry = m_fixture->enqueue("finish", 400, 10);
    std::int64_t engine = 0;
    std::thread remover([&] {
      QVERIFY(waitFor([&] { return runLockHolder(entry.runPath).has_value(); }));
      engine = runLockHolder(entry.runPath)->pid;
      std::filesystem::rename(m_fixture->path(), m_fixture->path() + ".moved");
    });
    Runner runner(options());
    const auto ended = runner.run(StopToken());
    remover.join();
    kill(static_cast<pid_t>(engine), SIGKILL);
    QVERIFY(!ended.ok());
    QVERIFY2(ended.error().text().find("not where it was") != std::string::npos,
             ended.error().text().c_str());
    QVERIFY(!std::filesystem::exists(m_fixture->path()));
  }

  // A copy goes on with the same run: what is said to one does not reach the other.
  void copyHearsNothingOfTheOriginal() {
    const QueueEntry entry = m_fixture->enqueue("finish", 600, 10);
    const std::string copy = m_fixture->file("copy.fathom").toStdString();
    QProcess first;
    first.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                {"run-queue", "--project", QString::fromStdString(m_fixture->path())});
    QVERIFY(waitFor([&] { return runLockHolder(entry.runPath).has_value(); }));
    std::filesystem::copy(m_fixture->path(), copy, std::filesystem::copy_options::recursive);
    const std::string copied = copy + "/runs/" + entry.uuid;
    std::thread second([&] {
      RunnerOptions others = options();
      others.project = copy;
      Runner runner(std::move(others));
      (void)runner.run(StopToken());
    });
    QVERIFY(waitFor([&] { return runLockHolder(copied).has_value(); }));
    QVERIFY(sendControl(entry.runPath, "stop").ok());
    QVERIFY(first.waitForFinished());
    QCOMPARE(RunFolder(entry.runPath).state(), RunState::Stopped);
    QCOMPARE(RunFolder(copied).state(), RunState::Running);
    QVERIFY(sendControl(copied, "stop").ok());
    second.join();
    QCOMPARE(RunFolder(copied).state(), RunState::Stopped);
  }
};

QTEST_GUILESS_MAIN(RunnerFaultsTest)
#include "tst_runner_faults.moc"
