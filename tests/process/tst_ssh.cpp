// SPDX-License-Identifier: Apache-2.0
// Runs on a host over a real sshd of this user on the loopback; skipped where there is none. The host's
// folder is another one of this disk: copies and originals are compared byte for byte.
#include <signal.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

namespace {

const QStringList kLongRun = {"--set", "fake.steps=3000", "--set", "fake.milliseconds=20"};

}  // namespace

class SshTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void cleanupTestCase() { here("stop"); }
  void aRunIsTrainedThere();
  void chatterAndOddPathsAreNoMatter();
  void cutConnectionsChangeNothing();
  void theRunnerMayGo();
  void theHostMayBeAway();
  void wishesAreCarried();
  void whatOnlyWaitsIsCalledOff();
  void faultsAreStartedAgain();
  void theHostIsLookedAt();
  void anEngineIsBrought();
  void errorsAreNamed_data();
  void errorsAreNamed();

 private:
  QString here(const char* what) const {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fakes/sshd_here.sh"),
                  {QString::fromLatin1(what), m_sshd->path()});
    process.waitForFinished(60000);
    return process.exitCode() == 0 ? QString() : QString::fromUtf8(process.readAll()) + QLatin1Char(' ');
  }
  // As if the network had gone: every connection ends, without a word.
  void cut() const {
    const auto pid = readFile(m_sshd->filePath("sshd.pid").toStdString());
    if (!pid.ok()) return;
    QProcess list;
    list.start(QStringLiteral("ps"), {"-o", "pid=", "--ppid", QString::fromStdString(*pid).trimmed()});
    list.waitForFinished();
    for (const QByteArray& child : list.readAllStandardOutput().split('\n'))
      if (const int number = child.trimmed().toInt(); number > 1) ::kill(number, SIGKILL);
  }
  ShellResult ask(QStringList words, const QStringList& environment = {}) const {
    return m_project->fathom(
        words << QStringLiteral("--project") << QString::fromStdString(m_project->path()), environment, 120);
  }
  void addPlace(QStringList words = {}) const {
    const QStringList place = {
        "add-place",  "there",
        "--launcher", "ssh",
        "--set",      "host=there",
        "--set",      "options=-F " + m_sshd->filePath("config"),
        "--set",      QStringLiteral("engine=") + FATHOM_BIN_DIR "/../tests/fake_engine",
        "--root",     m_host};
    const ShellResult added = ask(place + words);
    QVERIFY2(added.exitCode == 0, qPrintable(added.err));
  }
  std::string train(QStringList words) const {
    const ShellResult result = ask(QStringList{"train", "--json", "--place", "there"} + words);
    if (result.exitCode != 0) qWarning("%s", qPrintable(result.err));
    return result.exitCode == 0 ? result.json()["run"]["uuid"].get<std::string>() : std::string();
  }
  RunFolder folder(const std::string& uuid) const { return RunFolder(m_project->path() + "/runs/" + uuid); }
  RunFolder original(const std::string& uuid) const {
    return RunFolder(m_host.toStdString() + "/runs/" + uuid);
  }
  Json note(const std::string& uuid) const {
    const auto text = readFile(m_project->queue().path() + "/places/" + uuid + ".json");
    return text.ok() ? Json::parse(*text, nullptr, false) : Json::object();
  }
  bool emptied(int seconds = 60) const {
    const bool empty = waitFor([&] { return m_project->queue().entries()->empty(); }, seconds);
    if (!empty) qWarning("%s", readFile(m_project->queue().path() + "/runner.log").value().c_str());
    return empty;
  }
  bool trains(const std::string& uuid) const {
    return waitFor([&] { return fileBytes(folder(uuid).eventsPath(1)) > 400; }, 60);
  }
  void endRunner(int signal) const {
    const auto runner = static_cast<pid_t>(m_project->queue().runnerPid());
    if (runner > 0) ::kill(runner, signal);
    waitFor([&] { return m_project->queue().runnerPid() == 0; });
  }
  // The copy holds what the original does, byte for byte.
  void compare(const std::string& uuid) const {
    for (const char* file : {"run.json", "attempts/0001/events.jsonl", "attempts/0001/config.json",
                             "attempts/0001/outcome.json"}) {
      const auto there = readFile(original(uuid).path() + "/" + file),
                 copy = readFile(folder(uuid).path() + "/" + file);
      QVERIFY2(there.ok() && copy.ok() && *there == *copy, file);
    }
    QVERIFY(!runLockHolder(folder(uuid).path()));
    QVERIFY(!mirrorNote(folder(uuid).path())->running);
  }

  std::unique_ptr<QTemporaryDir> m_sshd;
  std::unique_ptr<ProjectFixture> m_project;
  QString m_host;
};

