// SPDX-License-Identifier: Apache-2.0
// The only table of exit codes: every kind of error, and nothing but the kind, decides.
#include <QTest>
#include <cerrno>
#include <csignal>
#include <set>

#include "core/record/runs/exit_code.h"

using namespace fathom;

class ExitCodeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyKind_data();
  void everyKind();
  void wordsDecideNothing();
  void callsOfTheSystem_data();
  void callsOfTheSystem();
  void statesOfCodes();
};

void ExitCodeTest::everyKind_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("resource");
  QTest::addColumn<int>("code");
  std::set<std::pair<int, int>> seen;
  const auto row = [&](const char* name, ErrorKind kind, int code,
                       ResourceKind resource = ResourceKind::Disk) {
    QTest::newRow(name) << static_cast<int>(kind) << static_cast<int>(resource) << code;
    seen.insert({static_cast<int>(kind), static_cast<int>(resource)});
  };
  row("usage", ErrorKind::Usage, 2);
  row("data", ErrorKind::Data, 30);
  row("numeric", ErrorKind::Numeric, 20);
  row("interrupted", ErrorKind::Interrupted, 10);
  row("internal", ErrorKind::Internal, 1);
  row("disk", ErrorKind::Resource, 50, ResourceKind::Disk);
  row("memory of the machine", ErrorKind::Resource, 40, ResourceKind::HostMemory);
  row("memory of a device", ErrorKind::Resource, 41, ResourceKind::DeviceMemory);
  row("fault of a device", ErrorKind::Resource, 75, ResourceKind::DeviceFault);
  row("not to be used", ErrorKind::Resource, 30, ResourceKind::Unavailable);
  // A kind that is added belongs into the table: the last of each list is known here.
  const int kinds = static_cast<int>(ErrorKind::Internal) + 1;
  const int resources = static_cast<int>(ResourceKind::Unavailable) + 1;
  QCOMPARE(static_cast<int>(seen.size()), kinds - 1 + resources);
  QVERIFY(std::string(errorKindName(static_cast<ErrorKind>(kinds - 1))) == "internal");
}

void ExitCodeTest::everyKind() {
  QFETCH(int, kind);
  QFETCH(int, resource);
  QFETCH(int, code);
  Error error;
  error.kind = static_cast<ErrorKind>(kind);
  error.resource = static_cast<ResourceKind>(resource);
  QCOMPARE(static_cast<int>(exitCodeFor(error)), code);
}

void ExitCodeTest::wordsDecideNothing() {
  for (const char* words : {"/data/memory/out of memory.tsv", "CUDA error", "device fault",
                            "no space left on disk", "DefaultCPUAllocator", "interrupted", ""}) {
    QCOMPARE(exitCodeFor(usageError(words)), ExitCode::Usage);
    QCOMPARE(exitCodeFor(dataErrorAt(words, 1, words, words)), ExitCode::BadInput);
    QCOMPARE(exitCodeFor(unavailableError(words, words)), ExitCode::BadInput);
    QCOMPARE(exitCodeFor(diskError(words, words)), ExitCode::Disk);
    QCOMPARE(exitCodeFor(memoryError(words)), ExitCode::OutOfMemory);
    QCOMPARE(exitCodeFor(deviceMemoryError(words)), ExitCode::DeviceMemory);
    QCOMPARE(exitCodeFor(deviceFaultError(words)), ExitCode::DeviceFault);
    QCOMPARE(exitCodeFor(numericError(words)), ExitCode::Diverged);
    QCOMPARE(exitCodeFor(internalError(words)), ExitCode::Internal);
    QCOMPARE(exitCodeFor(systemError(words, words, ENOSPC)), ExitCode::Disk);
    QCOMPARE(exitCodeFor(inputError(words, words, ENOENT)), ExitCode::BadInput);
  }
  QCOMPARE(exitCodeFor(interruptedError()), ExitCode::Stopped);
}

void ExitCodeTest::callsOfTheSystem_data() {
  QTest::addColumn<int>("number");
  QTest::addColumn<int>("writing");
  QTest::addColumn<int>("reading");
  const auto row = [](const char* name, int number, int writing, int reading) {
    QTest::newRow(name) << number << writing << reading;
  };
  row("no room", ENOSPC, 50, 50);
  row("quota", EDQUOT, 50, 50);
  row("too large", EFBIG, 50, 50);
  row("input and output", EIO, 50, 50);
  row("read-only", EROFS, 50, 50);
  row("no memory", ENOMEM, 40, 40);
  row("absent", ENOENT, 50, 30);
  row("a folder", EISDIR, 50, 30);
  row("no folder", ENOTDIR, 50, 30);
  row("not permitted", EACCES, 50, 30);
  row("a loop of links", ELOOP, 50, 30);
  row("name too long", ENAMETOOLONG, 50, 30);
}

void ExitCodeTest::callsOfTheSystem() {
  QFETCH(int, number);
  QFETCH(int, writing);
  QFETCH(int, reading);
  QCOMPARE(static_cast<int>(exitCodeFor(systemError("cannot write", "f", number))), writing);
  QCOMPARE(static_cast<int>(exitCodeFor(inputError("cannot read", "f", number))), reading);
}

void ExitCodeTest::statesOfCodes() {
  const std::pair<int, const char*> expected[] = {{0, "finished"},
                                                  {1, "failed"},
                                                  {2, "failed"},
                                                  {10, "stopped"},
                                                  {20, "diverged"},
                                                  {30, "failed"},
                                                  {40, "failed"},
                                                  {41, "failed"},
                                                  {50, "failed"},
                                                  {75, "failed"},
                                                  {128 + SIGKILL, "killed (signal 9)"},
                                                  {128 + SIGTERM, "killed (signal 15)"},
                                                  {128 + SIGSEGV, "crashed (signal 11)"},
                                                  {128 + SIGABRT, "crashed (signal 6)"}};
  for (const auto& [code, state] : expected)
    QCOMPARE(std::string(runStateForExitCode(code)), std::string(state));
}

QTEST_APPLESS_MAIN(ExitCodeTest)
#include "tst_exit_code.moc"
