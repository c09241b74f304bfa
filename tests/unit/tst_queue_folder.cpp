// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <filesystem>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json.h"
#include "core/library/queue/queue_folder.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_queue.h"

using namespace fathom;

class QueueFolderTest : public QObject, private test::MadeQueue {
  Q_OBJECT
 private Q_SLOTS:
  void init() { makeFolder(); }
  void orderAndContent();
  void reorder();
  void claimAndRelease();
  void twoClaimers();
  void orphans();
  void ownNumberBeforeARestart();
  void claimOfAnotherContainer();
  void claimsOfOlderPrograms();
  void withdraw();
  void badFiles();
  void runsAreNamedRelativeToTheProject();
  void oldEntriesWithAbsolutePaths();
  void whatCannotBeRunIsPutAside();
  void settings();
  void oneRunner();
};

void QueueFolderTest::orderAndContent() {
  QVERIFY(queue().entries()->empty());
  add("a");
  add("b");
  add("c", "cuda:0", true);
  QCOMPARE(order(), std::string("c a b "));
  const auto entry = queue().entries()->at(0);
  QCOMPARE(entry.device, std::string("cuda:0"));
  QVERIFY(entry.config["name"] == "c" && !entry.created.empty() && !entry.resume);
  QVERIFY(queue().remove("a").ok());
  QVERIFY(!queue().remove("a").ok());
  QCOMPARE(order(), std::string("c b "));
  QueueEntry unnamed;
  unnamed.config = Json::object();
  QCOMPARE(queue().add(unnamed)->uuid.size(), std::size_t{36});
}

void QueueFolderTest::reorder() {
  for (const char* name : {"a", "b", "c", "d"}) add(name);
  QVERIFY(queue().reorder("d", "a").ok());
  QCOMPARE(order(), std::string("d a b c "));
  QVERIFY(queue().reorder("d", "").ok());
  QCOMPARE(order(), std::string("a b c d "));
  QVERIFY(queue().reorder("a", "c").ok());
  QCOMPARE(order(), std::string("b a c d "));
  QVERIFY(queue().reorder("a", "a").ok() == false);
  QVERIFY(!queue().reorder("x", "a").ok());
  QVERIFY(queue().claimEntry("b")->has_value());
  QVERIFY(queue().reorder("d", "a").ok());
  QVERIFY(!queue().reorder("b", "a").ok());
}

void QueueFolderTest::claimAndRelease() {
  add("a");
  add("b");
  const auto first = claimNext().value();
  QVERIFY(first && first->uuid == "a" && first->claimer == thisProcess());
  QCOMPARE(order(), std::string("a! b "));
  QVERIFY(!queue().claimEntry("a")->has_value());
  QVERIFY(queue().release(*first).ok());
  QCOMPARE(order(), std::string("a b "));
  QVERIFY(claimNext()->has_value() && claimNext()->has_value());
  QVERIFY(!claimNext()->has_value());
  QVERIFY(queue().remove("a").ok() && queue().remove("b").ok());
  QVERIFY(queue().entries()->empty());
}

// Two processes empty one queue: every entry goes to exactly one of them.
void QueueFolderTest::twoClaimers() {
  const int count = 40;
  for (int i = 0; i < count; ++i) add("r" + std::to_string(i));
  int pipe[2];
  QVERIFY(::pipe(pipe) == 0);
  const auto work = [&] {
    int mine = 0;
    while (claimNext().value()) ++mine;
    return mine;
  };
  const pid_t child = ::fork();
  if (child == 0) {
    const int mine = work();
    ::_exit(::write(pipe[1], &mine, sizeof mine) == sizeof mine ? 0 : 1);
  }
  const int mine = work();
  int theirs = 0;
  QCOMPARE(::read(pipe[0], &theirs, sizeof theirs), static_cast<ssize_t>(sizeof theirs));
  ::waitpid(child, nullptr, 0);
  QCOMPARE(mine + theirs, count);
}

