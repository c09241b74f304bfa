// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
#include <signal.h>

#include <QFile>
#include <QTest>

#include "core/base/files/path_facts.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "tests/process/support_rank_runs.h"

// Ranks under a real torchrun: the bits of one process, restarts after a kill, SIGTERM saves. Skipped without
// the peers' Python packages (packaging/bench-peers.sh).
namespace fathom::test {

class RankTorchrun : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void bitsAreThoseOfOneProcess();
  void aKilledRankIsRestarted();
  void aStopIsSaved();

 private:
  // torchrun with two ranks of the engine.
  std::unique_ptr<QProcess> start(const QStringList& train, int restarts = 0) const;
  QStringList m_environment;
  RankRuns m_runs;
};

void RankTorchrun::initTestCase() {
  const QString packages = QString::fromStdString(besideSources("build/bench-peers/python"));
  const QString torch = QString::fromStdString(besideSources("build/deps/libtorch"));
  m_environment = {"PYTHONPATH=" + packages + ":" + torch};
  auto python = m_runs.startBy("python3", {"-c", "import torch.distributed.run"}, m_environment);
  if (packages.isEmpty() || endedWith(*python, nullptr, 120) != 0)
    QSKIP("SKIPPED-ALL Python's torch is not here: packaging/bench-peers.sh");
  auto alone = m_runs.start(m_runs.train("alone", {}));
  QCOMPARE(endedWith(*alone), 0);
}

std::unique_ptr<QProcess> RankTorchrun::start(const QStringList& train, int restarts) const {
  return m_runs.startBy(
      "python3",
      QStringList{"-m", "torch.distributed.run", "--no-python", "--standalone", "--nproc-per-node", "2",
                  "--max-restarts", QString::number(restarts), "--", RankRuns::engine()} +
          train,
      m_environment);
}

void RankTorchrun::bitsAreThoseOfOneProcess() {
  auto both = start(m_runs.train("both", {}));
  QString said;
  QVERIFY2(endedWith(*both, &said, 120) == 0, qPrintable(said));
  QCOMPARE(m_runs.differences("both", "alone"), QString());
  QVERIFY(!m_runs.weightsOf("both").empty() && m_runs.weightsOf("both") == m_runs.weightsOf("alone"));
  QCOMPARE(m_runs.validationsOf("both"), m_runs.validationsOf("alone"));
}

// torchrun gives the same line again, in which the run goes on.
void RankTorchrun::aKilledRankIsRestarted() {
  auto both = start(m_runs.train("restarted", {}, true), 1);
  QVERIFY(m_runs.waitForStep("restarted", 15, 120));
  qint64 victim = 0;
  for (const qint64 child : childrenOf(both->processId())) {
    QFile environment(QStringLiteral("/proc/%1/environ").arg(child));
    if (environment.open(QIODevice::ReadOnly) && environment.readAll().split('\0').contains("RANK=1"))
      victim = child;
  }
  QVERIFY(victim > 0 && ::kill(static_cast<pid_t>(victim), SIGKILL) == 0);
  QString said;
  QVERIFY2(endedWith(*both, &said, 120) == 0, qPrintable(said));
  const RunFolder folder(m_runs.path("restarted"));
  QCOMPARE(folder.lastAttempt(), 2);
  const auto lost = folder.outcome(1);
  QVERIFY2(lost && lost->cause == "rank_lost", qPrintable(said));
  QCOMPARE(m_runs.differences("restarted", "alone"), QString());
  QVERIFY(m_runs.weightsOf("restarted") == m_runs.weightsOf("alone"));
}

void RankTorchrun::aStopIsSaved() {
  auto both = start(m_runs.train("stopped", {"training.length=100000u"}));
  QVERIFY(m_runs.waitForStep("stopped", 3, 120));
  both->terminate();
  QString said;
  QVERIFY2(endedWith(*both, &said, 120) >= 0,
           qPrintable(said));  // torchrun's own code, whatever the ranks say
  const auto outcome = RunFolder(m_runs.path("stopped")).outcome(1);
  QVERIFY2(outcome && outcome->state == RunState::Stopped, qPrintable(said));
  const auto checkpoints = listCheckpoints(m_runs.path("stopped"));
  QVERIFY(!checkpoints.empty() && checkpoints.back().step == outcome->step);
}

}  // namespace fathom::test

using fathom::test::RankTorchrun;
QTEST_GUILESS_MAIN(RankTorchrun)
#include "tst_rank_torchrun.moc"
