// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
#include <signal.h>

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include "core/base/numbers/random_stream.h"
#include "core/record/events/run_ranks.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "tests/all_tests.h"
#include "tests/process/support_rank_runs.h"
#include "tests/unit/support_waiting.h"

// Ranks as users have them: processes of fathom-engine. They give the bits of one process, one that is killed
// or hangs ends the attempt, the run goes on from its checkpoint with the bits of the uncut one.
// Ranks are killed at 3 random moments, 30 with FATHOM_ALL_TESTS, N where the environment says so; SEED.
namespace fathom::test {

namespace {

// A validation that takes the ranks minutes, right after the first update.
const QStringList kLongValidation = {"parallel.ranks=2",
                                     "training.length=100000u",
                                     "validation.interval=1u",
                                     "validation.score_interval=1u",
                                     "data.validation_size=250",
                                     "validation.beam=8",
                                     "validation.max_length_b=2000"};

int killsWished() {
  const int said = qEnvironmentVariableIntValue("N");
  if (said > 0) return said;
  return allTests() ? 30 : 3;
}

}  // namespace

class RankProcessesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void processesAreOneRun();
  void aRingIsOneRunToTheLastDigits();
  void aKilledRankEndsTheAttempt();
  void aRankKilledAtAnyMomentChangesNothing();
  void aHangingRankEndsTheAttempt();
  void aHangingRankEndsAValidation();
  void aKilledRankEndsAValidation();
  void ranksEndWithTheFirst();
  void aStarterOfItsOwn();
  void aWishCutsAValidation();
  void badPlacesAreRefused();

 private:
  std::string path(const QString& name) const { return m_runs.path(name); }
  qint64 otherRankOf(const QProcess& run) const { return childrenOf(run.processId()).value(0); }
  RankRuns m_runs;
};

void RankProcessesTest::initTestCase() {
  QString said;
  auto alone = m_runs.start(m_runs.train("alone", {}));
  QVERIFY2(endedWith(*alone, &said) == 0, qPrintable(said));
  auto two = m_runs.start(m_runs.train("two", {"parallel.ranks=2"}));
  const int code = endedWith(*two, &said);
  QVERIFY2(code == 0, qPrintable(said));
}

void RankProcessesTest::processesAreOneRun() {
  QString said;
  QCOMPARE(m_runs.stepsOf("two").size(), std::size_t{40});
  QCOMPARE(m_runs.differences("two", "alone"), QString());
  QVERIFY(!m_runs.weightsOf("two").empty() && m_runs.weightsOf("two") == m_runs.weightsOf("alone"));
  QVERIFY(m_runs.validationsOf("two").size() == 2 &&
          m_runs.validationsOf("two") == m_runs.validationsOf("alone"));
  QCOMPARE(ranksOfRun(RunFolder(path("two"))), std::int64_t{2});
  QCOMPARE(ranksOfRun(RunFolder(path("alone"))), std::int64_t{1});
  const QString log = QString::fromStdString(path("two/attempts/0001/stderr.1.log"));
  QVERIFY(QFile::exists(log) && QFile(log).size() == 0);
  auto four = m_runs.start(m_runs.train(
      "four", {"parallel.ranks=4", "parallel.sum=ordered", "training.accumulation=4", "training.length=8u"}));
  QVERIFY2(endedWith(*four, &said) == 0, qPrintable(said));
  auto one = m_runs.start(m_runs.train("one", {"training.accumulation=4", "training.length=8u"}));
  QCOMPARE(endedWith(*one), 0);
  QVERIFY(m_runs.weightsOf("four") == m_runs.weightsOf("one"));
  QVERIFY(!m_runs.validationsOf("four").empty() &&
          m_runs.validationsOf("four") == m_runs.validationsOf("one"));
}

void RankProcessesTest::aRingIsOneRunToTheLastDigits() {
  QString said;
  const QStringList four = {"training.accumulation=4", "validation.interval=never"};
  const auto both = [&](const QString& tag, const QStringList& more) {
    auto one = m_runs.start(m_runs.train("one-" + tag, four + more));
    QVERIFY2(endedWith(*one, &said) == 0, qPrintable(said));
    auto ring = m_runs.start(m_runs.train("ring-" + tag, four + more + QStringList{"parallel.ranks=4"}));
    QVERIFY2(endedWith(*ring, &said) == 0, qPrintable(said));
  };
  both("wide", {"training.length=20u"});
  const double wide = m_runs.gap("one-wide", "ring-wide");
  QVERIFY2(wide < 1e-12, qPrintable(QString::number(wide)));
  both("single", {"precision=float32", "training.length=50u"});
  const double single = m_runs.gap("one-single", "ring-single");
  QVERIFY2(single < 1e-5, qPrintable(QString::number(single)));
}

