// SPDX-License-Identifier: Apache-2.0
// ctest: engine waits
// A real Slurm behind a real sshd, both of this user on the loopback; skipped where one of them is not here.
// What this process and its children know of no Slurm: only commands that ssh starts find it.
#include <signal.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_lock.h"
#include "core/relay/run_file_kind.h"
#include "core/tasks/made_sentences.h"
#include "tests/all_tests.h"
#include "tests/process/support_slurm.h"
#include "tests/process/support_ssh.h"
#include "tests/process/support_word_pairs.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::kSlowRun;
using test::waitFor;
using test::waitForCommand;

class SlurmSshTest : public QObject, private test::SshFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void cleanupTestCase();
  void aGridIsOneArrayThere();
  void lostAnswersDoubleNothing();
  void limitsAreFollowed();
  void wishesAreHeeded();
  void theHostMayBeAwayMeanwhile();
  void theRunnerMayGo();
  void whatIsWrongIsNamed();
  void whatCannotBeRemovedNowIsRemovedLater();
  void fromALaptopToAGrid();

 private:
  QString slurm(const QString& program, const QStringList& words) const {
    qputenv("SLURM_CONF", m_conf);
    const QString out = m_slurm.slurm(program, words);
    qunsetenv("SLURM_CONF");
    return out;
  }
  QStringList jobs(const char* states = "PENDING,RUNNING,SUSPENDED,COMPLETING") const {
    qputenv("SLURM_CONF", m_conf);
    const QStringList jobs = m_slurm.jobs(states);
    qunsetenv("SLURM_CONF");
    return jobs;
  }
  void addCluster(const QStringList& words = {}) const {
    addPlace(QStringList{"--launcher", "slurm"} + words);
  }
  // A command there that stands before the one of its name.
  void makeCommand(const char* name, const std::string& text) const {
    const QString bin = path("bin");
    QVERIFY(QDir().mkpath(bin));
    std::ofstream((bin + "/" + name).toStdString())
        << "#!/bin/bash\nPATH=${PATH#*:}\nbin='" << bin.toStdString() << "'\n"
        << text;
    QFile::setPermissions(bin + "/" + name, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  // Everything of the original that is followed is in the copy, byte for byte.
  void compare(const std::string& uuid) const {
    const std::string there = original(uuid).path(), here = folder(uuid).path();
    std::size_t compared = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(there)) {
      const std::string name = entry.path().string().substr(there.size() + 1);
      if (!entry.is_regular_file() || runPathKind(name, false, false) == RunPathKind::Never) continue;
      const auto copy = readFile(here + "/" + name);
      QVERIFY2(copy.ok() && *copy == readFile(entry.path().string()).value(), name.c_str());
      ++compared;
    }
    QVERIFY(compared >= 4);
    QVERIFY(!runLockHolder(here));
    QVERIFY(!mirrorNote(here)->running);
  }
  void letBegin() const {
    qputenv("SLURM_CONF", m_conf);
    m_slurm.letBegin();
    qunsetenv("SLURM_CONF");
  }
  // Before it ends.
  bool runnerSays(const std::string& words) const {
    return waitFor(
        [&] {
          const auto log = readFile(project().queue().path() + "/runner.log");
          return log.ok() && log->find(words) != std::string::npos && project().queue().runnerPid() == 0;
        },
        60);
  }
  // Neither side keeps anything of submissions whose runs are over.
  bool forgotten() const {
    const std::string there = hostFolder.toStdString() + "/slurm", here = project().queue().path() + "/slurm";
    const bool empty = waitFor([&] { return listFolder(there).empty() && listFolder(here).empty(); });
    for (const std::string& side : {there, here})
      for (const auto& entry : listFolder(side))
        for (const auto& file : listFolder(entry.path().string()))
          qWarning("%s is still there", file.path().c_str());
    if (!empty) qWarning("%s", readFile(project().queue().path() + "/runner.log").value().c_str());
    return empty;
  }

  test::SlurmFixture m_slurm;
  QByteArray m_conf;
};

void SlurmSshTest::initTestCase() {
  for (const QString& why : {m_slurm.start(), start()}) {
    if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL " + why.trimmed()));
    QVERIFY2(why.isEmpty(), qPrintable(why));
  }
  m_conf = qgetenv("SLURM_CONF");
  qunsetenv("SLURM_CONF");
}

void SlurmSshTest::init() {
  newProject();
  QDir(path("bin")).removeRecursively();
  std::ofstream(path("environment").toStdString())
      << "export SLURM_CONF='" << m_conf.toStdString() << "'\nexport PATH='" << path("bin").toStdString()
      << "':$PATH\n";
}

void SlurmSshTest::cleanup() {
  if (!m_conf.isEmpty()) slurm(QStringLiteral("scancel"), {"-u", QString::number(getuid())});
  leaveProject();
}