void SshTest::initTestCase() {
  m_sshd = std::make_unique<QTemporaryDir>(QDir::tempPath() + QStringLiteral("/sshXXXXXX"));
  const QString why = here("start");
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no sshd: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
  qputenv("FATHOM_PLACE_SECONDS", "0.2");
}

void SshTest::init() {
  m_project = std::make_unique<ProjectFixture>();
  m_host = m_project->file("host");
  QFile::remove(m_sshd->filePath("chatter"));
}

void SshTest::cleanup() {
  endRunner(SIGTERM);
  // Engines of a test that has failed.
  for (const auto& entry : listFolder(m_host.toStdString() + "/runs"))
    if (const auto holder = runLockHolder(entry.path().string()); holder && processLives(*holder))
      ::kill(static_cast<pid_t>(holder->pid), SIGKILL);
  m_project.reset();
}

void SshTest::aRunIsTrainedThere() {
  addPlace();
  const std::string run = train({"--set", "fake.steps=150", "--set", "fake.milliseconds=10"});
  QVERIFY(!run.empty());
  QVERIFY(trains(run));
  // Here it is a run that trains, with its host in the table.
  QVERIFY(waitFor([&] { return memberText(note(run), "state") == "running"; }));
  QVERIFY(folder(run).state() == RunState::Running || folder(run).outcome(1));
  QVERIFY2(ask({"runs"}).out.contains("there"), qPrintable(ask({"runs"}).out));
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Finished);
  QCOMPARE(folder(run).lastAttempt(), 1);
  compare(run);
  const Json curves = ask({"curves", QString::fromStdString(run), "--json"}).json();
  QVERIFY(!curves["curves"].empty());
  // Both sides have forgotten the start.
  QVERIFY(waitFor([&] { return listFolder(m_host.toStdString() + "/start").empty(); }));
  QVERIFY(listFolder(m_project->queue().path() + "/ssh").empty());
}

void SshTest::chatterAndOddPathsAreNoMatter() {
  std::ofstream(m_sshd->filePath("chatter").toStdString()) << "Welcome to the machine!\nno line's end ->";
  m_host = m_project->file("a host's \"odd\" folder, größer");
  addPlace({"--before", "echo more chatter", "--before", "export FATHOM_SAID=yes"});
  const std::string run = train({"--set", "fake.steps=20", "--name", "a 'name'"});
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Finished);
  compare(run);
}

void SshTest::cutConnectionsChangeNothing() {
  const unsigned seed = std::getenv("SEED") ? static_cast<unsigned>(std::atoi(std::getenv("SEED"))) : 5;
  qInfo("SEED=%u", seed);
  std::mt19937 random(seed);
  const int cuts = std::getenv("FATHOM_ALL_TESTS") ? 50 : 4;
  addPlace();
  const std::string run = train(kLongRun);
  QVERIFY(trains(run));
  for (int i = 0; i < cuts; ++i) {
    const auto before = fileBytes(folder(run).eventsPath(1)) + random() % 2000;
    QVERIFY(waitFor([&] { return fileBytes(folder(run).eventsPath(1)) > before; }, 60));
    cut();
    QVERIFY(folder(run).state() == RunState::Running);
  }
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Stopped);
  QCOMPARE(folder(run).lastAttempt(), 1);
  compare(run);
}

void SshTest::theRunnerMayGo() {
  addPlace({"--limit", "running=2"});
  const std::string first = train(kLongRun + QStringList{"--name", "first"});
  const std::string second = train(kLongRun + QStringList{"--name", "second"});
  const std::string waits = train({"--name", "waits", "--set", "fake.steps=5"});
  QVERIFY(trains(first) && trains(second));
  const auto holder = runLockHolder(original(first).path());
  for (int i = 0; i < 2; ++i) {
    endRunner(SIGKILL);
    QVERIFY(runLockHolder(original(first).path()).has_value());
    QVERIFY(folder(first).state() == RunState::Running);
    const auto before = fileBytes(folder(first).eventsPath(1));
    // One that somebody starts; another one beside it is refused.
    QProcess runner;
    runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
                 {"run-queue", "--project", QString::fromStdString(m_project->path())});
    QVERIFY(waitFor([&] { return m_project->queue().runnerPid() != 0; }, 60));
    const ShellResult other = ask({"run-queue"});
    QVERIFY2((other.out + other.err).contains(QLatin1String("another runner")),
             qPrintable(other.out + other.err));
    QVERIFY(waitFor([&] { return fileBytes(folder(first).eventsPath(1)) > before; }, 60));
    endRunner(SIGKILL);
    runner.waitForFinished();
  }
  QCOMPARE(runLockHolder(original(first).path())->pid, holder->pid);
  QVERIFY(!original(waits).exists());                      // two at once, as the place allows
  QCOMPARE(ask({"stop", "first", "second"}).exitCode, 0);  // nobody is there to carry it yet
  QProcess runner;
  runner.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
               {"run-queue", "--project", QString::fromStdString(m_project->path())});
  QVERIFY(emptied());
  runner.waitForFinished();
  for (const std::string& run : {first, second}) {
    QCOMPARE(folder(run).state(), RunState::Stopped);
    QCOMPARE(folder(run).lastAttempt(), 1);
    QCOMPARE(original(run).lastAttempt(), 1);
    compare(run);
  }
  QCOMPARE(folder(waits).state(), RunState::Finished);
}

