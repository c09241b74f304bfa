// SPDX-License-Identifier: Apache-2.0
// Commands of somebody's own as runs of the queue: with packaging/python/fathom.py, whose trainings are
// skipped where there is no python3, and without it.
#include <signal.h>

#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"
#include "core/record/import/foreign_run.h"
#include "core/record/runs/run_script.h"
#include "tests/process/support_project_fixture.h"
#include "tests/process/support_written_run.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class TrainScriptTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void theScriptWritesTheRunAndIsRetried();
  void aCommandThatWritesNothingIsARun();
  void aRunThatIsCutOffWhileItIsMade();
  void badCommandsAreRefused();
  void aProgramThatIsGoneFailsItsRunAlone();
  void stoppedAndResumed();
  void gridOverOptions();
  void stopEndsACommandThatDoesNotListen();
  void aRunnerThatDiesStartsNothingTwice();

 private:
  ShellResult ask(QStringList words) const {
    words.insert(1, QStringLiteral("--project"));
    words.insert(2, QString::fromStdString(m_fixture->path()));
    return m_fixture->fathom(words);
  }
  // Queued and waited for, or not; `command` behind "--".
  ShellResult train(const QStringList& options, const QStringList& command) const {
    return ask(QStringList{"train-script", "--json", "--folder", m_fixture->file("work")} + options +
               QStringList{"--"} + command);
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(m_fixture->file("work").toStdString() + "/" + name) << text;
  }
  std::string written(const char* name) const {
    const auto text = readFile(m_fixture->file("work").toStdString() + "/" + name);
    return text.ok() ? *text : std::string();
  }
  static std::string pathOf(const ShellResult& result) { return result.json()["run"]["path"]; }
  static RunOutcome outcomeOf(const std::string& path) {
    const RunFolder run(path);
    return run.outcome(run.lastAttempt()).value_or(RunOutcome());
  }
  static bool hasStep(const std::string& path, int attempt) {
    const auto events = readFile(RunFolder(path).eventsPath(attempt));
    return events.ok() && events->find("\"k\":\"step\"") != std::string::npos;
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void TrainScriptTest::init() {
  m_fixture = std::make_unique<ProjectFixture>();
  std::filesystem::create_directory(m_fixture->file("work").toStdString());
  // The example of the help.
  const std::string page = readFile(FATHOM_SOURCE_DIR "/resources/help/run_script.md").value();
  const std::string fence = "```python\n";
  const std::size_t from = page.find(fence) + fence.size();
  write("train.py", page.substr(from, page.find("```", from) - from));
}

void TrainScriptTest::theScriptWritesTheRunAndIsRetried() {
  if (test::modulePython().isEmpty()) QSKIP("there is no python3 here");
  const ShellResult done = train({"--name", "mine", "--set", "lr=0.25", "--group", "sweep", "--wait"},
                                 {"python3", "-S", "train.py", "--help"});
  QVERIFY2(done.exitCode == 0, qPrintable(done.err));
  QCOMPARE(done.json()["state"].get<std::string>(), std::string("finished"));
  const RunFolder run(pathOf(done));
  const RunIdentity identity = run.identity().value();
  QCOMPARE(identity.uuid, done.json()["run"]["uuid"].get<std::string>());
  QCOMPARE(identity.name, std::string("mine"));
  QCOMPARE(broughtNotes(identity.provenance).group, std::string("sweep"));
  QCOMPARE(run.attempts(), std::vector<int>{1});
  const ShellResult shown = ask({"show", "--json", "mine"});
  QCOMPARE(shown.json()["run"]["options"]["lr"].get<double>(), 0.25);
  const ShellResult curve = ask({"curves", "--json", "mine", "--metric", "loss"});
  QCOMPARE(curve.json()["curves"][0]["value"], Json::array({0.25, 0.125, 0.25 / 3}));
  const ShellResult finished = ask({"resume", "mine"});
  QVERIFY2(finished.exitCode == 30 && finished.err.contains("fathom retry"), qPrintable(finished.err));
  const ShellResult again = ask({"retry", "mine", "--json", "--set", "lr=4", "--name", "twice", "--wait"});
  QVERIFY2(again.exitCode == 0, qPrintable(again.err));
  QVERIFY(pathOf(again) != pathOf(done));
  const ShellResult second = ask({"curves", "--json", "twice", "--metric", "loss"});
  QCOMPARE(second.json()["curves"][0]["value"], Json::array({4.0, 2.0, 4.0 / 3}));
  QVERIFY(m_fixture->queue().entries()->empty());
}

void TrainScriptTest::aCommandThatWritesNothingIsARun() {
  const ShellResult failed =
      train({"--wait", "--set", "lr=3"}, {"sh", "-c", "echo said; echo the last words >&2; exit 3"});
  QCOMPARE(failed.exitCode, 3);
  const std::string path = pathOf(failed);
  const RunOutcome outcome = outcomeOf(path);
  QVERIFY(outcome.state == RunState::Failed);
  QCOMPARE(outcome.exitCode, 3);
  const std::string message = outcome.message.english();
  QVERIFY2(
      message.find("exit code 3") != std::string::npos && message.find("the last words") != std::string::npos,
      message.c_str());
  const std::string log = readFile(path + "/attempts/0001/stderr.log").value();
  QVERIFY2(log.find("said\nthe last words") != std::string::npos, log.c_str());
  QCOMPARE(runWriter(RunFolder(path).identity()->provenance), std::string("script"));
  QCOMPARE(RunFolder(path).config(1).value()["options"]["lr"].get<int>(), 3);
  const ShellResult silent =
      train({"--wait", "--name", "silent"}, {"sh", "-c", "test \"$FATHOM_OPTIONS\" = ''"});
  QCOMPARE(silent.exitCode, 0);
  const RunOutcome quiet = outcomeOf(pathOf(silent));
  QVERIFY(quiet.state == RunState::Finished);
  QVERIFY(quiet.message.english().find("exit code 0") != std::string::npos);
}

// Its folder has an attempt and no run.json: what is there stays, and the queue goes on.
void TrainScriptTest::aRunThatIsCutOffWhileItIsMade() {
  write("half.sh", R"(mkdir -p "$FATHOM_RUN_DIR/attempts/0001"
echo '{"format":1,"options":{"lr":2}}' > "$FATHOM_RUN_DIR/attempts/0001/config.json"
echo kept > "$FATHOM_RUN_DIR/attempts/0001/events.jsonl"
kill -9 $$
)");
  const ShellResult cut = train({"--wait"}, {"sh", "half.sh"});
  QVERIFY2(cut.exitCode == 137, qPrintable(cut.err));
  const RunFolder run(pathOf(cut));
  QCOMPARE(run.identity()->name, std::string("half.sh"));
  QCOMPARE(run.attempts(), std::vector<int>{1});
  QVERIFY(outcomeOf(run.path()).state == RunState::Killed);
  QCOMPARE(readFile(run.eventsPath(1)).value(), std::string("kept\n"));
  QVERIFY(m_fixture->queue().entries()->empty());
}

void TrainScriptTest::badCommandsAreRefused() {
  write("plain.txt", "no program");
  const std::pair<QStringList, const char*> cases[] = {{{"no-such-program-here"}, "no-such-program-here"},
                                                       {{"./absent.sh"}, "work/absent.sh"},
                                                       {{"./plain.txt"}, "cannot be executed"}};
  for (const auto& [command, word] : cases) {
    const ShellResult refused = train({}, command);
    QCOMPARE(refused.exitCode, 30);
    const std::string said = refused.json()["error"]["message"];
    QVERIFY2(said.find(word) != std::string::npos, said.c_str());
  }
  QCOMPARE(train({}, {}).exitCode, 2);
  QCOMPARE(train({"--set", "lr"}, {"true"}).exitCode, 2);
  const ShellResult folder = ask({"train-script", "--folder", m_fixture->file("nowhere"), "--", "true"});
  QVERIFY2(folder.exitCode == 30 && folder.err.contains("nowhere"), qPrintable(folder.err));
  const ShellResult preset = ask({"grid", "--preset", "sample_small", "--over", "lr=1,2", "--", "true"});
  QVERIFY2(preset.exitCode == 2 && preset.err.contains("--preset"), qPrintable(preset.err));
  QVERIFY(m_fixture->queue().entries()->empty());
}

// What was there when it was queued may be gone when its turn comes; the next run has its turn all the same.
void TrainScriptTest::aProgramThatIsGoneFailsItsRunAlone() {
  QueueSettings settings;
  settings.paused = true;
  QVERIFY(m_fixture->queue().setSettings(settings).ok());
  write("gone.sh", "#!/bin/sh\n");
  const std::string program = m_fixture->file("work").toStdString() + "/gone.sh";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const ShellResult first = train({}, {"./gone.sh"});
  QVERIFY2(first.exitCode == 0, qPrintable(first.err));
  std::filesystem::remove(program);
  QVERIFY(m_fixture->queue().setSettings({}).ok());
  QCOMPARE(train({"--wait"}, {"true"}).exitCode, 0);
  const RunOutcome outcome = outcomeOf(pathOf(first));
  QVERIFY(outcome.state == RunState::Failed);
  QVERIFY2(outcome.message.english().find("gone.sh") != std::string::npos, outcome.message.english().c_str());
}

void TrainScriptTest::stoppedAndResumed() {
  if (test::modulePython().isEmpty()) QSKIP("there is no python3 here");
  const ShellResult queued = train({"--name", "long", "--set", "steps=100000", "--set", "pause=0.01"},
                                   {"python3", "-S", "train.py"});
  const std::string path = pathOf(queued);
  QVERIFY(waitFor([&] { return hasStep(path, 1); }));
  QCOMPARE(ask({"stop", "long"}).exitCode, 0);
  QCOMPARE(m_fixture->waitForEnd(path), RunState::Stopped);
  const int before = std::stoi(readFile(path + "/state.txt").value());
  QVERIFY(waitFor([&] { return m_fixture->queue().entries()->empty(); }));
  // The checkpoint that it noted is what it goes on from; nothing else is known of the rest.
  QVERIFY(ask({"resume", "long"}).exitCode == 0);
  QVERIFY(waitFor([&] { return hasStep(path, 2); }));
  QCOMPARE(ask({"abort", "long"}).exitCode, 0);
  QVERIFY(waitFor([&] { return m_fixture->queue().entries()->empty(); }));
  QVERIFY(outcomeOf(path).state == RunState::Killed);
  const Json first = ask({"curves", "--json", "long", "--metric", "first"}).json()["curves"][0]["value"];
  QCOMPARE(first.back().get<int>(), before + 1);
}

void TrainScriptTest::gridOverOptions() {
  if (test::modulePython().isEmpty()) QSKIP("there is no python3 here");
  const ShellResult queued =
      ask({"grid", "--json", "--name", "sweep", "--over", "lr=1,0.5", "--set", "steps=2", "--folder",
           m_fixture->file("work"), "--", "python3", "-S", "train.py"});
  QVERIFY2(queued.exitCode == 0, qPrintable(queued.err));
  QCOMPARE(queued.json()["runs"].size(), std::size_t{2});
  QVERIFY(waitFor([&] { return m_fixture->queue().entries()->empty(); }));
  const Json table = ask({"grid", "--json", "--show", "sweep", "--metric", "loss"}).json()["table"];
  QCOMPARE(table["keys"], Json::array({"lr"}));
  QCOMPARE(table["lines"].size(), std::size_t{2});
  QCOMPARE(table["lines"][0]["values"], Json::array({"1"}));
  QCOMPARE(table["lines"][0]["mean"].get<double>(), 0.5);
  QCOMPARE(table["lines"][1]["mean"].get<double>(), 0.25);
}

void TrainScriptTest::stopEndsACommandThatDoesNotListen() {
  const ShellResult queued = train({"--name", "deaf"}, {"sh", "-c", "echo $$ > pid; sleep 60 & wait"});
  const std::string path = pathOf(queued);
  QVERIFY(waitFor([&] { return scriptRuns(path) && !written("pid").empty(); }));
  const Json runs = ask({"runs", "--json"}).json()["runs"];
  QCOMPARE(runs.size(), std::size_t{1});
  QCOMPARE(runs[0]["state"].get<std::string>(), std::string("running"));
  const ShellResult stopped = ask({"stop", "deaf"});
  QVERIFY2(stopped.exitCode == 0 && stopped.out.contains("asked to end"), qPrintable(stopped.out));
  QCOMPARE(m_fixture->waitForEnd(path), RunState::Killed);
  QVERIFY(!scriptRuns(path));
  QVERIFY(waitFor([this] { return ::kill(-std::stoi(written("pid")), 0) != 0; }));  // the sleep has gone, too
}

void TrainScriptTest::aRunnerThatDiesStartsNothingTwice() {
  const std::string path =
      pathOf(train({}, {"sh", "-c", "echo started >> starts; while [ ! -f go ]; do sleep 0.05; done"}));
  QVERIFY(waitFor([&] { return scriptRuns(path) && !written("starts").empty(); }));
  const QueueFolder queue = m_fixture->queue();
  QCOMPARE(::kill(static_cast<pid_t>(queue.runnerPid()), SIGKILL), 0);
  QVERIFY(waitFor([&] { return queue.runnerPid() == 0; }));
  // One that comes while it works watches on.
  const std::string next = pathOf(train({}, {"true"}));
  QVERIFY(waitFor([&] { return queue.runnerPid() != 0; }));
  QVERIFY(waitFor([&] {
    const auto log = readFile(queue.path() + "/runner.log");
    return log.ok() && log->find("watching process") != std::string::npos;
  }));
  QCOMPARE(::kill(static_cast<pid_t>(queue.runnerPid()), SIGKILL), 0);
  QVERIFY(waitFor([&] { return queue.runnerPid() == 0; }));
  write("go", "");
  QVERIFY(waitFor([&] { return !scriptRuns(path); }));
  // And one that comes when it has ended does not start it again.
  QCOMPARE(ask({"run-queue"}).exitCode, 0);
  QVERIFY(outcomeOf(path).state == RunState::Lost);
  QVERIFY(outcomeOf(next).state == RunState::Finished);
  QCOMPARE(written("starts"), std::string("started\n"));
}

QTEST_GUILESS_MAIN(TrainScriptTest)
#include "tst_train_script.moc"
