// SPDX-License-Identifier: Apache-2.0
// Several runs enter the queue together or not at all, whatever is killed or fails meanwhile.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_folder.h"
#include "tests/unit/support_queue.h"

using namespace fathom;

class QueueBatchesTest : public QObject, private test::MadeQueue {
  Q_OBJECT
 private Q_SLOTS:
  void init() { makeFolder(); }
  void allOrNone_data();
  void allOrNone();
  void severalKeepTheirOrder();
  void nothingIsClaimedMeanwhile();
  void killedWhileAdding_data();
  void killedWhileAdding();
  void killedWhileWithdrawing();
  void batchesAreLikeOthers();
  void diskFull();
};

void QueueBatchesTest::allOrNone_data() {
  QTest::addColumn<int>("call");
  QTest::addColumn<int>("countdown");
  using Call = FileFaults::Call;
  QTest::newRow("second file cannot be made") << static_cast<int>(Call::Open) << 1;
  QTest::newRow("third file cannot be written") << static_cast<int>(Call::Write) << 2;
  QTest::newRow("third file cannot be flushed") << static_cast<int>(Call::Sync) << 2;
  QTest::newRow("first file gets no name") << static_cast<int>(Call::Rename) << 0;
  QTest::newRow("batch gets no name") << static_cast<int>(Call::Rename) << 4;
  QTest::newRow("folder cannot be flushed") << static_cast<int>(Call::SyncFolder) << 4;
}

void QueueBatchesTest::allOrNone() {
  QFETCH(int, call);
  QFETCH(int, countdown);
  add("before");
  std::vector<QueueEntry> four(4);
  for (QueueEntry& entry : four) entry.config = {{"format", 1}};
  bool recorded = false;
  const QueueRecord record = {[&]() -> Status {
                                recorded = true;
                                return {};
                              },
                              [&] { recorded = false; }};
  FileFaults::arm(static_cast<FileFaults::Call>(call), countdown, ENOSPC, false);
  const auto added = queue().addAll(four, false, record);
  FileFaults::clear();
  QVERIFY(!added.ok());
  QVERIFY(isDiskError(added.error()));
  QCOMPARE(order(), std::string("before "));
  const auto files = std::filesystem::recursive_directory_iterator(queue().path());
  QCOMPARE(std::distance(begin(files), end(files)), std::ptrdiff_t{1});  // nothing half-done either
  QVERIFY(!recorded);
  QCOMPARE(queue().addAll(four, false, record)->size(), std::size_t{4});
  QVERIFY(recorded);
  const QueueRecord refuse = {[] { return Status(diskError("no room for the record")); }, {}};
  QVERIFY(!queue().addAll(four, false, refuse).ok());
  QCOMPARE(queue().entries()->size(), std::size_t{5});
}

void QueueBatchesTest::severalKeepTheirOrder() {
  add("x");
  const auto named = [](std::initializer_list<const char*> names) {
    std::vector<QueueEntry> entries;
    for (const char* name : names) {
      entries.emplace_back();
      entries.back().uuid = name;
    }
    return entries;
  };
  QVERIFY(queue().addAll(named({"c", "b", "a"})).ok());
  QVERIFY(queue().addAll(named({"z", "y"}), true).ok());
  QCOMPARE(order(), std::string("z y x c b a "));
}

// Before all of them are there nobody sees one: a runner would start what is taken back.
void QueueBatchesTest::nothingIsClaimedMeanwhile() {
  const std::vector<QueueEntry> two(2);
  int seen = 0;
  const auto look = [&]() -> Status {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(claimNext().value() ? 1 : static_cast<int>(queue().entries()->size()));
    int status = 0;
    ::waitpid(child, &status, 0);
    seen += WEXITSTATUS(status);
    return {};
  };
  QVERIFY(queue().addAll(two, false, {look, {}}).ok());
  QCOMPARE(seen, 0);
  QVERIFY(claimNext()->has_value());
  QVERIFY(claimNext()->has_value());
  for (const auto& file : std::filesystem::directory_iterator(queue().path()))
    QVERIFY2(file.is_regular_file(), file.path().c_str());  // the batch went with the last of them
}

