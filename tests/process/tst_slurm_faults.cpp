// SPDX-License-Identifier: Apache-2.0
// ctest: engine waits
// A real Slurm whose nodes fail, whose administrators act and whose other users come first, and the queue
// that is paused and reordered meanwhile; skipped where there is none. Its own waits (a requeue takes 6 s
// here) make most of the time, so that several runs share each.
#include <signal.h>

#include <QProcess>
#include <QTest>
#include <algorithm>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/attempt_place.h"
#include "core/record/runs/run_lock.h"
#include "tests/all_tests.h"
#include "tests/process/support_slurm.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::kSlowRun;
using test::waitFor;
using test::waitForCommand;

class SlurmFaultsTest : public QObject, private test::SlurmFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup() { leaveProject(); }
  void cleanupTestCase() { stop(); }
  void nodesMayFail();
  void otherWorkTakesItsPlace();
  void memoryThatIsPassedIsNamed();
  void administratorsAct();
  void whatSlurmForgetsIsNotLost();
  void theQueueIsPausedAndReordered();
  void ranksOfSeveralNodes();
  void namesAreTakenAsTheyAre();

 private:
  // A run at this place that is at work until the engines are told to hurry.
  std::string openRun(const char* place, const char* name) const {
    return train(kSlowRun + QStringList{"--place", place, "--name", name});
  }
  // The queue is empty after a while, for which jobs that Slurm keeps back for a time are let go.
  bool emptiedByAndBy(int seconds = 60) const {
    project().hurry();
    return waitForCommand(
        [&] {
          letBegin();
          return project().queue().entries()->empty();
        },
        seconds);
  }
  void stopAndGoOn(const std::string& two) const;  // a run of that name
  QString nodesOf(const std::string& uuid) const {
    return slurm(QStringLiteral("squeue"), {"-h", "-j", jobOf(uuid), "-o", "%N"}).trimmed();
  }
  void control(const QStringList& words) const { slurm(QStringLiteral("scontrol"), words); }
  // The last word of the run after so many attempts, each of which is a life of one job or a job of its own.
  void finishedAfter(const std::string& uuid, int attempts) const {
    QCOMPARE(folder(uuid).lastAttempt(), attempts);
    QCOMPARE(folder(uuid).outcome(attempts)->state, RunState::Finished);
  }
  // As if its node had lost power: script and engine are gone, and nobody has written anything.
  void endJob(const QString& job, const std::string& uuid) const {
    QProcess list;
    list.start(QStringLiteral("ps"), {"-eo", "pid=,ppid=,args="});
    QVERIFY(list.waitForFinished());
    const QString all = QString::fromUtf8(list.readAllStandardOutput());
    QString step;
    for (const QString& line : all.split('\n'))
      if (line.contains("slurmstepd: [" + job + ".batch]")) step = line.simplified().section(' ', 0, 0);
    QVERIFY(!step.isEmpty());
    for (const QString& line : all.split('\n'))
      if (line.simplified().section(' ', 1, 1) == step)
        ::kill(line.simplified().section(' ', 0, 0).toInt(), SIGKILL);
    ::kill(static_cast<pid_t>(runLockHolder(folder(uuid).path())->pid), SIGKILL);
  }
  bool runnerSaid(const std::string& words) const {
    return readFile(project().queue().path() + "/runner.log")->find(words) != std::string::npos;
  }
};

void SlurmFaultsTest::initTestCase() {
  const QString why = start("faults");
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no Slurm: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
}