void SlurmSshTest::cleanupTestCase() {
  stop();
  m_slurm.stop();
}

void SlurmSshTest::aGridIsOneArrayThere() {
  addCluster({"--limit", "running=3", "--before", "echo before the engine"});
  const ShellResult queued = ask(QStringList{"grid", "--place", "there", "--name", "a grid's name", "--over",
                                             "seed=1,2,3,4,5", "--json"} +
                                 kSlowRun);
  QVERIFY2(queued.exitCode == 0, qPrintable(queued.err));
  const Json grid = queued.json();
  const auto first = grid["runs"][0].get<std::string>();
  std::set<QString> arrays;
  std::size_t most = 0;
  const auto look = [&] {
    const QStringList running = jobs("RUNNING");
    most = std::max(most, static_cast<std::size_t>(running.size()));
    for (const QString& job : running) arrays.insert(job.section('_', 0, 0));
    return running.size();
  };
  QVERIFY(waitForCommand([&] { return look() == 3; }, 60));
  QVERIFY(waitFor([&] { return memberText(note(first), "job").ends_with("_0"); }));
  QVERIFY(trains(first));
  project().hurry();
  QVERIFY(waitForCommand([&] { return look() == 0 && project().queue().entries()->empty(); }, 90));
  QCOMPARE(arrays.size(), std::size_t{1});
  QCOMPARE(most, std::size_t{3});  // four would have room
  for (const Json& uuid : grid["runs"]) {
    const auto run = uuid.get<std::string>();
    QCOMPARE(folder(run).state(), RunState::Finished);
    QCOMPARE(folder(run).lastAttempt(), 1);
    compare(run);
    const std::string script = readFile(folder(run).attemptPath(1) + "/submission.sh").value();
    QVERIFY(script.find("--array=0-4%3") != std::string::npos);
  }
  const Json curves = ask({"curves", QString::fromStdString(first), "--json"}).json();
  QVERIFY(!curves["curves"].empty());
  QVERIFY(forgotten());
}

// The connection goes when Slurm has taken the job, and Slurm does not show it yet when it is looked for.
void SlurmSshTest::lostAnswersDoubleNothing() {
  makeCommand(
      "sbatch",
      "echo x >>\"$bin/calls\"\nsbatch \"$@\" >\"$bin/out\"\ncode=$?\nkill -9 $(ps -o pid= --ppid $(cat '" +
          path("sshd.pid").toStdString() + "'))\ncat \"$bin/out\"\nexit $code\n");
  makeCommand("squeue",
              "echo x >>\"$bin/looks\"\n[ $(wc -l <\"$bin/looks\") -gt 3 ] || exit 0\nsqueue \"$@\"\n");
  addCluster();
  const std::string run = train({"--set", "fake.steps=20"});
  QVERIFY(emptied(90));
  QCOMPARE(folder(run).state(), RunState::Finished);
  QCOMPARE(folder(run).lastAttempt(), 1);
  compare(run);
  QCOMPARE(readFile(path("bin").toStdString() + "/calls").value(), std::string("x\n"));
  QVERIFY(forgotten());
}

// The signal is the one that the limit sends, to the steps alone, without waiting for a minute.
void SlurmSshTest::limitsAreFollowed() {
  addCluster();
  const std::string run = train(kSlowRun);
  QVERIFY(trains(run));
  QVERIFY(waitFor([&] { return memberText(note(run), "state") == "running"; }));
  slurm(QStringLiteral("scancel"), {"--signal=TERM", QString::fromStdString(memberText(note(run), "job"))});
  QVERIFY(waitFor([&] { return folder(run).outcome(1).has_value(); }, 60));
  QCOMPARE(folder(run).outcome(1)->askedBy, std::string("SIGTERM"));
  QVERIFY2(!project().queue().entries()->empty(), "it goes on by itself");
  project().hurry();
  QVERIFY(waitForCommand(
      [&] {
        letBegin();
        return folder(run).lastAttempt() == 2;
      },
      60));
  QVERIFY(emptied(90));
  QCOMPARE(folder(run).lastAttempt(), 2);
  QCOMPARE(folder(run).outcome(2)->state, RunState::Finished);
  compare(run);
  for (const int attempt : {1, 2}) QVERIFY(fileExists(folder(run).attemptPath(attempt) + "/submission.sh"));
}

