// SPDX-License-Identifier: Apache-2.0
// ctest: engine waits
// Runs as jobs of a real Slurm of two nodes, which is started once for all of them and needs no root; skipped
// where there is none. Waits of Slurm itself (a requeue takes 6 s here) make most of the time.
#include <signal.h>

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>
#include <algorithm>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/system_samples.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_slurm.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::kSlowRun;
using test::waitFor;
using test::waitForCommand;

class SlurmTest : public QObject, private test::SlurmFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup() { leaveProject(); }
  void cleanupTestCase() { stop(); }
  void aGridIsOneArray();
  void limitsAreGoneOnFrom();
  void wishesAreHeeded();
  void whatOnlyWaitsIsCancelled();
  void aLostAnswerDoublesNothing();
  void theControllerMayGo();
  void theRunnerMayGo();
  void aWaitWithoutARunnerIsCalledOff();
  void aRefusalIsNamed();

 private:
  // The next life of a run, without Slurm's own wait before it.
  bool beginsAgain(const std::string& uuid, int attempt) const {
    return waitForCommand(
        [&] {
          letBegin();
          return folder(uuid).lastAttempt() >= attempt;
        },
        30);
  }
};

void SlurmTest::initTestCase() {
  const QString why = start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no Slurm: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
}

void SlurmTest::aGridIsOneArray() {
  addPlace({"here", "--limit", "running=3"});
  QElapsedTimer timer;
  timer.start();
  const ShellResult queued = ask(QStringList{"grid", "--place", "here", "--name", "a grid's name", "--over",
                                             "seed=1,2,3,4,5,6,7,8,9,10,11,12", "--json"} +
                                 kSlowRun);
  QVERIFY2(queued.exitCode == 0, qPrintable(queued.err));
  std::size_t most = 0;
  std::set<QString> arrays;
  const auto look = [&] {
    const QStringList running = jobs("RUNNING");
    most = std::max(most, static_cast<std::size_t>(running.size()));
    for (const QString& job : running) arrays.insert(job.section('_', 0, 0));
    return running.size();
  };
  QVERIFY(waitForCommand([&] { return look() == 3; }));
  project().hurry();
  QVERIFY(waitForCommand([&] { return look() == 0 && project().queue().entries()->empty(); }, 40));
  qInfo("12 runs in %.1f s", static_cast<double>(timer.elapsed()) / 1000);
  QCOMPARE(arrays.size(), std::size_t{1});
  QCOMPARE(most, std::size_t{3});  // four would have room
  const Json grid = queued.json();
  for (const Json& uuid : grid["runs"]) {
    const RunFolder run = folder(uuid.get<std::string>());
    QCOMPARE(run.lastAttempt(), 1);
    QCOMPARE(run.outcome(1)->state, RunState::Finished);
    const std::string script = readFile(run.attemptPath(1) + "/submission.sh").value();
    QVERIFY(script.find("--array=0-11%3") != std::string::npos);
  }
  QVERIFY(waitFor([&] { return listFolder(project().queue().path() + "/slurm").empty(); }));
}

// The signal is the one that the limit sends, to the steps alone, without waiting for a minute.
void SlurmTest::limitsAreGoneOnFrom() {
  const QStringList options = realRun(1000);
  addPlace({"here", "--before", "export FATHOM_SAMPLE_SECONDS=0.02"});
  const std::string uncut = train(options + QStringList{"--name", "uncut"});  // beside the other
  const std::string cut = train(options + QStringList{"--name", "cut", "--place", "here"});
  for (const int attempt : {1, 2}) {
    QVERIFY(waitFor([&] { return hasStep(cut, attempt); }, 30));
    const std::string job = place(cut)["job"].get<std::string>();
    slurm(QStringLiteral("scancel"), {"--signal=TERM", QString::fromStdString(job)});
    QVERIFY(waitFor([&] { return folder(cut).outcome(attempt).has_value(); }));
    QCOMPARE(folder(cut).outcome(attempt)->state, RunState::Stopped);
    QCOMPARE(folder(cut).outcome(attempt)->askedBy, std::string("SIGTERM"));
    QVERIFY2(!project().queue().entries()->empty(), "it goes on by itself");
    QVERIFY(beginsAgain(cut, attempt + 1));
  }
  QVERIFY(emptied(60));
  QCOMPARE(folder(cut).lastAttempt(), 3);
  QCOMPARE(folder(cut).outcome(3)->state, RunState::Finished);
  QVERIFY(!weightsAt(cut, 1000).empty() && weightsAt(cut, 1000) == weightsAt(uncut, 1000));
  // Each life has said what it took of its node.
  for (const int attempt : {1, 2, 3}) QVERIFY(fileBytes(systemStreamPath(folder(cut), attempt)) > 0);
  QVERIFY(measuredMemory(readRunSystem(folder(cut).path()), false) > 0.05);
}