void QueueFolderTest::orphans() {
  add("a");
  add("b");
  std::filesystem::create_directories(m_dir->path().toStdString() + "/runs");
  const auto runB = RunFolder::create(m_dir->path().toStdString() + "/runs/b", {"b", "b", "", {}, {}});
  const pid_t child = ::fork();
  if (child == 0) ::_exit(claimNext().value() && claimNext().value() ? 0 : 1);
  ::waitpid(child, nullptr, 0);
  QCOMPARE(order(), std::string("a! b! "));
  auto engine = RunLock::acquire(runB->path(), "");  // b's engine outlived the runner
  QCOMPARE(queue().releaseOrphans().value(), 1);
  QCOMPARE(order(), std::string("a b! "));
  const auto entry = queue().entries()->at(1);
  QVERIFY(queue().orphaned(entry));
  QCOMPARE(queue().adopt(entry)->claimer, thisProcess());
  QVERIFY(!queue().orphaned(queue().entries()->at(1)));
}

// A container starts its first process with the same number every time.
void QueueFolderTest::ownNumberBeforeARestart() {
  add("a");
  ProcessIdentity before = thisProcess();
  before.startTime = "1";
  claimAs("a", before);
  QCOMPARE(queue().entries()->at(0).claimer, before);
  QVERIFY(queue().orphaned(queue().entries()->at(0)));
  QCOMPARE(queue().releaseOrphans().value(), 1);
  QCOMPARE(order(), std::string("a "));
  // After a restart of the machine it may even start at the same tick.
  before = thisProcess();
  before.bootId = "the boot before";
  claimAs("a", before);
  QCOMPARE(queue().releaseOrphans().value(), 1);
  QVERIFY(queue().claimEntry("a")->has_value());
  QCOMPARE(queue().releaseOrphans().value(), 0);  // our own
}

// One that was made anew has another name, too.
void QueueFolderTest::claimOfAnotherContainer() {
  add("a");
  ProcessIdentity other = thisProcess();
  other.host = "f00dcafe1234";
  other.startTime = "1";
  claimAs("a", other);
  const std::string lock = queue().path() + "/runner-" + other.host + ".lock";
  {
    std::ofstream(lock) << "77";
    const int fd = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
    QCOMPARE(::flock(fd, LOCK_EX | LOCK_NB), 0);
    QCOMPARE(queue().releaseOrphans().value(), 0);  // it works
    ::close(fd);
  }
  QCOMPARE(queue().releaseOrphans().value(), 1);
  QCOMPARE(order(), std::string("a "));
}

void QueueFolderTest::claimsOfOlderPrograms() {
  add("a");
  const std::string file = queue().path() + "/000001000000-a";
  std::filesystem::rename(file + ".json",
                          file + "@" + std::to_string(::getpid()) + "@" + hostName() + ".claimed.json");
  QCOMPARE(order(), std::string("a! "));
  QCOMPARE(queue().releaseOrphans().value(), 1);
  QCOMPARE(order(), std::string("a "));
}

void QueueFolderTest::withdraw() {
  add("a");
  add("b");
  add("c");
  const auto claimed = queue().claimEntry("b").value();
  QVERIFY(claimed.has_value());
  QCOMPARE(queue().withdraw(queue().entries().value()).value(), 2);
  QCOMPARE(order(), std::string("b! "));
}

void QueueFolderTest::badFiles() {
  add("a");
  std::ofstream(queue().path() + "/000000000001-x.json") << "{\"config\":";
  std::ofstream(queue().path() + "/odd.json") << "{}";
  std::vector<Error> skipped;
  QCOMPARE(queue().entries(&skipped)->size(), std::size_t{1});
  QCOMPARE(skipped.size(), std::size_t{2});
  QCOMPARE(claimNext().value()->uuid, std::string("a"));
}

