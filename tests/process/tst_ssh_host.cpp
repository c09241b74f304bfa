// SPDX-License-Identifier: Apache-2.0
// ctest: waits
// Hosts that behave badly, over a real sshd: started anew, away for long, with a clock that is wrong, with
// folders of runs that somebody takes away, with many runs at once. No run is lost, doubled or called what it
// is not.
#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_lock.h"
#include "tests/all_tests.h"
#include "tests/process/support_ssh.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

namespace {

const QStringList kSteadyRun = {"--set", "fake.steps=3000", "--set", "fake.milliseconds=20"};
// The shell of the test's sshd goes on in a mount namespace, where the machine has another boot id.
constexpr const char* kOtherBoot =
    "exec unshare -m sh -c 'mount --bind \"$0\" /proc/sys/kernel/random/boot_id && eval "
    "\"$SSH_ORIGINAL_COMMAND\"' ";

}  // namespace

class SshHostTest : public QObject, private test::SshFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup();
  void cleanupTestCase() { stop(); }
  void aHostIsStartedAnew();
  void aHostIsAwayForTenMinutes();
  void theMasterIsKilled();
  void foldersThereMayGo_data();
  void foldersThereMayGo();
  void clocksMayDiffer_data();
  void clocksMayDiffer();
  void manyRunAtOnce();
  void anotherProcessorIsNamed();

 private:
  // The machine is off: without connections, and nothing of the run goes on.
  void powerOff(const std::string& uuid) const;
  void boot(const char* id) const;
};

void SshHostTest::initTestCase() {
  const QString why = start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no sshd: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
}

void SshHostTest::cleanup() {
  qputenv("FATHOM_PLACE_SECONDS", "0.2");
  here("start");  // where a test has failed while it was off
  leaveProject();
}

void SshHostTest::powerOff(const std::string& uuid) const {
  const auto engine = runLockHolder(original(uuid).path());
  QVERIFY(engine && engine->pid > 1);
  here("stop");
  for (const auto& entry : listFolder(hostFolder.toStdString() + "/start")) {
    if (entry.path().extension() != ".pid") continue;
    const auto shell = static_cast<pid_t>(memberInteger(readJsonFile(entry.path().string()).value(), "pid"));
    QVERIFY(shell > 1);
    ::kill(-shell, SIGKILL);
  }
  QVERIFY(waitFor([&] { return !runLockHolder(original(uuid).path()); }));
}

void SshHostTest::boot(const char* id) const {
  QVERIFY(writeFileAtomically(path("boot").toStdString(), std::string(id) + "\n").ok());
  setEnvironment(kOtherBoot + ("'" + path("boot").toStdString() + "'\n"));
}

// While nobody watches, too: the runner is another one afterwards.
void SshHostTest::aHostIsStartedAnew() {
  if (::geteuid() != 0) QSKIP("another boot id takes root");
  boot("11111111-0000-4000-8000-000000000000");
  addPlace();
  const std::string run = train(kSteadyRun);
  QVERIFY(trains(run));
  QCOMPARE(runLockHolder(original(run).path())->bootId, std::string("11111111-0000-4000-8000-000000000000"));
  endRunner(SIGKILL);
  powerOff(run);
  boot("22222222-0000-4000-8000-000000000000");
  QCOMPARE(here("start"), QString());
  QProcess runner;
  startRunner(runner);
  QVERIFY(trains(run, 2));
  QCOMPARE(folder(run).outcome(1)->cause, std::string("node_lost"));
  QCOMPARE(original(run).outcome(1)->cause, std::string("node_lost"));
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(emptied());
  runner.waitForFinished();
  QCOMPARE(folder(run).state(), RunState::Stopped);
  QCOMPARE(folder(run).lastAttempt(), 2);
  QCOMPARE(difference(run), QString());
}