void SlurmSshTest::wishesAreHeeded() {
  addCluster();
  const std::string stopped = train(kSlowRun + QStringList{"--name", "stopped"});
  const std::string aborted = train(kSlowRun + QStringList{"--name", "aborted"});
  const std::string hanging = train({"--name", "hanging", "--set", "fake.behaviour=stall"});
  QVERIFY(trains(stopped) && trains(aborted) && trains(hanging));
  addCluster({"--head", "#SBATCH --begin=now+1hour"});
  QCOMPARE(ask({"stop", "stopped"}).exitCode, 0);
  QCOMPARE(ask({"abort", "aborted"}).exitCode, 0);
  QCOMPARE(ask({"abort", "hanging"}).exitCode, 0);  // does not heed it: its job is cancelled
  QVERIFY(emptied(90));
  QCOMPARE(folder(stopped).outcome(1)->state, RunState::Stopped);
  QVERIFY(folder(stopped).outcome(1)->askedBy != "SIGTERM");  // no limit did
  QCOMPARE(folder(aborted).outcome(1)->state, RunState::Killed);
  QVERIFY(folder(hanging).outcome(1)->state != RunState::Finished);
  QVERIFY(waitFor([&] { return project().queue().runnerPid() == 0; }));  // the next one knows the new head
  const std::string waits = train({"--name", "waits"});
  QVERIFY(
      waitFor([&] { return memberText(note(waits), "reason").starts_with("BeginTime, begins at "); }, 30));
  QCOMPARE(ask({"stop", "waits"}).exitCode, 0);
  QVERIFY(emptied());
  QVERIFY(!original(waits).exists());
  QVERIFY(waitForCommand([&] { return jobs().isEmpty(); }, 30));
  // What a person has stopped is not requeued.
  for (const std::string& run : {stopped, aborted, hanging}) QCOMPARE(folder(run).lastAttempt(), 1);
  QVERIFY(forgotten());
}

// One waits and one trains while nobody reaches the host; the second ends meanwhile.
void SlurmSshTest::theHostMayBeAwayMeanwhile() {
  addCluster({"--limit", "running=1"});
  const std::string run = train(kSlowRun);
  QVERIFY(trains(run));
  addCluster({"--head", "#SBATCH --begin=now+1hour"});
  endRunner(SIGKILL);
  const std::string waits = train({"--set", "fake.steps=20"});
  QVERIFY(waitFor([&] { return memberText(note(waits), "state") == "waiting"; }, 30));
  here("stop");
  for (const std::string& each : {run, waits})
    QVERIFY(waitFor([&] { return !memberText(note(each), "silent_from").empty(); }, 60));
  QVERIFY2(ask({"runs"}).out.contains("not heard since"), qPrintable(ask({"runs"}).out));
  project().hurry();
  QVERIFY(waitFor([&] { return original(run).outcome(1).has_value(); }, 60));
  QVERIFY(folder(run).state() == RunState::Running);
  letBegin();
  QCOMPARE(memberText(note(waits), "state"), std::string("waiting"));
  QCOMPARE(here("start"), QString());
  QVERIFY(emptied(90));
  for (const std::string& each : {run, waits}) {
    QCOMPARE(folder(each).state(), RunState::Finished);
    QCOMPARE(folder(each).lastAttempt(), 1);
    compare(each);
  }
  QVERIFY(forgotten());
}

void SlurmSshTest::theRunnerMayGo() {
  addCluster();
  const std::string run = train(kSlowRun);
  QVERIFY(trains(run));
  for (int i = 0; i < 2; ++i) {
    endRunner(SIGKILL);
    QVERIFY(folder(run).state() == RunState::Running);
    const auto before = fileBytes(folder(run).eventsPath(1));
    QProcess runner;
    startRunner(runner);
    QVERIFY(waitFor([&] { return fileBytes(folder(run).eventsPath(1)) > before; }, 60));
    QVERIFY(folder(run).state() == RunState::Running);
    endRunner(SIGKILL);
    runner.waitForFinished();
  }
  QCOMPARE(jobs().size(), 1);
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QProcess runner;
  startRunner(runner);
  QVERIFY(emptied(90));
  runner.waitForFinished();
  QCOMPARE(folder(run).state(), RunState::Stopped);
  QCOMPARE(folder(run).lastAttempt(), 1);
  compare(run);
}

void SlurmSshTest::whatIsWrongIsNamed() {
  addCluster({"--set", "partition=nope"});
  const ShellResult checked = ask({"check-place", "there", "--json"});
  QVERIFY2(checked.exitCode == 0, qPrintable(checked.err));
  const Json facts = checked.json()["facts"];
  QVERIFY2(memberText(facts, "slurm").find('.') != std::string::npos, facts.dump().c_str());
  QVERIFY2(facts["partitions"].dump().find("main*, up, nodes 2") != std::string::npos, facts.dump().c_str());
  QVERIFY2(checked.out.contains("Slurm has no partition nope"), qPrintable(checked.out));
  train({});
  QVERIFY(runnerSays("invalid partition specified: nope"));
  const auto entries = project().queue().entries();
  QCOMPARE(entries->size(), std::size_t{1});
  QVERIFY(!folder(entries->front().uuid).exists());
  QVERIFY(forgotten());
  // Neither is one lost that the host has no engine for, or whose host has no Slurm.
  addCluster({"--set", "engine=/nowhere/fathom-engine"});
  train({});
  QVERIFY(runnerSays("has no engine at /nowhere/fathom-engine"));
  makeCommand("sinfo", "exit 1\n");
  addCluster();
  const ShellResult none = ask({"check-place", "there"});
  QVERIFY2((none.out + none.err).contains("no Slurm was found"), qPrintable(none.out + none.err));
}