// The site starts one of them again by itself, on the other node; of the second an administrator has said
// that it does not, and the runner does.
void SlurmFaultsTest::nodesMayFail() {
  addPlace({"here"});
  const std::string first = openRun("here", "first"), second = openRun("here", "second");
  QVERIFY(waitFor([&] { return hasStep(first, 1) && hasStep(second, 1); }));
  QVERIFY(saysOf(first, "running") && saysOf(second, "running"));
  control({"update", "jobid=" + jobOf(second), "requeue=0"});
  const std::set<QString> nodes = {nodesOf(first), nodesOf(second)};
  for (const QString& node : nodes) control({"update", "nodename=" + node, "state=down", "reason=test"});
  QVERIFY(waitFor([&] { return folder(first).outcome(1) && folder(second).outcome(1); }));
  for (const QString& node : nodes) control({"update", "nodename=" + node, "state=resume"});
  QVERIFY(emptiedByAndBy());
  for (const std::string& run : {first, second}) finishedAfter(run, 2);
  QCOMPARE(folder(first).outcome(1)->cause, std::string());
  QCOMPARE(folder(first).outcome(1)->askedBy, std::string("SIGTERM"));
  QCOMPARE(attemptPlace(folder(second), 1)->end, std::string("node_lost"));
  QVERIFY(runnerSaid("its node failed (NODE_FAIL)"));
  QVERIFY2(ask({"show", "second"}).out.contains("node_lost"), qPrintable(ask({"show", "second"}).out));
  QVERIFY(runnerSaid(second + ": next attempt in") && !runnerSaid(first + ": next attempt in"));
  QVERIFY(waitForCommand([&] { return jobs().isEmpty(); }));
}

// One partition puts what has to make room back into the queue, the other ends it.
void SlurmFaultsTest::otherWorkTakesItsPlace() {
  addPlace({"low", "--set", "partition=low"});
  addPlace({"cheap", "--set", "partition=cheap"});
  const std::string low = openRun("low", "low"), cheap = openRun("cheap", "cheap");
  QVERIFY(waitFor([&] { return hasStep(low, 1) && hasStep(cheap, 1); }));
  QVERIFY(saysOf(low, "running") && saysOf(cheap, "running"));
  slurm(QStringLiteral("sbatch"),
        {"-p", "high", "-N2", "--exclusive", "--output=/dev/null", "--wrap=sleep 1"});
  QVERIFY(waitFor([&] { return folder(low).outcome(1) && folder(cheap).outcome(1); }));
  QVERIFY(emptiedByAndBy());
  for (const std::string& run : {low, cheap}) finishedAfter(run, 2);
  QCOMPARE(folder(low).outcome(1)->cause, std::string());
  QCOMPARE(attemptPlace(folder(low), 1)->end, std::string());
  QCOMPARE(attemptPlace(folder(cheap), 1)->end, std::string("preempted"));
  QVERIFY(runnerSaid(cheap + ": next attempt in") && !runnerSaid(low + ": next attempt in"));
}

// Its control groups end a job with a state of its own; this Slurm, which polls, with that of any kill and a
// line in the script's log.
void SlurmFaultsTest::memoryThatIsPassedIsNamed() {
  QueueSettings settings;
  settings.maxRestartsPerHour = 1;
  QVERIFY(project().queue().setSettings(settings).ok());
  addPlace({"small", "--set", "memory=60M"});
  const std::string run = train(realRun(100000) + QStringList{"--place", "small"});
  QVERIFY(emptied(60));
  QCOMPARE(folder(run).lastAttempt(), 2);  // tried once more, as the settings say
  for (const int attempt : {1, 2}) {
    const auto outcome = folder(run).outcome(attempt);
    QVERIFY(outcome.has_value());
    QVERIFY2(outcome->cause == "oom", (outcome->cause + ": " + outcome->message.english()).c_str());
    QVERIFY2(outcome->message.english().find("exceeded memory limit") != std::string::npos,
             outcome->message.english().c_str());
  }
}