void SshTest::theHostMayBeAway() {
  addPlace();
  const std::string run = train({"--set", "fake.steps=300", "--set", "fake.milliseconds=10"});
  QVERIFY(trains(run));
  here("stop");
  QVERIFY(waitFor([&] { return !memberText(note(run), "silent_from").empty(); }, 60));
  // It is as it was, and the table says since when nothing was heard.
  QCOMPARE(memberText(note(run), "state"), std::string("running"));
  QVERIFY(folder(run).state() == RunState::Running);
  QVERIFY2(ask({"runs"}).out.contains("not heard since"), qPrintable(ask({"runs"}).out));
  QVERIFY(waitFor([&] { return original(run).outcome(1).has_value(); }, 60));  // it has ended meanwhile
  QVERIFY(folder(run).state() == RunState::Running);
  QCOMPARE(here("start"), QString());
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Finished);
  compare(run);
}

void SshTest::wishesAreCarried() {
  addPlace({"--limit", "running=3"});
  const std::string stopped = train(kLongRun + QStringList{"--name", "stopped"});
  const std::string aborted = train(kLongRun + QStringList{"--name", "aborted"});
  const std::string hanging = train({"--name", "hanging", "--set", "fake.behaviour=stall"});
  QVERIFY(trains(stopped) && trains(aborted) && trains(hanging));
  QCOMPARE(ask({"stop", "stopped"}).exitCode, 0);
  QCOMPARE(ask({"abort", "aborted"}).exitCode, 0);
  QCOMPARE(ask({"abort", "hanging"}).exitCode, 0);  // does not heed it: it is killed there
  QVERIFY(emptied());
  QCOMPARE(folder(stopped).state(), RunState::Stopped);
  for (const std::string& run : {aborted, hanging}) {
    QCOMPARE(folder(run).state(), RunState::Killed);
    QCOMPARE(folder(run).lastAttempt(), 1);
    QVERIFY(!runLockHolder(original(run).path()));
  }
}

void SshTest::whatOnlyWaitsIsCalledOff() {
  addPlace();
  const std::string first = train(kLongRun + QStringList{"--name", "first"});
  QVERIFY(trains(first));
  const std::string waits = train(kLongRun + QStringList{"--name", "waits"});
  QVERIFY(waitFor([&] { return memberText(note(waits), "state") == "submitting"; }));
  QCOMPARE(ask({"stop", "waits"}).exitCode, 0);
  QVERIFY(waitFor([&] { return m_project->queue().entries()->size() == 1; }, 60));
  QVERIFY(!original(waits).exists());
  QCOMPARE(ask({"stop", "first"}).exitCode, 0);
  QVERIFY(emptied());
  QCOMPARE(folder(first).state(), RunState::Stopped);
}

// The runner restarts here: the host knows nothing of retries.
void SshTest::faultsAreStartedAgain() {
  addPlace({"--limit", "running=2"});
  const std::string fault = train({"--name", "fault", "--set", "fake.behaviour=device_fault_once"});
  const std::string early = train({"--name", "early", "--set", "fake.behaviour=die_before_folder"});
  QVERIFY(emptied());
  QCOMPARE(folder(fault).lastAttempt(), 2);
  QCOMPARE(folder(fault).outcome(1)->cause, std::string("device_fault"));
  QCOMPARE(folder(fault).outcome(2)->state, RunState::Finished);
  QCOMPARE(original(fault).outcome(1)->cause, std::string("device_fault"));  // it was told
  QCOMPARE(folder(early).outcome(1)->state, RunState::Crashed);
}

void SshTest::theHostIsLookedAt() {
  addPlace();
  const ShellResult checked = ask({"check-place", "there", "--json"});
  QVERIFY2(checked.exitCode == 0, qPrintable(checked.err));
  const Json facts = checked.json()["facts"];
  QCOMPARE(memberText(facts, "root"), m_host.toStdString());
  QCOMPARE(memberText(facts, "writable"), std::string());
  QVERIFY(memberFlag(facts, "locks", false));
  QVERIFY(memberText(facts, "glibc").starts_with("2."));
  QVERIFY2(checked.json()["troubles"].empty(), qPrintable(checked.out));
}