// In a clock that is 150 times as fast: pauses of 0.1 to 0.4 seconds stand for those of up to a minute.
void SshHostTest::aHostIsAwayForTenMinutes() {
  qputenv("FATHOM_PLACE_SECONDS", "0.1");
  const QString ssh = path("counting_ssh"), calls = path("calls");
  QFile::remove(calls);
  std::ofstream(ssh.toStdString()) << "#!/bin/sh\ndate +%s.%N >>'" << calls.toStdString()
                                   << "'\nexec ssh \"$@\"\n";
  QFile::setPermissions(ssh, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  addPlace({"--set", "program=" + ssh});
  const std::string run = train({"--set", "fake.steps=100", "--set", "fake.milliseconds=20"});
  QVERIFY(trains(run));
  const auto times = [&] {
    QFile file(calls);
    QStringList lines;
    if (file.open(QIODevice::ReadOnly))
      lines = QString::fromLatin1(file.readAll()).split('\n', Qt::SkipEmptyParts);
    return lines;
  };
  const qsizetype before = times().size(), tries = test::allTests() ? 12 : 8;
  here("stop");
  QVERIFY(waitFor([&] { return times().size() >= before + tries; }, 60));
  // Ever more seldom, and never less often than at the longest pause.
  const QStringList all = times();
  for (qsizetype i = before + 3; i < before + tries; ++i) {
    const double pause = all[i].toDouble() - all[i - 1].toDouble();
    QVERIFY2(pause >= 0.39 && pause < 10, qPrintable(QString::number(pause)));
  }
  QVERIFY(folder(run).state() == RunState::Running);
  QVERIFY2(ask({"runs"}).out.contains("not heard since"), qPrintable(ask({"runs"}).out));
  QCOMPARE(here("start"), QString());
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Finished);
  QCOMPARE(folder(run).lastAttempt(), 1);
  QCOMPARE(difference(run), QString());
}

// Each ssh of this place here, with the connection that they share.
void SshHostTest::theMasterIsKilled() {
  addPlace();
  const std::string run = train(kSteadyRun);
  QVERIFY(trains(run));
  const std::string engine = std::to_string(runLockHolder(original(run).path())->pid);
  const std::string config = path("config").toStdString();
  int killed = 0;
  for (const auto& entry : listFolder("/proc")) {
    const int pid = std::atoi(entry.path().filename().c_str());
    const auto name = readFile(entry.path().string() + "/comm"),
               words = readFile(entry.path().string() + "/cmdline");
    // A master has a line of its own for what ps shows.
    const bool ours =
        words.ok() && (words->find(config) != std::string::npos ||
                       words->find(qgetenv("XDG_RUNTIME_DIR").toStdString()) != std::string::npos);
    if (pid > 1 && name.ok() && *name == "ssh\n" && ours && ::kill(pid, SIGKILL) == 0) ++killed;
  }
  QVERIFY(killed > 0);
  const auto before = fileBytes(folder(run).eventsPath(1));
  QVERIFY(waitFor([&] { return fileBytes(folder(run).eventsPath(1)) > before + 2000; }, 60));
  QCOMPARE(std::to_string(runLockHolder(original(run).path())->pid), engine);
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(emptied());
  QCOMPARE(folder(run).lastAttempt(), 1);
  QCOMPARE(difference(run), QString());
}

void SshHostTest::foldersThereMayGo_data() {
  QTest::addColumn<QString>("how");
  QTest::addColumn<QString>("words");
  QTest::newRow("deleted") << "deleted"
                           << "is not there any more";
  if (test::allTests())
    QTest::newRow("moved") << "moved"
                           << "is not there any more";
  QTest::newRow("replaced") << "replaced"
                            << "holds another run";
}

void SshHostTest::foldersThereMayGo() {
  QFETCH(QString, how);
  QFETCH(QString, words);
  addPlace();
  const std::string run = train(kSteadyRun);
  QVERIFY(trains(run));
  const std::string there = original(run).path();
  QVERIFY(waitFor([&] { return folder(run).exists(); }));
  const auto identity = readFile(folder(run).path() + "/run.json").value();
  const auto copied = fileBytes(folder(run).eventsPath(1));
  std::filesystem::rename(there, there + ".moved");
  if (how == "deleted") std::filesystem::remove_all(there + ".moved");
  if (how == "replaced") {
    QVERIFY(RunFolder::create(there, {makeUuid(), "another", "", Json::object(), {}}).ok());
    std::filesystem::create_directories(there + "/attempts/0002");
    QVERIFY(writeFileAtomically(there + "/attempts/0002/events.jsonl", std::string(90000, 'e')).ok());
  }
  QVERIFY(waitFor([&] { return QString::fromStdString(memberText(note(run), "reason")).contains(words); }));
  QVERIFY(folder(run).state() == RunState::Running);
  if (how == "replaced") {
    const ShellResult fetched = ask({"fetch", QString::fromStdString(run), "--checkpoints"});
    QVERIFY2(fetched.exitCode != 0 && fetched.err.contains(words), qPrintable(fetched.out + fetched.err));
    QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  }
  project().hurry();
  QVERIFY(emptied());
  QVERIFY(isFailure(folder(run).state()));
  const QString message = QString::fromStdString(folder(run).outcome(1)->message.english());
  QVERIFY2(message.contains(words), qPrintable(message));
  QCOMPARE(folder(run).lastAttempt(), 1);
  QCOMPARE(readFile(folder(run).path() + "/run.json").value(), identity);
  QVERIFY(fileBytes(folder(run).eventsPath(1)) >= copied);
  // A wish for a run is none for the one that lies in its place.
  QVERIFY(!folderExists(there + "/control"));
}