// A waiting run is held and let go, one is suspended for a while, one is put back: none is lost, started by
// us as well, or called what it is not.
void SlurmFaultsTest::administratorsAct() {
  addPlace({"here"});
  addPlace({"later", "--head", "#SBATCH --begin=now+1hour"});
  const std::string held = openRun("later", "held"), asleep = openRun("here", "asleep"),
                    back = openRun("here", "back");
  QVERIFY(waitFor([&] { return hasStep(asleep, 1) && hasStep(back, 1); }));
  QVERIFY(saysOf(held, "waiting") && saysOf(asleep, "running") && saysOf(back, "running"));
  control({"requeue", jobOf(back)});
  control({"suspend", jobOf(asleep)});
  control({"hold", jobOf(held)});
  QVERIFY(saysOf(asleep, "running", "SUSPENDED"));
  QVERIFY(saysOf(held, "stuck", "JobHeld"));
  const QString table = ask({"runs"}).out;
  QVERIFY2(table.contains("will not start by itself: JobHeld") && table.contains("SUSPENDED"),
           qPrintable(table));
  const int step = static_cast<int>(folder(asleep).lastAttempt());
  control({"resume", jobOf(asleep)});
  control({"update", "jobid=" + jobOf(held), "starttime=now"});
  control({"release", jobOf(held)});
  QVERIFY(emptiedByAndBy());
  QCOMPARE(step, 1);
  finishedAfter(held, 1);
  finishedAfter(asleep, 1);
  finishedAfter(back, 2);
  QVERIFY(!runnerSaid(": next attempt in"));
}

// squeue says nothing of them any more, as a site with a short memory does. One is trained on and ends well;
// the other one's node has gone without a word, which is told after the place's memory only.
void SlurmFaultsTest::whatSlurmForgetsIsNotLost() {
  QueueSettings settings;
  settings.maxRestartsPerHour = 0;
  QVERIFY(project().queue().setSettings(settings).ok());
  addPlace({"here", "--limit", "forget_seconds=2"});
  makeCommand("squeue", "[ ! -e \"$bin/forgets\" ] || exit 0\nsqueue \"$@\"\n");
  const std::string ends = openRun("here", "ends"), gone = openRun("here", "gone");
  QVERIFY(waitFor([&] { return hasStep(ends, 1) && hasStep(gone, 1); }));
  QVERIFY(saysOf(ends, "running") && saysOf(gone, "running"));
  // Of an element of an array the number is another one than that of its name.
  const QString job = slurm(QStringLiteral("squeue"), {"-h", "-j", jobOf(gone), "-o", "%A"}).trimmed();
  QVERIFY(writeFileAtomically(project().file("bin").toStdString() + "/forgets", "\n").ok());
  endJob(job, gone);
  QVERIFY(waitFor([&] { return folder(gone).outcome(1).has_value(); }, 40));
  QCOMPARE(folder(gone).outcome(1)->state, RunState::Lost);
  QVERIFY(folder(ends).state() == RunState::Running);
  project().hurry();
  QVERIFY(emptied(40));
  finishedAfter(ends, 1);
}

// What runs goes on, what the place has is not taken back, and the rest goes there in the order that it has
// when the queue goes on.
void SlurmFaultsTest::theQueueIsPausedAndReordered() {
  const QueueFolder queue = project().queue();
  addPlace({"here"});
  addPlace({"one", "--limit", "running=1"});
  const std::string runs = openRun("here", "runs");
  QVERIFY(waitFor([&] { return hasStep(runs, 1); }));
  QVERIFY(queue.setSettings({.paused = true}).ok());
  std::vector<std::string> wait;
  for (const char* name : {"a", "b", "c"}) wait.push_back(openRun("one", name));
  QVERIFY(queue.reorder(wait[2], wait[0]).ok());
  QVERIFY(queue.reorder(wait[1], wait[0]).ok());  // c, b, a
  QVERIFY(folder(runs).state() == RunState::Running);
  project().hurry();
  QVERIFY(waitFor([&] { return folder(runs).outcome(1).has_value(); }));
  QVERIFY(waitFor([&] { return queue.entries()->size() == 3; }));
  for (const std::string& run : wait) QVERIFY(place(run).empty());
  QVERIFY(queue.setSettings({}).ok());
  // The runner that is about to leave may still have the queue, and goes on then.
  QCOMPARE(ask({"run-queue"}).exitCode, 0);
  QVERIFY(emptied(60));
  finishedAfter(runs, 1);
  for (const std::string& run : wait) finishedAfter(run, 1);
  const auto end = [&](int i) { return folder(wait[static_cast<std::size_t>(i)]).outcome(1)->finishedAt; };
  QVERIFY2(end(2) < end(1) && end(1) < end(0), (end(2) + " " + end(1) + " " + end(0)).c_str());
}