void QueueBatchesTest::killedWhileAdding_data() {
  QTest::addColumn<bool>("withGrid");
  QTest::addColumn<bool>("recorded");
  QTest::newRow("before the grid is recorded") << true << false;
  QTest::newRow("after the grid is recorded") << true << true;
  QTest::newRow("without a grid") << false << true;
}

// kill -9 leaves all entries of a step or none, whoever looks next.
void QueueBatchesTest::killedWhileAdding() {
  QFETCH(bool, withGrid);
  QFETCH(bool, recorded);
  const std::string project = m_dir->path().toStdString() + "/p";
  auto library = ProjectLibrary::create(project).value();
  const QueueFolder queue(project);
  GridRecord grid;
  grid.uuid = withGrid ? "grid-1" : "";
  std::vector<QueueEntry> three(3);
  for (QueueEntry& entry : three) entry.grid = grid.uuid;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto record = [&]() -> Status {
      if (withGrid && recorded) ProjectLibrary::open(project).value()->setGrid(grid).value();
      ::kill(::getpid(), SIGKILL);
      return {};
    };
    (void)queue.addAll(three, false, {record, {}});
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  const bool all = withGrid && recorded;
  QCOMPARE(queue.entries()->size(), std::size_t(all ? 3 : 0));
  QCOMPARE(library->grids()->size(), std::size_t(all ? 1 : 0));
  QCOMPARE(std::filesystem::is_empty(queue.path()), !all);
  if (all) QCOMPARE(queue.claimEntry(queue.entries()->front().uuid).value()->grid, grid.uuid);
}

// A step that is taken back, too; and it is there as before when it was not undone.
void QueueBatchesTest::killedWhileWithdrawing() {
  const std::string project = m_dir->path().toStdString() + "/p";
  auto library = ProjectLibrary::create(project).value();
  const QueueFolder queue(project);
  GridRecord grid;
  grid.uuid = "grid-1";
  std::vector<QueueEntry> three(3);
  for (QueueEntry& entry : three) entry.grid = grid.uuid;
  const auto make = [&] { return library->setGrid(grid).ok() ? Status() : Status(diskError("no room")); };
  const auto added = queue.addAll(three, false, {make, {}}).value();
  for (const bool undone : {false, true}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto undo = [&] {
        if (undone) ProjectLibrary::open(project).value()->removeGrid(grid.uuid).value();
        ::kill(::getpid(), SIGKILL);
      };
      (void)queue.withdraw(added, {{}, undo});
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    QCOMPARE(queue.entries()->size(), std::size_t(undone ? 0 : 3));
  }
  QVERIFY(std::filesystem::is_empty(queue.path()));
}

// What waits in a batch is moved, claimed, given back and removed like any other.
void QueueBatchesTest::batchesAreLikeOthers() {
  add("x");
  std::vector<QueueEntry> three(3);
  const char* names[] = {"a", "b", "c"};
  for (std::size_t i = 0; i < 3; ++i) three[i].uuid = names[i];
  QVERIFY(queue().addAll(three).ok());
  QVERIFY(queue().reorder("c", "x").ok());
  QCOMPARE(order(), std::string("c x a b "));
  const auto claimed = queue().claimEntry("b").value();
  QVERIFY(claimed.has_value());
  QCOMPARE(order(), std::string("c x a b! "));
  QVERIFY(queue().release(*claimed).ok());
  QVERIFY(queue().remove("a").ok());
  QCOMPARE(order(), std::string("c x b "));
  QCOMPARE(queue().withdraw(queue().entries().value()).value(), 3);
  QVERIFY(std::filesystem::is_empty(queue().path()));
}

void QueueBatchesTest::diskFull() {
  add("a");
  FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, false);
  QueueEntry entry;
  entry.config = Json::object();
  QVERIFY(!queue().add(entry).ok());
  FileFaults::arm(FileFaults::Call::Rename, 0, EIO, false);
  QVERIFY(!claimNext().ok());
  FileFaults::clear();
  QCOMPARE(order(), std::string("a "));
}

QTEST_APPLESS_MAIN(QueueBatchesTest)
#include "tst_queue_batches.moc"
