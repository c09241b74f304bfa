// SPDX-License-Identifier: Apache-2.0
// ctest: engine waits
// What a Slurm does by the minute: the time limit of a job itself, which it looks at every half minute, a
// controller that is away for a minute, and how often a minute it is asked.
#include <signal.h>

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "tests/process/support_slurm.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::kSlowRun;
using test::waitFor;

class SlurmLimitTest : public QObject, private test::SlurmFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const QString why = start();
    if (why.contains(QLatin1String("is not here")))
      QSKIP(qPrintable("SKIPPED-ALL no Slurm: " + why.trimmed()));
    QVERIFY2(why.isEmpty(), qPrintable(why));
  }
  void init() { newProject(); }
  void cleanup() {
    qputenv("FATHOM_PLACE_SECONDS", "0.3");
    leaveProject();
  }
  void cleanupTestCase() { stop(); }

  // Saved, put back by the site and gone on with twice at least: the weights are those of the uncut run. A
  // life takes up to 40 s: as many updates are trained as this machine needs for more than two of them.
  void aLimitOfAMinute() {
    addPlace({"here", "--set", "time=1", "--limit", "signal_seconds=50"});
    constexpr double kTwoLives = 85;  // seconds
    QElapsedTimer timer;
    timer.start();
    const std::string probe = train(realRun(2000) + QStringList{"--name", "probe"});
    QVERIFY(!probe.empty() && emptied(120));
    const double perUpdate = static_cast<double>(timer.elapsed()) / 1000 / 2000;
    int updates = std::max(2000, static_cast<int>(kTwoLives / perUpdate) / 500 * 500), lives = 0;
    QStringList options;
    std::string cut;
    // A machine that was busy meanwhile is faster now: twice as many then.
    for (int tries = 0; lives < 3 && tries < 4; ++tries) {
      if (tries > 0) updates *= 2;
      options = realRun(updates);
      cut = train(options + QStringList{"--name", QStringLiteral("cut %1").arg(tries), "--place", "here"});
      QVERIFY(emptied(900));
      lives = folder(cut).lastAttempt();
    }
    qInfo("%d updates in %d lives", updates, lives);
    QVERIFY2(lives >= 3, qPrintable(QString::number(lives)));
    for (int life = 1; life < lives; ++life) {
      QCOMPARE(folder(cut).outcome(life)->state, RunState::Stopped);
      QCOMPARE(folder(cut).outcome(life)->askedBy, std::string("SIGTERM"));
    }
    QCOMPARE(folder(cut).outcome(lives)->state, RunState::Finished);
    const std::string uncut = train(options + QStringList{"--name", "uncut"});
    QVERIFY(emptied(900));
    QVERIFY(!weightsAt(cut, updates).empty() && weightsAt(cut, updates) == weightsAt(uncut, updates));
  }

  // tst_slurm ends it for as long as the runner needs to hear of it.
  void theControllerIsAwayForAMinute() {
    addPlace({"here"});
    addPlace({"later", "--head", "#SBATCH --begin=now+90"});
    const std::string runs = train({"--place", "here", "--name", "runs", "--set", "fake.steps=1900", "--set",
                                    "fake.milliseconds=50"}),
                      ends = train({"--place", "here", "--name", "ends", "--set", "fake.steps=500", "--set",
                                    "fake.milliseconds=50"}),
                      waits = train({"--place", "later", "--name", "waits"});
    QVERIFY(waitFor([&] { return hasStep(runs, 1, 200) && hasStep(ends, 1, 200); }));
    QVERIFY(saysOf(waits, "waiting"));
    ::kill(static_cast<pid_t>(std::stoi(readFile(path("slurmctld.pid").toStdString()).value())), SIGKILL);
    QElapsedTimer timer;
    timer.start();
    for (const std::string& run : {runs, waits})
      QVERIFY(waitFor([&] { return !memberText(place(run), "silent_from").empty(); }, 60));
    const std::string stopped = train({"--place", "later", "--name", "sent meanwhile"});
    // Its end is its own to tell.
    QVERIFY(waitFor([&] { return folder(ends).outcome(1).has_value(); }, 60));
    QVERIFY(waitFor([&] { return timer.elapsed() > 60'000; }, 70));
    QCOMPARE(memberText(place(runs), "state"), std::string("running"));
    QCOMPARE(memberText(place(waits), "state"), std::string("waiting"));
    QCOMPARE(here("control"), QString());
    QVERIFY(emptied(300));
    for (const std::string& run : {runs, ends, waits, stopped}) {
      QCOMPARE(folder(run).lastAttempt(), 1);
      QCOMPARE(folder(run).outcome(1)->state, RunState::Finished);
    }
  }

  // With the pace that places have: sbatch for the grid, and no more than four questions in its first minute,
  // however many jobs there are.
  void aMinuteHasFourQuestions() {
    qunsetenv("FATHOM_PLACE_SECONDS");
    makeCommand("squeue", "echo x >>\"$bin/asked\"\nsqueue \"$@\"\n");
    addPlace({"here"});
    QStringList seeds;
    for (int i = 1; i <= 96; ++i) seeds << QString::number(i);
    const ShellResult grid = ask({"grid", "--place", "here", "--over", "seed=" + seeds.join(','), "--set",
                                  "fake.steps=40", "--set", "fake.milliseconds=50"});
    QVERIFY2(grid.exitCode == 0, qPrintable(grid.err));
    const std::string asked = project().file("bin").toStdString() + "/asked";
    QElapsedTimer timer;
    timer.start();
    QVERIFY(waitFor([&] { return timer.elapsed() > 59'000; }, 70));
    const auto questions = readFile(asked).value().size() / 2;
    qInfo("%zu questions in a minute for 96 jobs", questions);
    QVERIFY(questions >= 1 && questions <= 4);
  }
};

QTEST_GUILESS_MAIN(SlurmLimitTest)
#include "tst_slurm_limit_slow.moc"
