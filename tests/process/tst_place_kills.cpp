// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// A runner that is killed at any moment, again and again, while twenty jobs of three places are submitted,
// wait and work: this machine, a Slurm of this machine, a host over ssh. The next runner finds each, and
// starts none twice.
#include <signal.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <map>
#include <random>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_reader.h"
#include "tests/all_tests.h"
#include "tests/process/support_slurm.h"
#include "tests/process/support_ssh.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;
using test::waitForCommand;

class PlaceKillsTest : public QObject, private test::SshFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup();
  void cleanupTestCase();
  void nextOneFindsEachAndStartsNoneTwice();

 private:
  static void end(QProcess& runner) {
    ::kill(static_cast<pid_t>(runner.processId()), SIGKILL);
    QVERIFY(runner.waitForFinished());
  }
  test::SlurmFixture m_slurm;
};

void PlaceKillsTest::initTestCase() {
  for (const QString& why : {m_slurm.start(), start()}) {
    if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL " + why.trimmed()));
    QVERIFY2(why.isEmpty(), qPrintable(why));
  }
}

void PlaceKillsTest::cleanup() {
  if (qEnvironmentVariableIsSet("SLURM_CONF"))
    m_slurm.slurm(QStringLiteral("scancel"), {"-u", QString::number(getuid())});
  leaveProject();
}

void PlaceKillsTest::cleanupTestCase() {
  stop();
  m_slurm.stop();
}

void PlaceKillsTest::nextOneFindsEachAndStartsNoneTwice() {
  const unsigned seed =
      qEnvironmentVariableIsSet("SEED") ? qEnvironmentVariable("SEED").toUInt() : std::random_device{}();
  const int kills = qEnvironmentVariableIsSet("N") ? qEnvironmentVariable("N").toInt()
                    : test::allTests()             ? 30
                                                   : 8;
  const std::int64_t steps = 60 * kills;  // of 50 ms, until the last kill
  qInfo("SEED=%u N=%d", seed, kills);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> pause(0, 1200);  // milliseconds
  addPlace({"--limit", "running=6"});
  QCOMPARE(ask({"add-place", "cluster", "--launcher", "slurm", "--limit", "running=4"}).exitCode, 0);
  const QueueFolder queue = project().queue();
  QVERIFY(queue.setSettings({.paused = true, .concurrentCpuRuns = 6}).ok());
  std::map<std::string, QString> runs;  // by UUID: the place
  for (const auto& [place, seeds] : {std::pair("local", "1,2,3,4,5,6"), std::pair("there", "1,2,3,4,5,6"),
                                     std::pair("cluster", "1,2,3,4,5,6,7,8")}) {
    const ShellResult queued =
        ask({"grid", "--json", "--place", place, "--name", place, "--over", QStringLiteral("seed=") + seeds,
             "--set", QStringLiteral("fake.steps=%1").arg(steps), "--set", "fake.milliseconds=50"});
    QVERIFY2(queued.exitCode == 0, qPrintable(queued.err));
    const Json grid = queued.json();
    for (const Json& run : grid["runs"]) runs[run.get<std::string>()] = QString::fromLatin1(place);
  }
  QCOMPARE(runs.size(), std::size_t{20});
  QVERIFY(queue.setSettings({.concurrentCpuRuns = 6}).ok());
  QElapsedTimer timer;
  timer.start();
  int lived = 0;
  for (int i = 0; i < kills; ++i) {
    QProcess runner;
    runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"run-queue", "--project", QString::fromStdString(project().path())});
    QVERIFY(runner.waitForStarted());
    // Three of four have the queue, however long they take to it; of one any moment of its start may be met.
    if (i % 4 != 0) QVERIFY(waitFor([&] { return queue.runnerPid() == runner.processId(); }));
    QElapsedTimer since;
    since.start();
    const int moment = pause(random);
    waitFor([&] { return since.elapsed() >= moment; });
    lived += queue.runnerPid() > 0 ? 1 : 0;
    end(runner);
  }
  QVERIFY2(lived * 2 > kills, "most of them had the queue when they were killed");
  QVERIFY2(!queue.entries()->empty(), "the last one has something to find");
  project().hurry();
  const ShellResult rest = ask({"run-queue"});
  QVERIFY2(rest.exitCode == 0 && queue.entries()->empty(),
           qPrintable(QString::number(rest.exitCode) + '\n' + rest.err.right(900)));
  qInfo("%d of %d runners were at work; 20 runs in %.0f s", lived, kills,
        static_cast<double>(timer.elapsed()) / 1000);
  for (const auto& [run, place] : runs) {
    const QString what = place + " " + QString::fromStdString(run);
    QVERIFY2(folder(run).lastAttempt() == 1, qPrintable(what));
    QVERIFY2(folder(run).outcome(1)->state == RunState::Finished, qPrintable(what));
    // One engine wrote every update once.
    EventReader reader(folder(run).eventsPath(1));
    std::int64_t written = 0;
    for (auto events = reader.poll().value(); !events.empty(); events = reader.poll().value())
      for (const Event& event : events) {
        if (event.kind != "step") continue;
        QVERIFY2(event.step == ++written, qPrintable(what));
      }
    QCOMPARE(written, steps);
  }
  QVERIFY(waitForCommand([&] { return m_slurm.jobs().isEmpty(); }));
}

QTEST_GUILESS_MAIN(PlaceKillsTest)
#include "tst_place_kills.moc"
