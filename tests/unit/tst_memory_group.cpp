// SPDX-License-Identifier: Apache-2.0
// How much memory is free, by files as kernels write them.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/memory_group.h"

using namespace fathom;

class TestMemoryGroup : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_root = std::make_unique<QTemporaryDir>(); }

  void theMachineIsTheLimitWithoutGroups() {
    machine();
    const auto room = memoryRoom(root());
    QVERIFY(room.has_value());
    QCOMPARE(room->free, std::int64_t{8'000'000} * 1024);
    QCOMPARE(room->total, std::int64_t{16'000'000} * 1024);
    QVERIFY(!room->limited);
  }

  void aGroupOfVersionTwoLimits() {
    machine();
    write("proc/self/cgroup", "0::/user/job\n");
    write("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
    group("sys/fs/cgroup/user/job", "memory.max", "2000000000", "memory.current", "900000000",
          "anon 1\ninactive_file 400000000\nactive_file 7\n");
    const auto room = memoryRoom(root());
    QCOMPARE(room->free, std::int64_t{1'500'000'000});
    QCOMPARE(room->total, std::int64_t{2'000'000'000});
    QVERIFY(room->limited);
  }

  // A group may be free to take what the one above it has not.
  void theTightestGroupCounts() {
    machine();
    write("proc/self/cgroup", "0::/user/job\n");
    write("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
    group("sys/fs/cgroup/user/job", "memory.max", "max", "memory.current", "5", "");
    group("sys/fs/cgroup/user", "memory.max", "1000000", "memory.current", "400000", "");
    QCOMPARE(memoryRoom(root())->free, std::int64_t{600'000});
  }

  void aGroupOfVersionOneLimits() {
    machine();
    write("proc/self/cgroup", "9:cpu:/x\n4:memory:/docker/abc\n");
    write("proc/self/mountinfo",
          "33 1 0:28 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    group("sys/fs/cgroup/memory", "memory.limit_in_bytes", "3000000", "memory.usage_in_bytes", "2500000",
          "inactive_file 9\ntotal_inactive_file 500000\n");
    QCOMPARE(memoryRoom(root())->free, std::int64_t{1'000'000});
  }

  void noLimitIsNone() {
    machine();
    write("proc/self/cgroup", "4:memory:/\n");
    write("proc/self/mountinfo", "33 1 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    group("sys/fs/cgroup/memory", "memory.limit_in_bytes", "9223372036854771712", "memory.usage_in_bytes",
          "2500000", "");
    QVERIFY(!memoryRoom(root())->limited);
  }

  void usedUpIsNothing() {
    machine();
    write("proc/self/cgroup", "0::/\n");
    write("proc/self/mountinfo", "30 1 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
    group("sys/fs/cgroup", "memory.max", "100", "memory.current", "900", "");
    QCOMPARE(memoryRoom(root())->free, std::int64_t{0});
  }

  void aSystemThatDoesNotTellIsNotGuessed() { QVERIFY(!memoryRoom(root()).has_value()); }

  void thisProcessIsSomewhere() {
    QVERIFY(residentBytes() > 1'000'000);
    QVERIFY(mostResidentBytes() >= residentBytes() / 2);
  }

 private:
  std::string root() const { return m_root->path().toStdString(); }
  void write(const QString& name, const QByteArray& text) const {
    const QString path = m_root->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  void machine() const {
    write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:    8000000 kB\n");
  }
  void group(const QString& folder, const char* limitFile, const char* limit, const char* usageFile,
             const char* usage, const char* stat) const {
    write(folder + "/" + limitFile, limit);
    write(folder + "/" + usageFile, usage);
    write(folder + "/memory.stat", stat);
  }
  std::unique_ptr<QTemporaryDir> m_root;
};

QTEST_GUILESS_MAIN(TestMemoryGroup)
#include "tst_memory_group.moc"