// Two processes on two nodes are the run of one process, put back by the site; with all tests before that
// stopped by a person and gone on with by hand. The names of these nodes stand for this machine.
void SlurmFaultsTest::ranksOfSeveralNodes() {
  const int updates = test::allTests() ? 1200 : 600;
  const QStringList options = realRun(updates) + QStringList{"--set", "training.accumulation=2"};
  makeCommand("engine",
              "[ -z \"$SLURM_STEP_NODELIST\" ] || export SLURM_STEP_NODELIST=localhost\nexec '" FATHOM_BIN_DIR
              "/fathom-engine' \"$@\"\n");
  const std::string alone = train(options + QStringList{"--name", "alone"});
  QVERIFY(!alone.empty() && emptied(180));
  qputenv("FATHOM_ENGINE", project().file("bin/engine").toUtf8());
  addPlace({"two", "--set", "nodes=2"});
  const std::string two =
      train(options + QStringList{"--name", "two", "--set", "parallel.ranks=2", "--place", "two"});
  QVERIFY(saysOf(two, "running"));
  QCOMPARE(nodesOf(two), QStringLiteral("n[1-2]"));
  QVERIFY(waitFor([&] { return hasStep(two, 1, 20); }, 60));
  const int life = test::allTests() ? 2 : 1;
  if (life > 1) stopAndGoOn(two);
  slurm(QStringLiteral("scancel"), {"--signal=TERM", jobOf(two)});  // as the limit does
  QVERIFY(waitFor([&] { return folder(two).outcome(life).has_value(); }));
  QVERIFY(emptiedByAndBy(180));
  finishedAfter(two, life + 1);
  QVERIFY(!weightsAt(two, updates).empty() && weightsAt(two, updates) == weightsAt(alone, updates));
  addPlace({"two", "--set", "nodes=2"});
  const ShellResult uneven =
      ask(QStringList{"train", "--place", "two", "--wait"} + options +
          QStringList{"--set", "parallel.ranks=3", "--set", "training.accumulation=3"});
  QVERIFY2(uneven.exitCode != 0 && uneven.err.contains("the 3 processes of the run"), qPrintable(uneven.err));
}

void SlurmFaultsTest::stopAndGoOn(const std::string& two) const {
  ::kill(static_cast<pid_t>(project().queue().runnerPid()), SIGUSR1);  // save now
  QVERIFY(waitFor([&] {
    EventReader reader(folder(two).eventsPath(1));
    const auto events = reader.poll();
    return events.ok() && std::any_of(events->begin(), events->end(), [](const Event& event) {
             return event.kind == "checkpoint" && event.step % 500 != 0;
           });
  }));
  QCOMPARE(ask({"stop", "two"}).exitCode, 0);
  QVERIFY(emptied(40));
  QCOMPARE(folder(two).outcome(1)->state, RunState::Stopped);
  QCOMPARE(ask({"resume", "two", "--place", "two"}).exitCode, 0);
  QVERIFY(waitFor([&] { return hasStep(two, 2); }, 40));
  QVERIFY(saysOf(two, "running"));
}

// Blanks, quotation marks and ends of lines in the path of a project, and with it of its runs.
void SlurmFaultsTest::namesAreTakenAsTheyAre() {
  const QString path = project().file("a b's \"q\"\n$(touch x) new");
  QCOMPARE(project().fathom({"new-project", "--out", path}).exitCode, 0);
  const ShellResult trained =
      project().fathom({"train", "--place", "slurm", "--wait", "--name", "it's\n\"one\"", "--set",
                        "fake.steps=5", "--project", path, "--json"});
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
  QCOMPARE(trained.json()["state"].get<std::string>(), std::string("finished"));
  const Json shown = project().fathom({"show", "it's\n\"one\"", "--project", path, "--json"}).json();
  QCOMPARE(shown["attempts"][0]["place"]["id"].get<std::string>(), std::string("slurm"));
}

QTEST_GUILESS_MAIN(SlurmFaultsTest)
#include "tst_slurm_faults.moc"
