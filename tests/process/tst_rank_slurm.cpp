// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
#include <signal.h>

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTest>

#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "tests/process/support_rank_runs.h"
#include "tests/process/support_slurm.h"
#include "tests/unit/support_waiting.h"

// Ranks as the tasks of a step of a real Slurm, on two nodes: the bits of one process, a kill, SIGTERM saves.
// Skipped with its reason where there is no Slurm.
namespace fathom::test {

class RankSlurm : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase() { m_slurm.stop(); }
  void bitsAreThoseOfOneProcess();
  void aKilledRankEndsTheStep();
  void aStopIsSaved();
  void sumsAreMeasuredThere();

 private:
  // srun with two ranks of the engine, on a node each. Both nodes are this machine, by whose loopback they
  // meet: their names are nobody's.
  std::unique_ptr<QProcess> start(const QStringList& train) const;
  // Process of the rank that trains the run.
  qint64 process(const QString& run, int rank) const;
  SlurmFixture m_slurm;
  RankRuns m_runs;
};

void RankSlurm::initTestCase() {
  const QString why = m_slurm.start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no Slurm: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
  auto alone = m_runs.start(m_runs.train("alone", {}));
  QCOMPARE(endedWith(*alone), 0);
}

std::unique_ptr<QProcess> RankSlurm::start(const QStringList& train) const {
  const QString port = std::make_unique<TakenPort>()->number();
  return m_runs.startBy(
      "srun",
      QStringList{"--ntasks=2", "--nodes=2", "--mpi=none", "--kill-on-bad-exit=1", RankRuns::engine()} +
          train,
      {"MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + port});
}

qint64 RankSlurm::process(const QString& run, int rank) const {
  const QByteArray path = QByteArray::fromStdString(m_runs.path(run));
  const QByteArray number = "SLURM_PROCID=" + QByteArray::number(rank);
  for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
    QFile words("/proc/" + entry + "/cmdline"), environment("/proc/" + entry + "/environ");
    if (entry.toLongLong() == 0 || !words.open(QIODevice::ReadOnly) || !environment.open(QIODevice::ReadOnly))
      continue;
    const QByteArrayList line = words.readAll().split('\0');
    if (line.value(0).endsWith("fathom-engine") && line.contains(path) &&
        environment.readAll().split('\0').contains(number))
      return entry.toLongLong();
  }
  return 0;
}

void RankSlurm::bitsAreThoseOfOneProcess() {
  auto both = start(m_runs.train("both", {}));
  QString said;
  QVERIFY2(endedWith(*both, &said) == 0, qPrintable(said));
  QCOMPARE(m_runs.differences("both", "alone"), QString());
  QVERIFY(!m_runs.weightsOf("both").empty() && m_runs.weightsOf("both") == m_runs.weightsOf("alone"));
  QCOMPARE(m_runs.validationsOf("both"), m_runs.validationsOf("alone"));
}

void RankSlurm::aKilledRankEndsTheStep() {
  auto both = start(m_runs.train("killed", {}, true));
  QVERIFY(m_runs.waitForStep("killed", 15));
  const qint64 victim = process("killed", 1);
  QVERIFY(victim > 0 && ::kill(static_cast<pid_t>(victim), SIGKILL) == 0);
  QString said;
  const int code = endedWith(*both, &said);
  QVERIFY2(code != 0, qPrintable(said));
  QVERIFY(waitFor([&] { return process("killed", 0) == 0; }));
  auto again = start(m_runs.train("killed", {}, true));
  QVERIFY2(endedWith(*again, &said) == 0, qPrintable(said));
  QCOMPARE(m_runs.differences("killed", "alone"), QString());
  QVERIFY(m_runs.weightsOf("killed") == m_runs.weightsOf("alone"));
}

void RankSlurm::aStopIsSaved() {
  auto both = start(m_runs.train("stopped", {"training.length=100000u"}));
  QVERIFY(m_runs.waitForStep("stopped", 3));
  const QString job = m_slurm.slurm("squeue", {"-h", "-t", "RUNNING", "-o", "%A"}).simplified();
  QVERIFY2(job.toLongLong() > 0, qPrintable(job));
  m_slurm.slurm("scancel", {"--signal=TERM", job});
  QString said;
  QVERIFY2(endedWith(*both, &said) == 10, qPrintable(said));
  const auto outcome = RunFolder(m_runs.path("stopped")).outcome(1);
  QVERIFY2(outcome && outcome->state == RunState::Stopped && outcome->exitCode == 10, qPrintable(said));
  const auto checkpoints = listCheckpoints(m_runs.path("stopped"));
  QVERIFY(!checkpoints.empty() && checkpoints.back().step == outcome->step);
}

// By a job of its own, kept with the place.
void RankSlurm::sumsAreMeasuredThere() {
  m_slurm.newProject();
  const auto project = qScopeGuard([this] { m_slurm.leaveProject(); });
  m_slurm.addPlace({"cluster", "--launcher", "slurm", "--set", "partition=main"});
  const QStringList engine = {"FATHOM_ENGINE=" + RankRuns::engine()};
  const ShellResult measured = m_slurm.ask({"check-place", "cluster", "--all-reduce", "--json"}, engine);
  QVERIFY2(measured.exitCode == 0 && measured.json()["troubles"].empty(),
           qPrintable(measured.out + measured.err));
  QVERIFY(measured.json()["facts"]["all_reduce"]["bandwidth"].get<double>() > 1e7);
  const Json again = m_slurm.ask({"check-place", "cluster", "--json"}, engine).json();
  QCOMPARE(again["facts"]["all_reduce"], measured.json()["facts"]["all_reduce"]);
}

}  // namespace fathom::test

using fathom::test::RankSlurm;
QTEST_GUILESS_MAIN(RankSlurm)
#include "tst_rank_slurm.moc"