void RankProcessesTest::aKilledRankEndsTheAttempt() {
  auto run = m_runs.start(m_runs.train("killed", {"parallel.ranks=2"}));
  QVERIFY(m_runs.waitForStep("killed", 15));
  const qint64 rank = otherRankOf(*run);
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGKILL) == 0);
  QElapsedTimer clock;
  clock.start();
  QString said;
  QCOMPARE(endedWith(*run, &said), 76);
  QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
  QVERIFY2(said.contains("rank 1") && said.contains("signal 9"), qPrintable(said));
  const auto outcome = RunFolder(path("killed")).outcome(1);
  QVERIFY(outcome && outcome->cause == "rank_lost" && outcome->state == RunState::Failed);
  auto resumed = m_runs.start(m_runs.resume("killed"));
  QVERIFY2(endedWith(*resumed, &said) == 0, qPrintable(said));
  QCOMPARE(m_runs.differences("killed", "alone"), QString());
  QVERIFY(m_runs.weightsOf("killed") == m_runs.weightsOf("alone"));
}

// Either rank, some milliseconds behind any update or before the first: the run that goes on is the uncut
// one.
void RankProcessesTest::aRankKilledAtAnyMomentChangesNothing() {
  const int seed = qEnvironmentVariableIntValue("SEED");
  RandomStream random(streamSeed(static_cast<std::uint64_t>(seed > 0 ? seed : 1), "rank.kills"));
  const int kills = killsWished();
  for (int i = 0; i < kills; ++i) {
    const QString name = QStringLiteral("random%1").arg(i);
    const auto step = static_cast<std::int64_t>(random.below(40));
    const bool first = random.below(2) == 0;
    const auto later = static_cast<int>(random.below(40));
    auto run = m_runs.start(m_runs.train(name, {"parallel.ranks=2"}, true));
    if (step > 0)
      QVERIFY(m_runs.waitForStep(name, step));
    else
      QVERIFY(waitFor([&] { return !childrenOf(run->processId()).isEmpty(); }));
    QTest::qSleep(later);  // the moment
    const qint64 victim = first ? run->processId() : otherRankOf(*run);
    if (victim > 0) ::kill(static_cast<pid_t>(victim), SIGKILL);
    QString said;
    const int code = endedWith(*run, &said);
    const QString about = QStringLiteral("kill %1 at %2 + %3 ms: %4").arg(i).arg(step).arg(later).arg(said);
    QVERIFY2(code == 0 || code == (first ? -1 : 76), qPrintable(about));
    auto again = m_runs.start(m_runs.train(name, {"parallel.ranks=2"}, true));
    QVERIFY2(endedWith(*again, &said) == 0, qPrintable(about + said));
    QCOMPARE(m_runs.differences(name, "alone"), QString());
    QVERIFY2(m_runs.weightsOf(name) == m_runs.weightsOf("alone"), qPrintable(about));
  }
}

void RankProcessesTest::aHangingRankEndsTheAttempt() {
  auto run = m_runs.start(
      m_runs.train("hangs", {"parallel.ranks=2", "parallel.timeout=2", "training.length=100000u"}));
  QVERIFY(m_runs.waitForStep("hangs", 5));
  const qint64 rank = otherRankOf(*run);
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGSTOP) == 0);
  QElapsedTimer clock;
  clock.start();
  QString said;
  QCOMPARE(endedWith(*run, &said), 76);
  QVERIFY2(said.contains("rank 1"), qPrintable(said));
  QVERIFY2(clock.elapsed() < 15'000, qPrintable(QString::number(clock.elapsed())));
  QVERIFY(!livesStill(rank));
}

// Rank 0 would be at its own batches for minutes.
void RankProcessesTest::aHangingRankEndsAValidation() {
  auto run = m_runs.start(m_runs.train("mute", kLongValidation + QStringList{"parallel.timeout=3"}));
  QVERIFY(m_runs.waitForStep("mute", 1));
  const qint64 rank = otherRankOf(*run);
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGSTOP) == 0);
  QElapsedTimer clock;
  clock.start();
  QString said;
  QCOMPARE(endedWith(*run, &said), 76);
  QVERIFY2(said.contains("rank 1"), qPrintable(said));
  QVERIFY2(clock.elapsed() < 15'000, qPrintable(QString::number(clock.elapsed())));
  QVERIFY(m_runs.validationsOf("mute").empty());
}

void RankProcessesTest::aKilledRankEndsAValidation() {
  auto run = m_runs.start(m_runs.train("judging", kLongValidation));
  QVERIFY(m_runs.waitForStep("judging", 1));
  const qint64 rank = otherRankOf(*run);
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGKILL) == 0);
  QElapsedTimer clock;
  clock.start();
  QString said;
  QCOMPARE(endedWith(*run, &said), 76);
  QVERIFY2(said.contains("rank 1") && said.contains("signal 9"), qPrintable(said));
  QVERIFY2(clock.elapsed() < 10'000, qPrintable(QString::number(clock.elapsed())));
}