void SshTest::anEngineIsBrought() {
  addPlace({"--set", "engine="});
  const ShellResult before = ask({"check-place", "there"});
  QVERIFY2(before.exitCode == 0 && before.out.contains("has no engine"), qPrintable(before.out + before.err));
  const ShellResult refused = ask({"train", "--place", "there", "--wait", "--set", "fake.steps=5"});
  QVERIFY(refused.exitCode != 0);
  QVERIFY2(refused.err.contains("prepare-place there"), qPrintable(refused.err));
  const ShellResult brought = ask({"prepare-place", "there", "--json"});
  QVERIFY2(brought.exitCode == 0, qPrintable(brought.err));
  QVERIFY2(brought.json()["troubles"].empty(), qPrintable(brought.out));
  QVERIFY(brought.json()["facts"]["sent_bytes"].get<std::int64_t>() > 100000);
  const Json again = ask({"prepare-place", "there", "--json"}).json();
  QCOMPARE(again["facts"]["sent_bytes"].get<std::int64_t>(), std::int64_t{0});
  const ShellResult queue = ask({"run-queue"});  // the run that was refused waits
  QVERIFY2(queue.exitCode == 0, qPrintable(queue.err));
  QVERIFY(emptied());
}

void SshTest::errorsAreNamed_data() {
  QTest::addColumn<QStringList>("place");
  QTest::addColumn<QString>("words");
  const auto set = [](const QString& value) { return QStringList{"--set", value}; };
  const QString config = m_sshd->filePath("config"), dir = m_sshd->path();
  const auto options = [&](const QString& more) { return set("options=" + more + " -F " + config); };
  QTest::newRow("unknown key") << options("-o UserKnownHostsFile=/dev/null") << "is not known yet";
  QTest::newRow("changed key") << options("-o UserKnownHostsFile=" + dir + "/changed")
                               << "is another than before";
  QTest::newRow("no key") << options("-o PubkeyAuthentication=no") << "does not let you in with a key alone";
  QTest::newRow("no ssh") << set("program=/nowhere/ssh") << "there is no program '/nowhere/ssh'";
  QTest::newRow("no host") << set("host=no.such.host.invalid") << "there is no host no.such.host.invalid";
  QTest::newRow("nobody listens") << options("-p 1") << "is not reached";
  QTest::newRow("wrong option") << options("-o NoSuchThing=1") << "does not take its options";
  QTest::newRow("home not writable") << QStringList{"--root", "/proc/nowhere"} << "cannot take the relay";
  QTest::newRow("no engine") << set("engine=/nowhere/fathom-engine")
                             << "has no engine at /nowhere/fathom-engine";
  QTest::newRow("other version") << QStringList{"--before", "export FATHOM_FAKE_VERSION=0.0.7"}
                                 << "is version 0.0.7, this is";
  QTest::newRow("engine does not start") << set("engine=/bin/false") << "does not start";
}

void SshTest::errorsAreNamed() {
  QFETCH(QStringList, place);
  QFETCH(QString, words);
  const QString dir = m_sshd->path();
  const QString port = QString::fromStdString(readFile((dir + "/port").toStdString()).value()).trimmed();
  const QString key = QString::fromStdString(readFile((dir + "/other.pub").toStdString()).value());
  std::ofstream((dir + "/changed").toStdString())
      << QString("[127.0.0.1]:%1 %2\n").arg(port, key.section(' ', 0, 1)).toStdString();
  QStringList base = {"add-place",  "there",
                      "--launcher", "ssh",
                      "--set",      "host=there",
                      "--set",      "options=-F " + m_sshd->filePath("config"),
                      "--set",      QStringLiteral("engine=") + FATHOM_BIN_DIR "/../tests/fake_engine"};
  if (!place.contains("--root")) base += QStringList{"--root", m_host};
  QCOMPARE(ask(base + place).exitCode, 0);
  const ShellResult checked = ask({"check-place", "there"});
  QVERIFY2((checked.out + checked.err).contains(words), qPrintable(checked.out + checked.err));
  // A run is not lost: it waits, or is given back with the same words.
  const std::string run = train({"--set", "fake.steps=5"});
  QVERIFY(waitFor(
      [&] {
        const auto log = readFile(m_project->queue().path() + "/runner.log");
        return log.ok() && QString::fromStdString(*log).contains(words);
      },
      60));
  // A list that is read while the entry changes hands may have it under neither name.
  QVERIFY(waitFor([&] { return m_project->queue().entries()->size() == 1; }));
  QVERIFY(!folder(run).exists());
}

QTEST_GUILESS_MAIN(SshTest)
#include "tst_ssh.moc"
