// SPDX-License-Identifier: Apache-2.0
// Disks over a real sshd: full there, full here, over a quota; and two who copy one run. What was copied
// stays, what is missing comes when there is room, and the sentence names the file and the reason.
#include <sys/file.h>
#include <sys/mount.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/input_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/mirror_note.h"
#include "core/record/runs/run_lock.h"
#include "tests/process/support_ssh.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

namespace {

const QStringList kCalmRun = {"--set", "fake.steps=3000", "--set", "fake.milliseconds=20"};

// A small disk of its own at a folder, gone with it. Takes root.
class SmallDisk {
 public:
  SmallDisk(std::string folder, const char* options) : m_folder(std::move(folder)) {
    std::filesystem::create_directories(m_folder);
    m_there = ::mount("none", m_folder.c_str(), "tmpfs", 0, options) == 0;
    if (!m_there) m_why = std::strerror(errno);
  }
  ~SmallDisk() {
    if (m_there) ::umount2(m_folder.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  const std::string& why() const { return m_why; }  // it could not be made; "" = it is there
  // Takes all that is left: bytes, then names, of which it has to have few.
  void fill() const {
    std::string piece(65536, 'x');
    std::ofstream filler(m_folder + "/filler", std::ios::app);
    while (filler.write(piece.data(), static_cast<std::streamsize>(piece.size())).flush()) {
    }
    for (int i = 0; std::ofstream(m_folder + "/filler." + std::to_string(i)).is_open(); ++i) {
    }
  }
  void makeRoom() const {
    for (const auto& entry : listFolder(m_folder))
      if (entry.path().filename().string().starts_with("filler")) std::filesystem::remove(entry.path());
  }

 private:
  std::string m_folder, m_why;
  bool m_there = false;
};

}  // namespace

class SshDisksTest : public QObject, private test::SshFixture {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init() { newProject(); }
  void cleanup() { leaveProject(); }
  void cleanupTestCase() { stop(); }
  void aFullDiskThereStopsNoCopy();
  void aFullDiskHereIsWaitedFor();
  void aQuotaIsNamed();
  void twoCopiesOfOneRun();

