// SPDX-License-Identifier: Apache-2.0
// ctest: waits
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

#include "app/runner/place_journal.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/attempt_place.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_ssh.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

namespace {

const QStringList kLongRun = {"--set", "fake.steps=3000", "--set", "fake.milliseconds=20"};

}  // namespace

class SshTest : public QObject, private test::SshFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup() { leaveProject(); }
  void cleanupTestCase() { stop(); }
  void aRunIsTrainedThere();
  void chatterAndOddPathsAreNoMatter();
  void cutConnectionsChangeNothing();
  void theRunnerMayGo();
  void theHostMayBeAway();
  void wishesAreCarried();
  void whatOnlyWaitsIsCalledOff();
  void faultsAreStartedAgain();
  void checkpointsAreFetched();
  void theBestIsKept();
  void theHostIsLookedAt();
  void anEngineIsBrought();
  void libTorchIsFetchedThere();
  void errorsAreNamed_data();
  void errorsAreNamed();

 private:
  // As an engine there would leave it.
  void checkpoint(const std::string& uuid, int step, double score) const {
    auto writer = CheckpointWriter::begin(original(uuid).path(), 1, step).value();
    QVERIFY(writeFileAtomically(writer.folder() + "/model.safetensors", std::string(3000, 'w')).ok());
    QVERIFY(writer.commit({{"score", score}}).ok());
  }
  // Whole ones of the copy.
  std::vector<std::string> checkpointsOf(const std::string& uuid) const {
    std::vector<std::string> names;
    for (const CheckpointManifest& each : listCheckpoints(folder(uuid).path()))
      if (verifyCheckpoint(each.path).ok()) names.push_back(each.name);
    return names;
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
};

void SshTest::initTestCase() {
  const QString why = start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no sshd: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
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
  const auto place = attemptPlace(folder(run), 1);
  QVERIFY(place && place->place == "there" && place->host == hostName());
  QVERIFY(!place->job.empty());
  QVERIFY(!attemptPlace(original(run), 1));  // known here alone
  const PlaceJournal journal(project().path(), "there");
  QVERIFY(journal.heardAt() > 0);
  QVERIFY(!journal.lines(100).empty());
  const Json curves = ask({"curves", QString::fromStdString(run), "--json"}).json();
  QVERIFY(!curves["curves"].empty());
  // Both sides have forgotten the start.
  QVERIFY(waitFor([&] { return listFolder(hostFolder.toStdString() + "/start").empty(); }));
  QVERIFY(listFolder(project().queue().path() + "/ssh").empty());
}

void SshTest::chatterAndOddPathsAreNoMatter() {
  std::ofstream(path("chatter").toStdString()) << "Welcome to the machine!\nno line's end ->";
  hostFolder = project().file("a host's \"odd\" folder, größer");
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
  const std::string run = train({"--set", "fake.steps=30000", "--set", "fake.milliseconds=20"});
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
                 {"run-queue", "--project", QString::fromStdString(project().path())});
    QVERIFY(waitFor([&] { return project().queue().runnerPid() != 0; }, 60));
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
               {"run-queue", "--project", QString::fromStdString(project().path())});
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
  QVERIFY(waitFor([&] { return project().queue().entries()->size() == 1; }, 60));
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

void SshTest::checkpointsAreFetched() {
  addPlace();
  const std::string run = train({"--set", "fake.steps=20"});
  QVERIFY(emptied());
  const QString id = QString::fromStdString(run);
  for (const int step : {10, 20, 30}) checkpoint(run, step, step == 20 ? 1 : 2);
  QVERIFY(checkpointsOf(run).empty());
  const Json best = ask({"fetch", id, "--best", "--json"}).json();
  QCOMPARE(best["checkpoints"], Json::array({"0001-00000020"}));
  QVERIFY(best["bytes"].get<int>() > 3000);
  QCOMPARE(checkpointsOf(run), std::vector<std::string>{"0001-00000020"});
  // A copy that has lost something has it again; what was written by somebody else there comes, too.
  std::filesystem::remove(folder(run).eventsPath(1));
  const Json all = ask({"fetch", id, "--checkpoints", "--json"}).json();
  QVERIFY2(all["checkpoints"].size() == 2, all.dump().c_str());
  QCOMPARE(all["checkpoints"], Json::array({"0001-00000010", "0001-00000030"}));
  QCOMPARE(all["files"], Json::array({"attempts/0001/events.jsonl"}));
  QCOMPARE(checkpointsOf(run).size(), std::size_t{3});
  compare(run);
  const ShellResult again = ask({"fetch", id, "--checkpoints"});
  QVERIFY2(again.out.contains("nothing is new"), qPrintable(again.out + again.err));
  std::filesystem::rename(original(run).path(), original(run).path() + ".moved");
  const ShellResult moved = ask({"fetch", id});
  QVERIFY2(moved.exitCode != 0 && moved.err.contains("has no folder"), qPrintable(moved.err));
  QCOMPARE(checkpointsOf(run).size(), std::size_t{3});
  const std::string here = project().enqueue("finish").uuid;
  QCOMPARE(ask({"run-queue"}).exitCode, 0);
  const ShellResult own = ask({"fetch", QString::fromStdString(here)});
  QVERIFY2(own.exitCode != 0 && own.err.contains("lies here"), qPrintable(own.err));
}