void RankProcessesTest::ranksEndWithTheFirst() {
  auto run = m_runs.start(m_runs.train("first", {"parallel.ranks=2", "training.length=100000u"}));
  QVERIFY(m_runs.waitForStep("first", 3));
  const qint64 rank = otherRankOf(*run);
  QVERIFY(rank > 0 && livesStill(rank));
  run->kill();
  QCOMPARE(endedWith(*run), -1);
  QVERIFY(waitFor([&] { return !livesStill(rank); }, 5));
}

// As torchrun starts them: a signal to one of them is heeded by all at the same update, and "stopped" is no
// failure there.
void RankProcessesTest::aStarterOfItsOwn() {
  const QString port = std::make_unique<TakenPort>()->number();
  std::vector<std::unique_ptr<QProcess>> ranks;
  for (int rank = 0; rank < 2; ++rank)
    ranks.push_back(m_runs.start(m_runs.train("started", {"training.length=100000u"}),
                                 {"RANK=" + QString::number(rank), "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                                  "MASTER_PORT=" + port, "TORCHELASTIC_RUN_ID=none"}));
  QVERIFY(m_runs.waitForStep("started", 3));
  QVERIFY(::kill(static_cast<pid_t>(ranks[1]->processId()), SIGTERM) == 0);
  for (const auto& rank : ranks) {
    QString said;
    QVERIFY2(endedWith(*rank, &said) == 0, qPrintable(said));
  }
  const auto outcome = RunFolder(path("started")).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Stopped && outcome->exitCode == 10);
  const auto checkpoints = listCheckpoints(path("started"));
  QVERIFY(!checkpoints.empty() && checkpoints.back().step == outcome->step);
  QCOMPARE(ranksOfRun(RunFolder(path("started"))), std::int64_t{2});  // which no option says
}

// Said to a rank that is not the first, while the first decodes for long: the validation is left to the next
// attempt.
void RankProcessesTest::aWishCutsAValidation() {
  auto run = m_runs.start(m_runs.train("cut", kLongValidation));
  QVERIFY(m_runs.waitForStep("cut", 1));
  const qint64 rank = otherRankOf(*run);
  QVERIFY(rank > 0 && ::kill(static_cast<pid_t>(rank), SIGTERM) == 0);
  QString said;
  QVERIFY2(endedWith(*run, &said) == 10, qPrintable(said));
  const auto outcome = RunFolder(path("cut")).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Stopped && outcome->step == 1);
  QVERIFY(m_runs.validationsOf("cut").empty());
  QVERIFY(waitFor([&] { return !livesStill(rank); }, 5));
}

void RankProcessesTest::badPlacesAreRefused() {
  QString said;
  auto uneven = m_runs.start(m_runs.train("uneven", {"parallel.ranks=4"}));
  QCOMPARE(endedWith(*uneven, &said), 30);
  QVERIFY2(said.contains("training.accumulation"), qPrintable(said));
  auto interface =
      m_runs.start(m_runs.train("interface", {"parallel.ranks=2", "parallel.interface=nosuch0"}));
  QCOMPARE(endedWith(*interface, &said), 30);
  QVERIFY2(said.contains("nosuch0") && said.contains("lo"), qPrintable(said));
  auto half = m_runs.start(m_runs.train("half", {}), {"RANK=1"});
  QCOMPARE(endedWith(*half, &said), 30);
  QVERIFY2(said.contains("RANK without WORLD_SIZE"), qPrintable(said));
  const TakenPort taken;
  auto port = m_runs.start(m_runs.train("port", {}), {"RANK=0", "WORLD_SIZE=2", "MASTER_ADDR=127.0.0.1",
                                                      "MASTER_PORT=" + taken.number()});
  QCOMPARE(endedWith(*port, &said), 30);
  QVERIFY2(said.contains(taken.number()), qPrintable(said));
  // Told at once, and not once the ranks have waited for each other.
  for (const char* rank : {"RANK=0", "RANK=1"}) {
    auto nowhere =
        m_runs.start(m_runs.train("nowhere", {}),
                     {rank, "WORLD_SIZE=2", "MASTER_ADDR=no.such.machine.invalid", "MASTER_PORT=29500"});
    QCOMPARE(endedWith(*nowhere, &said), 30);
    QVERIFY2(said.contains("no.such.machine.invalid") && said.contains("MASTER_ADDR"), qPrintable(said));
  }
}

}  // namespace fathom::test

using fathom::test::RankProcessesTest;
QTEST_GUILESS_MAIN(RankProcessesTest)
#include "tst_rank_processes.moc"
