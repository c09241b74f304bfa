// SPDX-License-Identifier: Apache-2.0
// Followed sources are listed, paused, resumed and removed in the shell, while somebody reads them or not.
#include <sys/file.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTest>
#include <fstream>
#include <thread>

#include "app/runner/followed_sources.h"
#include "app/runner/source_list.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/imports/formats/event_file_writer.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;

class SourceListTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }
  void pausedAndRemovedWhileNobodyReads();
  void oneOfTwoIsPausedWhileTheOtherGoesOn();
  void removedWhileSomebodyReads();
  void removedWhileSomebodyWaits();
  void aFolderThatBecomesASource();
  void resumedGoesOnWhereItWas();
  void whatEndsByItselfIsSaidToHaveEnded();
  void wordsThatFitNothing();

 private:
  std::string write(const char* name, const char* rows, bool append = false) const;
  SourceFollower::Options options(const std::string& source) const;
  ShellResult shell(const QStringList& words) const;
  // State in the JSON of `fathom sources`, "" where it is not listed.
  std::string stateOf(const std::string& source) const;
  SourceWay wayOf(const std::string& source) const;
  std::unique_ptr<ProjectFixture> m_fixture;
};

std::string SourceListTest::write(const char* name, const char* rows, bool append) const {
  QFile file(m_fixture->file(name));
  if (!file.open(append ? QIODevice::Append : QIODevice::WriteOnly) || file.write(rows) < 0) return {};
  return absolutePath(file.fileName().toStdString());
}

SourceFollower::Options SourceListTest::options(const std::string& source) const {
  SourceFollower::Options made{
      source, m_fixture->path() + "/runs", followRecord(m_fixture->path(), source), {}};
  made.import.follow = true;
  return made;
}

ShellResult SourceListTest::shell(const QStringList& words) const {
  return m_fixture->fathom(QStringList{"sources", "--project", QString::fromStdString(m_fixture->path())} +
                           words);
}

std::string SourceListTest::stateOf(const std::string& source) const {
  const Json listed = shell({"--json"}).json();
  for (const Json& each : listed["sources"])
    if (each["source"] == source) return each["state"].get<std::string>();
  return {};
}

SourceWay SourceListTest::wayOf(const std::string& source) const {
  return findSource(m_fixture->path(), source).value().way;
}

void SourceListTest::pausedAndRemovedWhileNobodyReads() {
  QVERIFY(shell({}).out.contains("import-run PATH --follow"));
  const std::string source = write("live.csv", "step,loss\n1,3\n2,2\n");
  QVERIFY(beginFollowing(options(source), StopToken()).ok());
  QCOMPARE(stateOf(source), std::string("unread"));
  const ShellResult paused = shell({"--pause", "live.csv"});
  QVERIFY2(paused.out.contains("CSV") && paused.out.contains("paused"), qPrintable(paused.out + paused.err));
  QVERIFY(followedSources(m_fixture->path()).empty());
  QCOMPARE(shell({"--json"}).json()["sources"][0]["runs"].size(), std::size_t{1});
  QVERIFY(QFile::remove(QString::fromStdString(source)));
  QVERIFY(shell({}).out.contains("paused, not there"));
  QCOMPARE(shell({"--resume", "live.csv"}).exitCode, 30);
  QCOMPARE(shell({"--remove", "live.csv"}).exitCode, 0);
  QCOMPARE(stateOf(source), std::string());
  const Json runs =
      m_fixture->fathom({"runs", "--json", "--project", QString::fromStdString(m_fixture->path())}).json();
  QCOMPARE(runs["runs"].size(), std::size_t{1});  // it stays
}

void SourceListTest::oneOfTwoIsPausedWhileTheOtherGoesOn() {
  const std::string one = write("one.csv", "step,loss\n1,3\n"), two = write("two.csv", "step,loss\n1,3\n");
  FollowedSources sources([](const std::string&) {});
  QVERIFY(sources.open(options(one)).ok() && sources.open(options(two)).ok());
  StopToken stop;
  std::thread reader([&] { (void)sources.run(stop); });
  const bool read = test::waitFor([&] {
    const auto listed = listSources(m_fixture->path());
    return listed.size() == 2 && listed[0].way == SourceWay::Read && listed[1].way == SourceWay::Read;
  });
  const bool paused = read && endFollowing(m_fixture->path(), one).ok() &&
                      test::waitFor([&] { return wayOf(one) == SourceWay::Paused; });
  const bool other = read && wayOf(two) == SourceWay::Read;
  stop.requestStop();
  reader.join();
  QVERIFY(read && paused && other);
  sources.leave(true);
  QVERIFY(wayOf(one) == SourceWay::Paused);
}