void SlurmTest::wishesAreHeeded() {
  addPlace({"here"});
  const std::string stopped = train(kSlowRun + QStringList{"--place", "here", "--name", "stopped"});
  const std::string aborted = train(kSlowRun + QStringList{"--place", "here", "--name", "aborted"});
  const std::string hanging =
      train({"--place", "here", "--name", "hanging", "--set", "fake.behaviour=stall"});
  QVERIFY(waitFor([&] { return hasStep(stopped, 1) && hasStep(aborted, 1) && hasStep(hanging, 1); }));
  QVERIFY2(ask({"runs"}).out.contains("here "), qPrintable(ask({"runs"}).out));
  QCOMPARE(ask({"stop", "stopped"}).exitCode, 0);
  QCOMPARE(ask({"abort", "aborted"}).exitCode, 0);
  QCOMPARE(ask({"abort", "hanging"}).exitCode, 0);  // does not heed it: its job is cancelled
  QVERIFY(emptied());
  QCOMPARE(folder(stopped).outcome(1)->state, RunState::Stopped);
  QCOMPARE(folder(aborted).outcome(1)->state, RunState::Killed);
  QVERIFY(folder(hanging).outcome(1)->state != RunState::Finished);
  QVERIFY(waitForCommand([&] { return jobs().isEmpty(); }));
  // What a person has stopped is not requeued.
  for (const std::string& run : {stopped, aborted, hanging}) QCOMPARE(folder(run).lastAttempt(), 1);
}

void SlurmTest::whatOnlyWaitsIsCancelled() {
  addPlace({"later", "--head", "#SBATCH --begin=now+1hour"});
  addPlace({"never", "--head", "#SBATCH --nodes=5"});
  const std::string later = train({"--place", "later"});
  const std::string never = train({"--place", "never"});
  const std::string theirs = train({"--place", "later", "--name", "theirs"});
  QVERIFY(waitFor([&] {
    return memberText(place(later), "reason").starts_with("BeginTime, begins at ") &&
           memberText(place(theirs), "state") == "waiting" && memberText(place(never), "state") == "stuck";
  }));
  const QString table = ask({"runs"}).out;
  QVERIFY2(table.contains("will not start by itself: PartitionConfig"), qPrintable(table));
  const Json listed = ask({"runs", "--json"}).json();
  QVERIFY(std::any_of(listed["runs"].begin(), listed["runs"].end(), [&](const Json& run) {
    return run["uuid"] == never && run["place"]["state"] == "stuck";
  }));
  for (const std::string& run : {later, never})
    QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  slurm(QStringLiteral("scancel"), {QString::fromStdString(memberText(place(theirs), "job"))});
  QVERIFY2(emptied(), readFile(project().queue().path() + "/runner.log")->c_str());
  QVERIFY(jobs().isEmpty());
  // Somebody else's cancelling is named, and nothing starts the run again.
  QCOMPARE(folder(theirs).outcome(1)->cause, std::string("cancelled"));
  QVERIFY(folder(theirs).outcome(1)->message.english().find("cancelled its job") != std::string::npos);
}

void SlurmTest::aLostAnswerDoublesNothing() {
  makeCommand(
      "sbatch",
      "echo x >>\"$bin/calls\"\nsbatch \"$@\" >/dev/null\necho 'sbatch: error: Batch job submission failed: "
      "Socket timed out on send/recv operation' >&2\nexit 1\n");
  addPlace({"here"});
  const std::string run = train({"--place", "here"});
  QVERIFY(emptied());
  QCOMPARE(folder(run).outcome(1)->state, RunState::Finished);
  QCOMPARE(folder(run).lastAttempt(), 1);
  QCOMPARE(readFile(project().file("bin").toStdString() + "/calls").value(), std::string("x\n"));
}