void SshHostTest::clocksMayDiffer_data() {
  QTest::addColumn<int>("shift");
  QTest::newRow("behind") << -600;
  if (test::allTests()) QTest::newRow("ahead") << 600;
}

void SshHostTest::clocksMayDiffer() {
  QFETCH(int, shift);
  setEnvironment("export LD_PRELOAD='" FATHOM_BIN_DIR
                 "/../tests/clock/libshifted_clock.so' FATHOM_CLOCK_SHIFT=" +
                 std::to_string(shift) + "\n");
  addPlace();
  const std::string run = train({"--set", "fake.steps=40", "--set", "fake.milliseconds=10", "--set",
                                 "fake.behaviour=device_fault_once"});
  QVERIFY(trains(run));
  EventReader reader(folder(run).eventsPath(1));
  const auto events = reader.poll().value();
  QVERIFY(!events.empty());
  QVERIFY(std::fabs(events.front().time - static_cast<double>(std::time(nullptr)) - shift) < 100);
  QVERIFY2(!ask({"runs"}).out.contains("not heard"), qPrintable(ask({"runs"}).out));
  QVERIFY(emptied());
  QCOMPARE(folder(run).lastAttempt(), 2);  // the fault counts as one of the last hour
  QCOMPARE(folder(run).outcome(1)->cause, std::string("device_fault"));
  QCOMPARE(folder(run).state(), RunState::Finished);
  QVERIFY(fileBytes(original(run).eventsPath(2)) > 0 &&
          fileBytes(original(run).eventsPath(2)) == fileBytes(folder(run).eventsPath(2)));
  const Json curves = ask({"curves", QString::fromStdString(run), "--json"}).json();
  QVERIFY(!curves["curves"].empty());
}

void SshHostTest::manyRunAtOnce() {
  const int runs = test::allTests() ? 200 : 16;
  addPlace({"--limit", "running=" + QString::number(runs)});
  QStringList seeds;
  for (int i = 1; i <= runs; ++i) seeds << QString::number(i);
  const ShellResult queued = ask({"grid", "--place", "there", "--over", "seed=" + seeds.join(','), "--set",
                                  "fake.steps=3000", "--set", "fake.milliseconds=200", "--json"});
  QVERIFY2(queued.exitCode == 0, qPrintable(queued.err));
  std::vector<std::string> all;
  const Json grid = queued.json();
  for (const Json& each : grid["runs"]) all.push_back(each.get<std::string>());
  QCOMPARE(all.size(), static_cast<std::size_t>(runs));
  QElapsedTimer clock;
  clock.start();
  const auto atWork = [&](const std::string& run) { return runLockHolder(original(run).path()).has_value(); };
  QVERIFY(waitFor([&] { return std::all_of(all.begin(), all.end(), atWork); }, 120));
  qInfo("%d runs are at work after %lld ms", runs, clock.elapsed());
  for (const std::string& run : all) QVERIFY(trains(run));
  QStringList words = {"stop"};
  for (const std::string& run : all) words << QString::fromStdString(run);
  QCOMPARE(ask(words).exitCode, 0);
  QVERIFY(emptied(180));
  for (const std::string& run : all) {
    QCOMPARE(folder(run).state(), RunState::Stopped);
    QCOMPARE(folder(run).lastAttempt(), 1);
    QCOMPARE(difference(run), QString());
  }
}

void SshHostTest::anotherProcessorIsNamed() {
  const QString bin = path("arm");
  QVERIFY(QDir().mkpath(bin));
  std::ofstream((bin + "/uname").toStdString()) << "#!/bin/sh\necho Linux aarch64\n";
  QFile::setPermissions(bin + "/uname", QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  setEnvironment("export PATH='" + bin.toStdString() + "':$PATH\n");
  addPlace();
  const ShellResult checked = ask({"check-place", "there"});
  QVERIFY2(checked.exitCode != 0 &&
               checked.err.contains("host there is Linux aarch64, engines are made for Linux x86_64") &&
               checked.err.contains("choose a host"),
           qPrintable(checked.out + checked.err));
  QVERIFY(!QFile::exists(hostFolder + "/bin"));
}

QTEST_GUILESS_MAIN(SshHostTest)
#include "tst_ssh_host.moc"
