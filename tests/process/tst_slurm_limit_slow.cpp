// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The time limit of a job itself, which Slurm looks at every half minute: a run at it is saved, put back by
// the site and goes on.
#include <QTest>

#include "tests/process/support_slurm.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class SlurmLimitTest : public QObject, private test::SlurmFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    const QString why = start();
    if (why.contains(QLatin1String("is not here")))
      QSKIP(qPrintable("SKIPPED-ALL no Slurm: " + why.trimmed()));
    QVERIFY2(why.isEmpty(), qPrintable(why));
    newProject();
  }
  void cleanupTestCase() {
    leaveProject();
    stop();
  }

  void aLimitOfAMinute() {
    addPlace({"here", "--set", "time=1", "--limit", "signal_seconds=50"});
    const std::string run = train(test::kSlowRun + QStringList{"--place", "here"});
    QVERIFY(waitFor([&] { return folder(run).lastAttempt() == 2; }, 100));
    QCOMPARE(folder(run).outcome(1)->askedBy, std::string("SIGTERM"));
    QVERIFY(waitFor([&] { return hasStep(run, 2); }));
    QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
    QVERIFY(emptied());
    QCOMPARE(folder(run).lastAttempt(), 2);
  }
};

QTEST_GUILESS_MAIN(SlurmLimitTest)
#include "tst_slurm_limit_slow.moc"