void SlurmTest::theControllerMayGo() {
  addPlace({"here"});
  // Its commands look for it for so many seconds before they give up.
  const std::string conf = readFile(path("slurm.conf").toStdString()).value();
  QVERIFY(writeFileAtomically(path("hasty.conf").toStdString(), conf + "MessageTimeout=4\n").ok());
  const auto usual = qScopeGuard([conf = qgetenv("SLURM_CONF")] { qputenv("SLURM_CONF", conf); });
  qputenv("SLURM_CONF", path("hasty.conf").toUtf8());
  const std::string run = train(kSlowRun + QStringList{"--place", "here"});
  QVERIFY(waitFor([&] { return hasStep(run, 1); }) && saysOf(run, "running"));
  // It writes down its jobs within five seconds of a change; one that it forgets would be ended by its node.
  const QString kept = path("state/job_state");
  const QDateTime changed = QDateTime::currentDateTime();
  slurm(QStringLiteral("scontrol"), {"update", "jobid=" + jobOf(run), "mailuser=nobody"});
  QVERIFY(waitFor([&] { return QFileInfo(kept).lastModified() > changed; }));
  const pid_t controller =
      static_cast<pid_t>(std::stoi(readFile(path("slurmctld.pid").toStdString()).value()));
  ::kill(controller, SIGKILL);
  QVERIFY(waitFor([&] { return !memberText(place(run), "silent_from").empty(); }, 60));
  QCOMPARE(memberText(place(run), "state"), std::string("running"));
  QVERIFY2(ask({"runs"}).out.contains("not heard since"), qPrintable(ask({"runs"}).out));
  project().hurry();
  QVERIFY(waitFor([&] { return folder(run).outcome(1).has_value(); }));
  QCOMPARE(here("control"), QString());
  QVERIFY(emptied(40));
  QCOMPARE(folder(run).lastAttempt(), 1);
  QCOMPARE(folder(run).outcome(1)->state, RunState::Finished);
  QVERIFY(waitForCommand([&] { return jobs().isEmpty(); }));
}

void SlurmTest::theRunnerMayGo() {
  addPlace({"soon", "--head", "#SBATCH --begin=now+1hour"});
  const std::string first = train({"--place", "soon"});
  QVERIFY(waitFor([&] { return memberText(place(first), "state") == "waiting"; }));
  QVERIFY(project().queue().runnerPid() > 0);
  killRunner();
  letBegin();
  const ShellResult next = ask({"run-queue"});
  QVERIFY2(next.exitCode == 0 && next.err.contains("watching submission"), qPrintable(next.err));
  QVERIFY(project().queue().entries()->empty());
  QCOMPARE(folder(first).lastAttempt(), 1);
  QCOMPARE(folder(first).outcome(1)->state, RunState::Finished);
  QVERIFY(waitForCommand([&] { return jobs().isEmpty(); }));
}

void SlurmTest::aWaitWithoutARunnerIsCalledOff() {
  addPlace({"later", "--head", "#SBATCH --begin=now+1hour"});
  for (const char* verb : {"stop", "abort"}) {
    const std::string run = train({"--place", "later"});
    QVERIFY(
        waitForCommand([&] { return memberText(place(run), "state") == "waiting" && !jobs().isEmpty(); }));
    QVERIFY(project().queue().runnerPid() > 0);
    killRunner();
    QCOMPARE(ask({verb, QString::fromStdString(run)}).exitCode, 0);
    QVERIFY(emptied());
    QVERIFY2(waitForCommand([&] { return jobs().isEmpty(); }), "its job must not start some day");
  }
}

void SlurmTest::aRefusalIsNamed() {
  addPlace({"bad", "--set", "partition=nope"});
  const ShellResult result = ask({"train", "--place", "bad", "--wait"});
  QVERIFY(result.exitCode != 0);
  QVERIFY2(result.err.contains("invalid partition specified: nope"), qPrintable(result.err));
  const auto entries = project().queue().entries();
  QCOMPARE(entries->size(), std::size_t{1});
  QVERIFY(!entries->front().claimed());
  QVERIFY(!RunFolder(entries->front().runPath).exists());
  QVERIFY(jobs().isEmpty());
  // With the field of the place that it is about, and by a look before anything is submitted.
  QVERIFY2(result.err.contains("Change 'partition' of the place"), qPrintable(result.err));
  for (const auto& [resource, words] :
       {std::pair("gres=gpu:1", "gres"), std::pair("constraint=nosuch", "feature")}) {
    addPlace({"bad", "--set", resource});
    const ShellResult look = ask({"check-place", "bad"});
    QVERIFY2(look.out.contains("Slurm does not take its jobs") && look.out.contains(words),
             qPrintable(look.out));
    QVERIFY2(
        look.out.contains(QStringLiteral("change '%1' of the place, which is %2")
                              .arg(QString(resource).section('=', 0, 0), QString(resource).section('=', 1))),
        qPrintable(look.out));
  }
  addPlace({"bad", "--set", "nodes=2"});
  QVERIFY2(ask({"check-place", "bad"}).out.contains("runs can be started there"),
           qPrintable(ask({"check-place", "bad"}).out));
  QVERIFY(jobs().isEmpty());  // a look submits none
}

QTEST_GUILESS_MAIN(SlurmTest)
#include "tst_slurm.moc"
