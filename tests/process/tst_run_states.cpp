// SPDX-License-Identifier: Apache-2.0
// Random sequences of what befalls runs and their runner: no run is called what it is not, and nothing is
// lost. Environment: N = number of sequences (20), SEED = of the first.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QScopeGuard>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "app/runner/runner.h"
#include "app/runner/runner_program.h"
#include "app/runs/run_control.h"
#include "core/library/records/project_library.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

enum class Blow { Kill, Terminate, TimeLimit, Stop, Abort, Runner, Everything, Silence, ClockBack, Delete };
constexpr int kBlows = 10;
const char* const kBlowNames[kBlows] = {"kill",   "terminate",  "time limit", "stop",       "abort",
                                        "runner", "everything", "silence",    "clock back", "delete"};
// What the fake engine is asked to do, and what its attempts end with when nobody disturbs them.
struct Behaviour {
  const char* name;
  std::set<RunState> ends;
  bool saysItsEnd = true;  // by an outcome of its own, at every attempt
};
const Behaviour kBehaviours[] = {
    {"finish", {RunState::Finished}},
    {"crash", {RunState::Crashed}, false},
    {"diverge", {RunState::Diverged}},
    {"bad", {RunState::Failed}},
    {"oom_once", {RunState::Killed, RunState::Finished}, false},
    {"device_fault_once", {RunState::Failed, RunState::Finished}, false},
};

struct Run {
  QueueEntry entry;
  const Behaviour* behaviour;
  int steps = 0;
  bool deleted = false;
  std::map<int, std::set<Blow>> suffered;  // by attempt
};

}  // namespace