// By the next runner that has something there, when nobody holds it any more.
void SlurmSshTest::whatCannotBeRemovedNowIsRemovedLater() {
  makeCommand("rm", "[ -e \"$bin/free\" ] || exit 1\nrm \"$@\"\n");
  addCluster();
  const std::string there = hostFolder.toStdString() + "/slurm", here = project().queue().path() + "/slurm";
  train({"--set", "fake.steps=5"});
  QVERIFY(emptied());
  QVERIFY(waitFor([&] { return project().queue().runnerPid() == 0; }));
  QCOMPARE(listFolder(there).size(), std::size_t{1});
  QCOMPARE(listFolder(here).size(), std::size_t{1});
  QVERIFY(writeFileAtomically(path("bin").toStdString() + "/free", "\n").ok());
  train({"--set", "fake.steps=5"});
  QVERIFY(emptied());
  QVERIFY(forgotten());
}

// A walk that is timed: an ssh configuration and a project is all that there is; then the place is written
// down, looked at, given this engine, and a grid (of eight with all tests) is trained there until each run
// has a point of its curve here.
void SlurmSshTest::fromALaptopToAGrid() {
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  const QString data = project().file("data");
  QVERIFY(writeMadeSentences(data.toStdString(), 1, {200, 30, 30}).ok());
  QStringList options;
  const Json tiny = test::tinyTranslation(data, {{"training.length", "200u"}});
  for (const auto& [name, value] : tiny["options"].items())
    options << QStringLiteral("--set")
            << QString::fromStdString(name + "=" +
                                      (value.is_string() ? value.get<std::string>() : value.dump()));
  QElapsedTimer timer;
  timer.start();
  QString walk;
  const auto step = [&](const char* what) {
    walk +=
        QStringLiteral("%1 %2 s, ").arg(QLatin1String(what)).arg(double(timer.elapsed()) / 1000, 0, 'f', 1);
  };
  addCluster({"--set", "engine="});
  step("written down after");
  const ShellResult bare = ask({"check-place", "there"});
  QVERIFY2(bare.exitCode == 0 && bare.out.contains("has no engine"), qPrintable(bare.out + bare.err));
  step("looked at");
  const ShellResult brought = ask({"prepare-place", "there", "--json"});
  QVERIFY2(brought.exitCode == 0 && brought.json()["troubles"].empty(),
           qPrintable(brought.out + brought.err));
  step("given the engine");
  const ShellResult ready = ask({"check-place", "there"});
  QVERIFY2(ready.out.contains("runs can be started there"), qPrintable(ready.out));
  step("found ready");
  const bool all = test::allTests();
  const std::size_t wanted = all ? 8 : 2;
  const ShellResult queued = ask(
      QStringList{"grid", "--place", "there", "--over", all ? "seed=1,2,3,4,5,6,7,8" : "seed=1,2", "--json"} +
      options);
  QVERIFY2(queued.exitCode == 0, qPrintable(queued.err));
  step("grid queued");
  std::set<std::string> runs, drawn;
  const Json grid = queued.json();
  for (const Json& uuid : grid["runs"]) runs.insert(uuid.get<std::string>());
  QCOMPARE(runs.size(), wanted);
  const auto look = [&] {
    for (const std::string& run : runs)
      if (!drawn.contains(run) && fileBytes(folder(run).eventsPath(1)) > 0) {
        const auto events = EventReader(folder(run).eventsPath(1)).poll();
        if (events.ok() && std::any_of(events->begin(), events->end(),
                                       [](const Event& event) { return event.kind == "step"; }))
          drawn.insert(run);
      }
    return drawn.size();
  };
  QVERIFY(waitFor([&] { return look() >= 1; }, 60));
  step("first curve begins");
  QVERIFY(waitFor([&] { return look() == wanted; }, 120));
  step("all of them");
  qInfo("%s", qPrintable(walk.chopped(2)));
  QVERIFY(emptied(120));
  for (const std::string& run : runs) {
    QCOMPARE(folder(run).state(), RunState::Finished);
    const Json curves = ask({"curves", QString::fromStdString(run), "--json"}).json();
    QVERIFY2(!curves["curves"].empty() && curves["curves"][0]["value"].size() > 1, curves.dump().c_str());
  }
}

QTEST_GUILESS_MAIN(SlurmSshTest)
#include "tst_slurm_ssh.moc"