// What an entry's file calls the run: nothing of the place the project is at.
void QueueFolderTest::runsAreNamedRelativeToTheProject() {
  const std::string project = m_dir->path().toStdString();
  add("a");
  const std::string file = queue().path() + "/000001000000-a.json";
  QVERIFY(readJsonFile(file).value().at("run") == "a");
  QVERIFY(readFile(file)->find(project) == std::string::npos);
  QCOMPARE(queue().entries()->at(0).runPath, project + "/runs/a");
  QCOMPARE(QueueFolder(project + "/").entries()->at(0).runPath, project + "/runs/a");
  QueueEntry linked;
  linked.uuid = "b";
  linked.runPath = project + "/elsewhere/b";
  QVERIFY(queue().add(linked).ok());
  QCOMPARE(queue().entries()->at(1).runPath, project + "/elsewhere/b");
}

// Format 1 held absolute paths; of a project that was moved since, only the folder's name is right.
void QueueFolderTest::oldEntriesWithAbsolutePaths() {
  const std::string project = m_dir->path().toStdString();
  std::filesystem::create_directories(project + "/runs");
  QVERIFY(RunFolder::create(project + "/runs/b", {"b", "b", "", {}, {}}).ok());
  QVERIFY(makeFolders(queue().path()).ok());
  std::ofstream(queue().path() + "/000000000001-a.json") << R"({"config":{},"run":"/before/p/runs/a"})";
  std::ofstream(queue().path() + "/000000000002-b.json")
      << R"({"format":1,"config":{},"resume":true,"run":"/before/p/runs/b/"})";
  std::vector<Error> skipped;
  const auto entries = queue().entries(&skipped).value();
  QVERIFY2(skipped.empty() && entries.size() == 2, skipped.empty() ? "" : skipped[0].text().c_str());
  QCOMPARE(entries[0].runPath, project + "/runs/a");
  QCOMPARE(entries[1].runPath, project + "/runs/b");
}

void QueueFolderTest::whatCannotBeRunIsPutAside() {
  add("a");
  const std::string gone = queue().path() + "/000000000001-x.json";
  std::ofstream(gone) << R"({"format":1,"config":{},"resume":true,"run":"/before/p/runs/x"})";
  const std::string climbs = queue().path() + "/000000000002-y.json";
  std::ofstream(climbs) << R"({"format":2,"config":{},"run":"../../y"})";
  const auto aside = queue().putAside().value();
  QCOMPARE(aside.size(), std::size_t{2});
  for (const Error& error : aside) {
    QVERIFY(error.file == gone || error.file == climbs);
    const std::string said = error.file == gone ? "the run to go on with is not there" : "'../../y' is not";
    QVERIFY2(error.text().find(error.file) == 0 && error.text().find(said) != std::string::npos,
             error.text().c_str());
    QVERIFY(!error.hint.empty());
  }
  QVERIFY(readFile(queue().path() + "/aside/000000000001-x.json").ok());
  QVERIFY(queue().putAside()->empty());
  QCOMPARE(order(), std::string("a "));
}

void QueueFolderTest::settings() {
  QCOMPARE(queue().settings()->concurrentCpuRuns, 1);
  QueueSettings settings;
  settings.concurrentCpuRuns = 3;
  settings.runsPerGpu = 2;
  settings.devices = {"cpu", "cuda:1"};
  settings.maxRestartsPerHour = 0;
  QVERIFY(queue().setSettings(settings).ok());
  const auto read = queue().settings().value();
  QCOMPARE(read.concurrentCpuRuns, 3);
  QCOMPARE(read.runsPerGpu, 2);
  QCOMPARE(read.devices, settings.devices);
  QCOMPARE(read.maxRestartsPerHour, 0);
  QVERIFY(queue().entries()->empty());
}

void QueueFolderTest::oneRunner() {
  QCOMPARE(queue().runnerPid(), std::int64_t{0});
  auto lock = queue().lockRunner().value();
  QVERIFY(lock != nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const bool refused = queue().lockRunner().value() == nullptr && queue().runnerPid() == ::getppid();
    ::_exit(refused ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QCOMPARE(status, 0);
  lock.reset();
  QCOMPARE(queue().runnerPid(), std::int64_t{0});
  QVERIFY(queue().lockRunner().value() != nullptr);
}

QTEST_APPLESS_MAIN(QueueFolderTest)
#include "tst_queue_folder.moc"