class RunStatesTest : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<ProjectFixture> m_fixture;
  std::unique_ptr<QProcess> m_runner;
  std::vector<Run> m_runs;
  std::mt19937 m_chance;
  QStringList m_story;
  bool m_runnerDied = false;

  int drawn(int below) { return static_cast<int>(m_chance() % static_cast<unsigned>(below)); }
  std::string story() const { return m_story.join(QStringLiteral(", ")).toStdString(); }

  void startRunner() {
    if (m_runner && m_runner->state() != QProcess::NotRunning) return;
    m_runner = std::make_unique<QProcess>();
    m_runner->start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                    {"run-queue", "--project", QString::fromStdString(m_fixture->path())});
    QVERIFY(m_runner->waitForStarted());
  }
  // The engine of a run and the attempt that it works on; pid 0 where there is none for certain.
  static std::pair<pid_t, int> engineOf(const Run& run) {
    const RunFolder folder(run.entry.runPath);
    const int before = folder.lastAttempt();
    const auto holder = runLockHolder(run.entry.runPath);
    if (!holder || before == 0 || folder.lastAttempt() != before) return {0, 0};
    return {static_cast<pid_t>(holder->pid), before};
  }
  void killRunner(int number) {
    m_runnerDied = true;
    if (!m_runner || m_runner->state() == QProcess::NotRunning) return;
    if (m_runner->processId() > 0) ::kill(static_cast<pid_t>(m_runner->processId()), number);
    QVERIFY(m_runner->waitForFinished());
  }
  void strike(Run& run, Blow blow, int number) {
    const auto [pid, attempt] = engineOf(run);
    if (pid == 0) return;
    run.suffered[attempt].insert(blow);
    run.suffered[attempt + 1].insert(blow);  // it may have gone on meanwhile
    ::kill(pid, number);
  }
  static void setTime(const std::string& path, long secondsFromNow) {
    timespec times[2] = {};
    ::clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec += secondsFromNow;
    times[1] = times[0];
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
  }
  // Stopped or gone, by its letter in /proc behind the name, which may hold any character.
  static bool isAtRest(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string words;
    if (!std::getline(file, words)) return true;
    const std::size_t name = words.rfind(')');
    return name + 2 < words.size() && std::string("TZX").find(words[name + 2]) != std::string::npos;
  }
  // Not heard for 41 minutes, or written in the future: it runs all the same, and goes on by itself.
  void pause(Run& run, long secondsFromNow) {
    const auto [pid, attempt] = engineOf(run);
    if (pid == 0 || ::kill(pid, SIGSTOP) != 0) return;
    const auto goesOn = qScopeGuard([pid = pid] { ::kill(pid, SIGCONT); });
    // A busy machine stops it later than it is told to, and it may be writing meanwhile.
    QVERIFY(test::waitFor([pid = pid] { return isAtRest(pid); }));
    setTime(RunFolder(run.entry.runPath).eventsPath(attempt), secondsFromNow);
    const RunFolder folder(run.entry.runPath);
    const auto outcome = folder.outcome(attempt);
    if (!outcome && runLockHolder(run.entry.runPath)) {
      QCOMPARE(folder.state(), RunState::Running);
      QCOMPARE(static_cast<int>(folder.silence() / 60), secondsFromNow < 0 ? 41 : 0);
    }
  }
  void remove(Run& run) {
    const ShellResult shell =
        m_fixture->fathom({"delete", "--project", QString::fromStdString(m_fixture->path()),
                           QString::fromStdString(run.entry.uuid)});
    if (shell.exitCode != 0) return;
    // It had ended, whatever it was a moment ago: nobody works on it and nobody will.
    run.deleted = true;
    run.entry.runPath = m_fixture->path() + "/trash/" + run.entry.uuid;
    const auto waiting = m_fixture->queue().entries().value();
    QVERIFY2(!runLockHolder(run.entry.runPath) &&
                 std::ranges::none_of(waiting,
                                      [&](const QueueEntry& entry) { return entry.uuid == run.entry.uuid; }),
             story().c_str());
    QVERIFY2(fs::exists(run.entry.runPath + "/run.json"), run.entry.runPath.c_str());
  }
  void befall(Blow blow, Run& run) {
    m_story.append(QString::fromLatin1(kBlowNames[static_cast<int>(blow)]) + QLatin1Char(' ') +
                   QString::fromStdString(run.entry.uuid.substr(0, 4)));
    switch (blow) {
      case Blow::Kill:
        return strike(run, blow, SIGKILL);
      case Blow::Terminate:
        return strike(run, blow, SIGTERM);
      case Blow::TimeLimit:
        return strike(run, blow, SIGXCPU);
      case Blow::Stop:
      case Blow::Abort: {
        const int attempt = RunFolder(run.entry.runPath).lastAttempt();
        for (const int hit : {attempt, attempt + 1}) run.suffered[hit].insert(blow);
        const ControlTarget target{run.entry.uuid, "", run.entry.runPath};
        (void)(blow == Blow::Stop ? stopRun(m_fixture->path(), target) : abortRun(m_fixture->path(), target));
        return;
      }
      case Blow::Runner:
        return killRunner(drawn(2) == 0 ? SIGKILL : SIGTERM);
      case Blow::Everything:
        // Also while one of them is stopping.
        if (drawn(2) == 0) befall(Blow::Stop, run);
        killRunner(SIGKILL);
        for (Run& each : m_runs) strike(each, Blow::Everything, SIGKILL);
        return;
      case Blow::Silence:
        return pause(run, -41 * 60 - 5);
      case Blow::ClockBack:
        return pause(run, 86400);
      case Blow::Delete:
        return remove(run);
    }
  }

  // What a run is called at any moment.
  void checkWords() {
    for (const Run& run : m_runs) {
      const RunFolder folder(run.entry.runPath);
      const bool held = runLockHolder(run.entry.runPath).has_value();
      const RunState state = folder.exists() ? folder.state() : RunState::Queued;
      const auto outcome = folder.outcome(folder.lastAttempt());
      const bool same = held == runLockHolder(run.entry.runPath).has_value();
      if (!same) continue;  // it ended, or began, while it was looked at
      QVERIFY2(state != RunState::Running || held || outcome || folder.outcome(folder.lastAttempt()),
               story().c_str());
      QVERIFY2(state != RunState::Finished || outcome || folder.outcome(folder.lastAttempt()),
               story().c_str());
    }
  }
  std::set<RunState> allowed(const Run& run, int attempt) const {
    std::set<RunState> states = run.behaviour->ends;
    // Nobody saw it end where the runner had died: the engine itself says what it can.
    if (m_runnerDied && !run.behaviour->saysItsEnd) states.insert(RunState::Lost);
    const auto found = run.suffered.find(attempt);
    if (found == run.suffered.end()) return states;
    for (const Blow blow : found->second) {
      if (blow == Blow::Terminate || blow == Blow::Stop) states.insert(RunState::Stopped);
      if (blow == Blow::Stop || blow == Blow::Abort || blow == Blow::Kill || blow == Blow::TimeLimit)
        states.insert(RunState::Killed);
      if (blow != Blow::Stop && blow != Blow::Terminate) states.insert(RunState::Lost);
      if (blow == Blow::Terminate) states.insert({RunState::Killed, RunState::Lost});
      if (blow == Blow::Everything) states.insert(RunState::Killed);
    }
    return states;
  }
  static bool takenOut(const Run& run) {
    return std::ranges::any_of(run.suffered, [](const auto& each) {
      return each.second.contains(Blow::Stop) || each.second.contains(Blow::Abort);
    });
  }
  void checkAttempt(const Run& run, int attempt) {
    const RunFolder folder(run.entry.runPath);
    const auto outcome = folder.outcome(attempt);
    const std::string what = run.entry.uuid.substr(0, 4) + " (" + run.behaviour->name + ") attempt " +
                             std::to_string(attempt) + ": " +
                             (outcome ? std::string(runStateName(outcome->state)) + "/" + outcome->cause +
                                            ": " + outcome->message.english()
                                      : "no outcome") +
                             " after " + story();
    if (!outcome && takenOut(run)) {
      QCOMPARE(folder.state(), RunState::Crashed);  // cut off with its runner, and not to be gone on with
      return;
    }
    QVERIFY2(outcome, what.c_str());
    QVERIFY2(allowed(run, attempt).contains(outcome->state), what.c_str());
    if (outcome->state == RunState::Finished)
      QVERIFY2(outcome->exitCode == 0 && outcome->step == run.steps, what.c_str());
    if (outcome->cause == "time_limit")
      QVERIFY2(run.suffered.at(attempt).contains(Blow::TimeLimit), what.c_str());
    EventReader reader(folder.eventsPath(attempt));
    (void)reader.poll();
    QVERIFY2(reader.badLines() == 0 && reader.missingEvents() == 0, what.c_str());
  }
  void checkEnd() {
    QVERIFY2(m_fixture->queue().entries()->empty(), story().c_str());
    for (const Run& run : m_runs) {
      const RunFolder folder(run.entry.runPath);
      QVERIFY2(!runLockHolder(run.entry.runPath), story().c_str());
      const bool withdrawn = !folder.exists() && takenOut(run);
      if (withdrawn) continue;  // a person took it out of the queue before it began
      QVERIFY2(folder.exists() && folder.lastAttempt() > 0, story().c_str());
      for (const int attempt : folder.attempts()) checkAttempt(run, attempt);
    }
  }
  void playSequence(unsigned seed) {
    m_chance.seed(seed);
    m_fixture = std::make_unique<ProjectFixture>();
    qputenv("FATHOM_RESTART_SECONDS", "0.02");
    m_runs.clear();
    m_runnerDied = false;
    m_story = {QStringLiteral("SEED=%1").arg(seed)};
    QueueSettings settings;
    settings.concurrentCpuRuns = 1 + drawn(3);
    QVERIFY(m_fixture->queue().setSettings(settings).ok());
    for (int i = 0, count = 1 + drawn(3); i < count; ++i) {
      const Behaviour& behaviour = kBehaviours[drawn(3) == 0 ? drawn(std::size(kBehaviours)) : 0];
      const int steps = 20 + drawn(60);
      m_runs.push_back({m_fixture->enqueue(behaviour.name, steps, 4), &behaviour, steps, false, {}});
    }
    startRunner();
    (void)test::waitFor([&] { return runLockHolder(m_runs.front().entry.runPath).has_value(); });
    for (int i = 0, count = 2 + drawn(5); i < count && !QTest::currentTestFailed(); ++i) {
      Run& run = m_runs[static_cast<std::size_t>(drawn(static_cast<int>(m_runs.size())))];
      if (!run.deleted) befall(static_cast<Blow>(drawn(kBlows)), run);
      checkWords();
      QTest::qSleep(drawn(60));  // anywhere in its life
      if (drawn(2) == 0) startRunner();
      checkWords();
    }
    // Whatever is left is done by the next runner.
    if (m_runner && m_runner->state() != QProcess::NotRunning) QVERIFY(m_runner->waitForFinished(60000));
    RunnerOptions options = runnerOptions(m_fixture->path()).value();
    options.pollSeconds = options.restartSeconds = 0.01;
    options.lingerSeconds = 5;
    const auto status = Runner(std::move(options)).run(StopToken());
    QVERIFY2(status.ok() && status->has_value(), story().c_str());
    checkEnd();
  }

 private Q_SLOTS:
  void initTestCase() {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
  }
  void noWrongWord_data() {
    QTest::addColumn<uint>("seed");
    const int count = qEnvironmentVariableIntValue("N") > 0 ? qEnvironmentVariableIntValue("N") : 20;
    const auto first = static_cast<uint>(qEnvironmentVariableIntValue("SEED"));
    for (uint i = 0; i < static_cast<uint>(count); ++i)
      QTest::newRow(qPrintable(QStringLiteral("seed %1").arg(first + i))) << first + i;
  }
  void noWrongWord() {
    QFETCH(uint, seed);
    playSequence(seed);
  }
};

QTEST_GUILESS_MAIN(RunStatesTest)
#include "tst_run_states.moc"