// A better one takes the place of the best, while the run is trained; a fetch beside it brings the others.
void SshTest::theBestIsKept() {
  addPlace({"--set", "keep_best=true"});
  const std::string run = train(kLongRun);
  QVERIFY(trains(run));
  checkpoint(run, 10, 2);
  const auto has = [&](const std::vector<std::string>& names) {
    return waitFor([&] { return checkpointsOf(run) == names; }, 60);
  };
  QVERIFY(has({"0001-00000010"}));
  checkpoint(run, 20, 3);
  checkpoint(run, 30, 1);
  QVERIFY(has({"0001-00000030"}));
  const Json fetched = ask({"fetch", QString::fromStdString(run), "--checkpoints", "--json"}).json();
  QVERIFY2(fetched["checkpoints"].size() == 2, fetched.dump().c_str());
  QCOMPARE(fetched["checkpoints"], Json::array({"0001-00000010", "0001-00000020"}));
  QVERIFY(fetched["files"].empty());  // the runner brings them
  QCOMPARE(checkpointsOf(run).size(), std::size_t{3});
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(emptied());
  compare(run);
}

void SshTest::theHostIsLookedAt() {
  addPlace();
  const ShellResult checked = ask({"check-place", "there", "--json"});
  QVERIFY2(checked.exitCode == 0, qPrintable(checked.err));
  const Json facts = checked.json()["facts"];
  QCOMPARE(memberText(facts, "root"), hostFolder.toStdString());
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

// A Python there that fetches what it is told to, when the host has a network.
void SshTest::libTorchIsFetchedThere() {
  const QString bin = path("bin"), network = path("network");
  QVERIFY(QDir().mkpath(bin));
  QFile::remove(network);
  std::ofstream((bin + "/python3").toStdString())
      << "#!/bin/bash\n[ \"$2\" = pip ] || exit 0\nif [ ! -e '" << network.toStdString()
      << "' ]; then\n  echo 'Failed to establish a new connection: [Errno -2] Name or service not known' "
         ">&2\n"
         "  exit 1\nfi\nwhile [ $# -gt 0 ]; do\n  case $1 in --target) target=$2 ;; -r) list=$2 ;; esac\n"
         "  shift\ndone\ngrep -q '^torch==2.11.0 --hash=sha256:' \"$list\" || exit 1\n"
         "mkdir -p \"$target/torch/lib\"\n";
  QFile::setPermissions(bin + "/python3", QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  std::ofstream(path("environment").toStdString()) << "export PATH='" << bin.toStdString() << "':$PATH\n";
  // As an engine whose libraries are not there.
  addPlace({"--set", "engine=", "--before",
            "[ -d '" + hostFolder + "/libtorch-2.11.0/torch/lib' ] || { echo no libtorch; exit 127; }"});
  const ShellResult offline = ask({"prepare-place", "there"});
  QVERIFY2(offline.exitCode == 0 && offline.out.contains("has no network to fetch LibTorch over"),
           qPrintable(offline.out + offline.err));
  QVERIFY2(offline.out.contains("no libtorch"), qPrintable(offline.out));
  std::ofstream(network.toStdString()) << "\n";
  const ShellResult fetched = ask({"prepare-place", "there", "--json"});
  QVERIFY2(fetched.exitCode == 0 && fetched.json()["troubles"].empty(),
           qPrintable(fetched.out + fetched.err));
  QCOMPARE(memberText(fetched.json()["facts"]["torch"][0], "path"),
           hostFolder.toStdString() + "/libtorch-2.11.0/torch/lib");
  const std::string run = train({"--set", "fake.steps=5"});
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Finished);
}

void SshTest::errorsAreNamed_data() {
  QTest::addColumn<QStringList>("place");
  QTest::addColumn<QString>("words");
  const auto set = [](const QString& value) { return QStringList{"--set", value}; };
  const QString config = path("config"), dir = path(QString());
  const auto options = [&](const QString& more) { return set("options=" + more + " -F " + config); };
  QTest::newRow("unknown key") << options("-o UserKnownHostsFile=/dev/null") << "is not known yet";
  QTest::newRow("changed key") << options("-o UserKnownHostsFile=" + dir + "/changed")
                               << "is another than before";
  QTest::newRow("no key") << options("-o PubkeyAuthentication=no") << "does not let you in with a key alone";
  const QString second = QString::fromStdString(readFile((dir + "/port2").toStdString()).value()).trimmed();
  QTest::newRow("second factor") << options("-p " + second) << "does not let you in with a key alone";
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
  QTest::newRow("glibc too old") << QStringList{"--before", "echo \"version 'GLIBC_2.34' not found\"; exit 1"}
                                 << "does not start: version 'GLIBC_2.34' not found";
}

void SshTest::errorsAreNamed() {
  QFETCH(QStringList, place);
  QFETCH(QString, words);
  const QString dir = path(QString());
  const QString port = QString::fromStdString(readFile((dir + "/port").toStdString()).value()).trimmed();
  const QString key = QString::fromStdString(readFile((dir + "/other.pub").toStdString()).value());
  std::ofstream((dir + "/changed").toStdString())
      << QString("[127.0.0.1]:%1 %2\n").arg(port, key.section(' ', 0, 1)).toStdString();
  addPlace(place);
  const ShellResult checked = ask({"check-place", "there"});
  QVERIFY2((checked.out + checked.err).contains(words), qPrintable(checked.out + checked.err));
  // A run is not lost: it waits, or is given back with the same words.
  const std::string run = train({"--set", "fake.steps=5"});
  QVERIFY(waitFor(
      [&] {
        const auto log = readFile(project().queue().path() + "/runner.log");
        return log.ok() && QString::fromStdString(*log).contains(words);
      },
      60));
  // A list that is read while the entry changes hands may have it under neither name.
  QVERIFY(waitFor([&] { return project().queue().entries()->size() == 1; }));
  QVERIFY(!folder(run).exists());
}

QTEST_GUILESS_MAIN(SshTest)
#include "tst_ssh.moc"
