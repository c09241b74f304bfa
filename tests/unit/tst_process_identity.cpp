// SPDX-License-Identifier: Apache-2.0
// Who a process is, and which temporaries nobody writes any more.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/process_identity.h"
#include "core/base/files/temporary_file.h"

using namespace fathom;
namespace fs = std::filesystem;

class ProcessIdentityTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_dir = std::make_unique<QTemporaryDir>(); }
  void oneProcess();
  void endedAndRestarted();
  void namesOfTemporaries();
  void temporariesOfTheDead();
  void temporariesFromElsewhere();
  void sameNumberAfterARestart();
  void namedFiles();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  // A temporary of `path` whose maker was killed while it wrote.
  std::string abandoned(const std::string& path) const;
  std::unique_ptr<QTemporaryDir> m_dir;
};

std::string ProcessIdentityTest::abandoned(const std::string& target) const {
  int pipe[2];
  if (::pipe(pipe) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string name = temporaryBeside(target);
    std::ofstream(name) << "half";
    (void)!::write(pipe[1], name.data(), name.size());
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  char name[4096] = {};
  const ssize_t length = ::read(pipe[0], name, sizeof name - 1);
  ::close(pipe[0]);
  ::close(pipe[1]);
  return length > 0 ? name : "";
}

void ProcessIdentityTest::oneProcess() {
  const ProcessIdentity self = thisProcess();
  QCOMPARE(self.pid, std::int64_t{::getpid()});
  QVERIFY(!self.startTime.empty() && !self.bootId.empty() && !self.host.empty());
  QVERIFY(self == processWithId(::getpid()));
  QVERIFY(processLives(self));
  ProcessIdentity other = self;
  other.startTime += "1";
  QVERIFY(!processLives(other));  // the same number, before a restart
  other = self;
  other.bootId = "another";
  QVERIFY(!processLives(other));
  other = self;
  other.host = "elsewhere";
  QVERIFY(!processLives(other));
  QVERIFY(hostName().find('/') == std::string::npos && hostName().find('@') == std::string::npos);
}

void ProcessIdentityTest::endedAndRestarted() {
  const pid_t child = ::fork();
  if (child == 0) {
    // A forked child is a process of its own.
    if (thisProcess().pid != ::getpid()) ::_exit(1);
    ::pause();
  }
  const ProcessIdentity theirs = processWithId(child);
  QVERIFY(processLives(theirs));
  ::kill(child, SIGKILL);
  siginfo_t info{};
  QCOMPARE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  QVERIFY(!processLives(theirs));  // a zombie
  ::waitpid(child, nullptr, 0);
  QVERIFY(!processLives(theirs));
  QVERIFY(processWithId(child).startTime.empty());
}

void ProcessIdentityTest::namesOfTemporaries() {
  const std::string first = temporaryBeside(path("a.json")), second = temporaryBeside(path("a.json"));
  QVERIFY(first != second && first.starts_with(path("a.json")));
  QVERIFY(isTemporaryName(fs::path(first).filename().string()));
  for (const char* old : {"run.json.tmp-7", "run.json.tmp-7-0"}) QVERIFY2(isTemporaryName(old), old);
  for (const char* other : {"run.json", "notes.tmp", "notes.tmp-", "notes.tmp-mine", "a.tmp-1-2-3",
                            ".tmp-1-2", "a.tmp-1-x", "0001-00000005.tmp"})
    QVERIFY2(!isTemporaryName(other), other);
}

void ProcessIdentityTest::temporariesOfTheDead() {
  const std::string mine = temporaryBeside(path("a")), dead = abandoned(path("a")),
                    other = abandoned(path("ab"));
  std::ofstream(mine) << "being written";
  std::ofstream(path("a.tmp-notes")) << "somebody's own";
  QVERIFY(fs::exists(dead) && fs::exists(other));
  QVERIFY(isAbandonedTemporary(dead) && !isAbandonedTemporary(mine));
  QCOMPARE(temporariesIn(path(""), TemporaryOwner::Unknown).size(), std::size_t{2});
  QCOMPARE(temporariesIn(path(""), TemporaryOwner::Us).size(), std::size_t{3});
  sweepTemporariesOf(path("a"));
  QVERIFY(!fs::exists(dead) && fs::exists(mine) && fs::exists(other));
  sweepTemporaries(path(""), TemporaryOwner::Unknown);
  QVERIFY(fs::exists(mine) && !fs::exists(other));
  sweepTemporaries(path(""), TemporaryOwner::Us);
  QVERIFY(!fs::exists(mine) && fs::exists(path("a.tmp-notes")));
}

// Of another machine or container, or of an older program, only silence tells anything.
void ProcessIdentityTest::temporariesFromElsewhere() {
  for (const char* name : {"a.tmp-1", "a.tmp-1-0", "a.tmp-0123abcd-1-5-0"}) {
    std::ofstream(path(name)) << "x";
    QVERIFY2(!isAbandonedTemporary(path(name)), name);
    const timespec old[2] = {{1000, 0}, {1000, 0}};
    QCOMPARE(::utimensat(AT_FDCWD, path(name).c_str(), old, 0), 0);
    QVERIFY2(isAbandonedTemporary(path(name)), name);
  }
  fs::create_directory(path("b.tmp-1-0"));
  QVERIFY(!isAbandonedTemporary(path("b.tmp-1-0")));
}

// In a container that was started again a process finds files of a dead one with its own number.
void ProcessIdentityTest::sameNumberAfterARestart() {
  for (int i = 0; i < 3; ++i)
    std::ofstream(path("run.json.tmp-" + std::to_string(::getpid()) + "-" + std::to_string(i))) << "half";
  QVERIFY(writeFileAtomically(path("run.json"), "whole").ok());
  QCOMPARE(readFile(path("run.json")).value(), std::string("whole"));
}

void ProcessIdentityTest::namedFiles() {
  const std::string dead = abandoned(path("figure.pdf"));
  QVERIFY(writeNamedFile(path("figure.pdf"), "page").ok());
  QVERIFY(!fs::exists(dead));
  const Status missing = writeNamedFile(path("memory/figure.pdf"), "page");
  QVERIFY(!missing.ok());
  QCOMPARE(missing.error().kind, ErrorKind::Resource);
  QCOMPARE(missing.error().resource, ResourceKind::Unavailable);
  QVERIFY(missing.error().text().find(path("memory")) != std::string::npos);
  QCOMPARE(writeNamedFile(path("figure.pdf/x"), "page").error().resource, ResourceKind::Unavailable);
}

QTEST_APPLESS_MAIN(ProcessIdentityTest)
#include "tst_process_identity.moc"