 private:
  bool grows(const std::string& uuid) const {
    const auto before = fileBytes(folder(uuid).eventsPath(1));
    return waitFor([&] { return fileBytes(folder(uuid).eventsPath(1)) > before + 1000; }, 60);
  }
  QString runnerLog() const {
    const auto log = readFile(project().queue().path() + "/runner.log");
    return log.ok() ? QString::fromStdString(*log) : QString();
  }
};

void SshDisksTest::initTestCase() {
  const QString why = start();
  if (why.contains(QLatin1String("is not here"))) QSKIP(qPrintable("SKIPPED-ALL no sshd: " + why.trimmed()));
  QVERIFY2(why.isEmpty(), qPrintable(why));
}

// The place's folder has no room for a file any more; the run lies on another disk there, as on a scratch
// file system, and goes on. Others wait, with the reason, until there is room.
void SshDisksTest::aFullDiskThereStopsNoCopy() {
  if (::geteuid() != 0) QSKIP("a small disk takes root");
  const SmallDisk disk(hostFolder.toStdString(), "size=8m,nr_inodes=200");
  if (!disk.why().empty()) QSKIP(("no small disk: " + disk.why()).c_str());
  const std::string scratch = project().file("scratch").toStdString();
  std::filesystem::create_directories(scratch);
  std::filesystem::create_directory_symlink(scratch, hostFolder.toStdString() + "/runs");
  addPlace({"--limit", "running=2"});
  const std::string run = train(kCalmRun);
  QVERIFY(trains(run));
  disk.fill();
  cut();  // the next connection finds it full
  QVERIFY(grows(run));
  QVERIFY(waitFor([&] { return memberText(note(run), "silent_from").empty(); }));
  const std::string waits = train({"--set", "fake.steps=5", "--name", "waits"});
  QVERIFY(waitFor([&] { return runnerLog().contains("No space left on device"); }, 60));
  QVERIFY2(!runnerLog().contains("keeps no locks"), qPrintable(runnerLog()));
  QVERIFY(!original(waits).exists());
  QVERIFY(folder(run).state() == RunState::Running);
  disk.makeRoom();
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(waitFor([&] { return project().queue().entries()->size() == 1; }, 60));
  QCOMPARE(folder(run).state(), RunState::Stopped);
  QCOMPARE(difference(run), QString());
  QVERIFY(waitFor([&] { return project().queue().runnerPid() == 0; }));
  QProcess runner;
  startRunner(runner);
  QVERIFY(emptied());
  runner.waitForFinished();
  QCOMPARE(folder(waits).state(), RunState::Finished);
}

void SshDisksTest::aFullDiskHereIsWaitedFor() {
  if (::geteuid() != 0) QSKIP("a small disk takes root");
  const SmallDisk disk(project().path() + "/runs", "size=256k,nr_inodes=100");
  if (!disk.why().empty()) QSKIP(("no small disk: " + disk.why()).c_str());
  addPlace();
  const std::string run = train(kCalmRun);
  QVERIFY(trains(run));
  disk.fill();
  QVERIFY(waitFor([&] { return !memberText(note(run), "silent_from").empty(); }, 60));
  const std::string reason = memberText(note(run), "reason");
  QVERIFY2(
      reason.find("No space left on device") != std::string::npos && reason.find(run) != std::string::npos,
      reason.c_str());
  QVERIFY(folder(run).state() == RunState::Running);
  QCOMPARE(folder(run).lastAttempt(), 1);
  disk.makeRoom();
  QVERIFY(grows(run));
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Stopped);
  QCOMPARE(difference(run), QString());
}

// As the system tells it to whoever writes there.
void SshDisksTest::aQuotaIsNamed() {
  addPlace();
  setEnvironment("export FATHOM_FAULT=open:0:122:persistent\n");
  const std::string run = train({"--set", "fake.steps=5"});
  QVERIFY(waitFor([&] { return runnerLog().contains("Disk quota exceeded"); }, 60));
  QVERIFY2(runnerLog().contains(hostFolder), qPrintable(runnerLog()));
  QVERIFY(waitFor([&] { return project().queue().entries()->size() == 1; }));
  QVERIFY(!original(run).exists());
  QFile::remove(path("environment"));
  QVERIFY(waitFor([&] { return project().queue().runnerPid() == 0; }));
  QProcess runner;
  startRunner(runner);
  QVERIFY(emptied());
  runner.waitForFinished();
  QCOMPARE(folder(run).state(), RunState::Finished);
  QCOMPARE(folder(run).lastAttempt(), 1);
}

// One is made by the runner, the other one by somebody who has a copy of the project; one at a time fetches
// into a copy.
void SshDisksTest::twoCopiesOfOneRun() {
  addPlace();
  const std::string run = train(kCalmRun);
  QVERIFY(trains(run));
  const std::string second = project().file("second.fathom").toStdString();
  std::filesystem::copy(
      project().path(), second,
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::skip_symlinks);
  std::filesystem::remove_all(second + "/queue");
  const RunFolder copy(second + "/runs/" + run);
  const auto before = fileBytes(copy.eventsPath(1));
  QVERIFY(grows(run));
  const QStringList fetch = {"fetch", QString::fromStdString(run), "--project",
                             QString::fromStdString(second)};
  const ShellResult fetched = project().fathom(fetch);
  QVERIFY2(fetched.exitCode == 0, qPrintable(fetched.err));
  QVERIFY(fileBytes(copy.eventsPath(1)) > before);
  const auto there = readFile(original(run).eventsPath(1)).value(),
             here = readFile(copy.eventsPath(1)).value();
  QVERIFY(there.starts_with(here));
  {
    const int held = openLockFile(second + "/queue/" + run + ".fetch").value();
    QVERIFY(::flock(held, LOCK_EX | LOCK_NB) == 0);
    const ShellResult both = project().fathom(fetch);
    QVERIFY2(both.exitCode != 0 && both.err.contains("is being fetched already"), qPrintable(both.err));
    ::close(held);
  }
  // The first copy has missed nothing, and the run was not touched.
  QVERIFY(grows(run));
  QCOMPARE(ask({"stop", QString::fromStdString(run)}).exitCode, 0);
  QVERIFY(emptied());
  QCOMPARE(folder(run).state(), RunState::Stopped);
  QCOMPARE(difference(run), QString());
  QCOMPARE(project().fathom(fetch).exitCode, 0);
  QVERIFY(readFile(copy.eventsPath(1)).value() == readFile(original(run).eventsPath(1)).value());
  QCOMPARE(copy.state(), RunState::Stopped);
  QVERIFY(!mirrorNote(copy.path())->running);
}

QTEST_GUILESS_MAIN(SshDisksTest)
#include "tst_ssh_disks.moc"
