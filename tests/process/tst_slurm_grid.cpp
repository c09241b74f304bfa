// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
// How long a large grid takes to a real Slurm, which is looked at by the clock; skipped where there is none.
#include <QElapsedTimer>
#include <QTest>
#include <set>

#include "tests/process/support_slurm.h"

using namespace fathom;
using test::waitForCommand;

class SlurmGridTest : public QObject, private test::SlurmFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup() { leaveProject(); }
  void cleanupTestCase() { stop(); }
  void aLargeGridIsSubmittedAtOnce();
};

void SlurmGridTest::initTestCase() {
  const QString why = start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no Slurm: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
}

void SlurmGridTest::aLargeGridIsSubmittedAtOnce() {
  addPlace({"later", "--head", "#SBATCH --begin=now+1hour"});
  QStringList seeds;
  for (int i = 1; i <= 96; ++i) seeds << QString::number(i);
  QElapsedTimer timer;
  timer.start();
  const ShellResult grid = ask({"grid", "--place", "later", "--over", "seed=" + seeds.join(',')});
  QVERIFY2(grid.exitCode == 0, qPrintable(grid.err));
  const double queued = static_cast<double>(timer.elapsed()) / 1000;
  QVERIFY(waitForCommand([&] { return jobs().size() == 96; }));
  const double submitted = static_cast<double>(timer.elapsed()) / 1000;
  qInfo("a grid of 96 is queued after %.2f s and at Slurm after %.2f s", queued, submitted);
  QVERIFY2(submitted - queued <= 3, qPrintable(QString::number(submitted)));
  std::set<QString> arrays;
  for (const QString& job : jobs()) arrays.insert(job.section('_', 0, 0));
  QCOMPARE(arrays.size(), std::size_t{1});
  // MaxArraySize is 101 here: the halves of more than that are taken.
  seeds << "97"
        << "98"
        << "99"
        << "100"
        << "101"
        << "102";
  QCOMPARE(
      ask({"grid", "--place", "later", "--name", "larger", "--over", "seed=" + seeds.join(',')}).exitCode, 0);
  QVERIFY(waitForCommand([&] { return jobs().size() == 96 + 102; }));
  for (const QString& job : jobs()) arrays.insert(job.section('_', 0, 0));
  QCOMPARE(arrays.size(), std::size_t{3});
}

QTEST_GUILESS_MAIN(SlurmGridTest)
#include "tst_slurm_grid.moc"