void SourceListTest::removedWhileSomebodyReads() {
  const std::string source = write("live.csv", "step,loss\n1,3\n");
  FollowedSources sources([](const std::string&) {});
  QVERIFY(sources.open(options(source)).ok());
  std::thread reader([&] { (void)sources.run(StopToken()); });
  const bool read = test::waitFor([&] { return listSources(m_fixture->path()).size() == 1; });
  const bool asked = removeSource(m_fixture->path(), {.source = source}).ok();
  const bool gone = test::waitFor([&] { return listSources(m_fixture->path()).empty(); });
  reader.join();
  QVERIFY(read && asked && gone);
}

// Whoever has opened its lock before holds the same one as whoever comes later.
void SourceListTest::removedWhileSomebodyWaits() {
  const std::string source = write("live.csv", "step,loss\n1,3\n");
  QVERIFY(beginFollowing(options(source), StopToken()).ok());
  const int early = openLockFile(followRecord(m_fixture->path(), source) + ".lock").value();
  QVERIFY(forgetFollowing(m_fixture->path(), source).ok());
  QVERIFY(listSources(m_fixture->path()).empty());
  QCOMPARE(::flock(early, LOCK_EX | LOCK_NB), 0);
  QVERIFY(!SourceFollower::open(options(source)).ok());
  ::close(early);
  QVERIFY(SourceFollower::open(options(source)).ok());
}

// A person has it followed before its program writes: it is in the list, and whoever follows waits for it.
void SourceListTest::aFolderThatBecomesASource() {
  const std::string folder = m_fixture->file("later").toStdString();
  QVERIFY(QDir().mkpath(QString::fromStdString(folder)));
  const auto begun = beginFollowing(options(folder), StopToken());
  QVERIFY(begun.ok() && begun->runPaths.empty() && begun->notes.size() == 1);
  QVERIFY(wayOf(folder) == SourceWay::Unread);
  StopToken stop;
  FollowedSources sources([](const std::string&) {});
  QVERIFY(sources.open(followedSources(m_fixture->path()).at(0)).ok());
  std::thread reader([&] { (void)sources.run(stop); });
  const bool read = test::waitFor([&] { return wayOf(folder) == SourceWay::Read; });
  EventFileWriter events(1700000000);
  events.scalar("loss", 1, 1700000001, 1);
  std::ofstream(folder + "/events.out.tfevents.1", std::ios::binary) << events.content();
  const bool came = test::waitFor([&] {
    const auto listed = listSources(m_fixture->path());
    return listed.size() == 1 && listed[0].runPaths.size() == 1;
  });
  stop.requestStop();
  reader.join();
  QVERIFY(read && came);
  sources.leave(true);
}

void SourceListTest::resumedGoesOnWhereItWas() {
  const std::string source = write("live.csv", "step,loss\n1,3\n2,2\n");
  QVERIFY(beginFollowing(options(source), StopToken()).ok());
  QVERIFY(endFollowing(m_fixture->path(), source).ok());
  write("live.csv", "3,1\n", true);
  QVERIFY(followAgain(m_fixture->path(), source).ok());
  QVERIFY(wayOf(source) == SourceWay::Unread);
  const auto begun = beginFollowing(followedSources(m_fixture->path()).at(0), StopToken());
  QVERIFY(begun.ok());
  QCOMPARE(begun->points, std::int64_t{1});
}

void SourceListTest::whatEndsByItselfIsSaidToHaveEnded() {
  const std::string source = write("live.csv", "step,loss\n1,3\n");
  auto follower = SourceFollower::open(options(source)).value();
  QVERIFY(follower->poll(StopToken()).ok());
  QVERIFY(wayOf(source) == SourceWay::Read);
  QVERIFY(follower->leave(true).ok());
  follower->unlock();
  QVERIFY(wayOf(source) == SourceWay::Ended);
}

void SourceListTest::wordsThatFitNothing() {
  const std::string source = write("live.csv", "step,loss\n1,3\n");
  QVERIFY(beginFollowing(options(source), StopToken()).ok());
  const ShellResult none = shell({"--pause", QString::fromStdString(source) + "s"});
  QVERIFY(none.exitCode != 0);
  QVERIFY2(none.err.contains("did you mean"), qPrintable(none.err));
}

QTEST_GUILESS_MAIN(SourceListTest)
#include "tst_source_list.moc"
