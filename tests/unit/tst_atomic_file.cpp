// SPDX-License-Identifier: Apache-2.0
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>

#include "core/base/files/atomic_file.h"

using namespace fathom;
namespace fs = std::filesystem;

class AtomicFileTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void replaces();
  void everyFaultKeepsTheOldFile();
  void persistentFault();
  void fileSizeLimit();
  void fullTmpfs();
  void readLimits();
  void folders();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void AtomicFileTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  FileFaults::clear();
}

void AtomicFileTest::replaces() {
  const std::string zero("with\0zero", 9);
  QVERIFY(writeFileAtomically(path("f"), "old").ok());
  QVERIFY(writeFileAtomically(path("f"), zero).ok());
  QCOMPARE(readFile(path("f")).value(), zero);
  QVERIFY(writeFileAtomically(path("f"), "").ok());
  QCOMPARE(readFile(path("f")).value(), std::string());
  const Status missing = writeFileAtomically(path("none/f"), "x");
  QCOMPARE(missing.error().kind, ErrorKind::Resource);
  QVERIFY(missing.error().text().find("none/f") != std::string::npos);
}

void AtomicFileTest::everyFaultKeepsTheOldFile() {
  QVERIFY(writeFileAtomically(path("f"), "old").ok());
  using Call = FileFaults::Call;
  for (const auto& [call, code] : {std::pair(Call::Open, EACCES),
                                   {Call::Write, ENOSPC},
                                   {Call::Write, EDQUOT},
                                   {Call::Sync, EIO},
                                   {Call::Rename, ENOSPC},
                                   {Call::Rename, EROFS}}) {
    FileFaults::arm(call, 0, code, false);
    const Status status = writeFileAtomically(path("f"), std::string(100000, 'n'));
    QVERIFY(!status.ok());
    QCOMPARE(status.error().kind, ErrorKind::Resource);
    QCOMPARE(readFile(path("f")).value(), std::string("old"));
    QCOMPARE(std::distance(fs::directory_iterator(path("")), {}), std::ptrdiff_t{1});
    QVERIFY(writeFileAtomically(path("g"), "x").ok());  // once only
    fs::remove(path("g"));
  }
}

void AtomicFileTest::persistentFault() {
  FileFaults::arm(FileFaults::Call::Write, 1, ENOSPC, true);
  QVERIFY(writeFileAtomically(path("a"), "x").ok());
  QVERIFY(!writeFileAtomically(path("b"), "x").ok());
  QVERIFY(!writeFileAtomically(path("c"), "x").ok());
  FileFaults::clear();
  QVERIFY(writeFileAtomically(path("c"), "x").ok());
}

void AtomicFileTest::fileSizeLimit() {
  QVERIFY(writeFileAtomically(path("f"), "old").ok());
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status status = writeFileAtomically(path("f"), std::string(5000, 'n'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  QVERIFY(!status.ok());
  QCOMPARE(readFile(path("f")).value(), std::string("old"));
  QCOMPARE(std::distance(fs::directory_iterator(path("")), {}), std::ptrdiff_t{1});
}

// The real thing where we may mount: a file system of 64 KiB.
void AtomicFileTest::fullTmpfs() {
  fs::create_directories(path("small"));
  if (::mount("none", path("small").c_str(), "tmpfs", 0, "size=64k") != 0)
    QSKIP("may not mount a tmpfs here");
  const std::string file = path("small") + "/f";
  const bool first = writeFileAtomically(file, std::string(20000, 'o')).ok();
  const Status status = writeFileAtomically(file, std::string(200000, 'n'));
  const bool kept = readFile(file).ok() && *readFile(file) == std::string(20000, 'o');
  const bool alone = std::distance(fs::directory_iterator(path("small")), {}) == 1;
  ::umount(path("small").c_str());
  QVERIFY(first && kept && alone && !status.ok());
  QVERIFY(status.error().text().find("No space left") != std::string::npos);
}

void AtomicFileTest::readLimits() {
  QVERIFY(writeFileAtomically(path("f"), std::string(1000, 'x')).ok());
  QVERIFY(readFile(path("f"), 1000).ok());
  QCOMPARE(readFile(path("f"), 999).error().kind, ErrorKind::Data);
  QCOMPARE(readFile(path("g")).error().kind, ErrorKind::Resource);
  QVERIFY(!readFile(path("")).ok());
}

void AtomicFileTest::folders() {
  QVERIFY(makeFolders(path("a/b/c")).ok());
  QVERIFY(makeFolders(path("a/b/c")).ok());
  QVERIFY(writeFileAtomically(path("a/f"), "x").ok());
  QVERIFY(!makeFolders(path("a/f/g")).ok());
  QVERIFY(syncFolder(path("a")).ok());
  QVERIFY(!syncFolder(path("z")).ok());
}

QTEST_APPLESS_MAIN(AtomicFileTest)
#include "tst_atomic_file.moc"
