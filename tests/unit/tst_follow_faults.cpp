// SPDX-License-Identifier: Apache-2.0
// A source that is followed loses and doubles no point, whatever happens to the follower: a stop in the
// middle, a disk that is full at any write, a crash there, a run that a person deletes meanwhile.
// ctest: threads
#include <QTest>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/base/threads/thread_start.h"
#include "core/imports/formats/event_file_writer.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

class FollowFaultsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    FileFaults::clear();
    m_files = std::make_unique<Following>();
  }
  void cleanup() { FileFaults::clear(); }
  void aStopInTheMiddle();
  void anErrorOfTheSource();
  void aCallThatFails_data();
  void aCallThatFails();
  void aCrash();
  void textsAreTakenBack();
  void aLogThatWasShortened();
  void aRunThatWasDeleted();
  void anotherRunInItsPlace();
  void theClock();
  void veryManyRuns();
  void itIsHeard();
  void theLastLine();

 private:
  std::unique_ptr<Following> m_files;
};

// Some 12 MB are read in parts, and a stop is heard between two of them.
void FollowFaultsTest::aStopInTheMiddle() {
  constexpr int kLines = 12'000;
  const std::string note(1000, 'x');
  std::string text;
  for (int step = 1; step <= kLines; ++step)
    text += "{\"step\": " + std::to_string(step) + ", \"loss\": 1, \"note\": \"" + note + "\"}\n";
  m_files->append("log.jsonl", text);
  int stopped = 0;
  for (const int milliseconds : {2, 5, 10, 20, 40, 80}) {
    const auto follower = m_files->open("log.jsonl").value();
    const StopToken stop;
    std::thread person = startThread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));  // somewhere in the middle
      stop.requestStop();
    });
    const auto grown = follower->poll(stop);
    person.join();
    QVERIFY2(grown.ok() || grown.error().kind == ErrorKind::Interrupted,
             grown.ok() ? "" : grown.error().text().c_str());
    stopped += grown.ok() ? 0 : 1;
    follower->rest();
  }
  qInfo("stopped %d times", stopped);
  QVERIFY(m_files->look("log.jsonl").ok());
  QCOMPARE(m_files->steps(), Following::upTo(kLines));
}

// The rows before the one that is none do not come at every look.
void FollowFaultsTest::anErrorOfTheSource() {
  m_files->append("log.csv", "step,loss\n1,1\n2,1\n");
  const auto follower = m_files->open("log.csv").value();
  QVERIFY(follower->poll(StopToken()).ok());
  m_files->append("log.csv", "3,1\nfour,1\n");
  for (int i = 0; i < 3; ++i) {
    const auto grown = follower->poll(StopToken());
    QVERIFY(!grown.ok());
    QVERIFY2(grown.error().text().find("log.csv:") != std::string::npos, grown.error().text().c_str());
  }
  QCOMPARE(m_files->steps(), Following::upTo(2));
  m_files->replace("log.csv", "step,loss\n1,1\n2,1\n3,1\n4,1\n");
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{2});
  QCOMPARE(m_files->steps(), Following::upTo(4));
}

void FollowFaultsTest::aCallThatFails_data() {
  QTest::addColumn<int>("call");
  QTest::newRow("write") << static_cast<int>(FileFaults::Call::Write);
  QTest::newRow("sync") << static_cast<int>(FileFaults::Call::Sync);
  QTest::newRow("rename") << static_cast<int>(FileFaults::Call::Rename);
  QTest::newRow("open") << static_cast<int>(FileFaults::Call::Open);
  QTest::newRow("folder") << static_cast<int>(FileFaults::Call::SyncFolder);
}

// One call after the other fails once; the next look has what the one before could not write.
void FollowFaultsTest::aCallThatFails() {
  QFETCH(int, call);
  const auto follower = [this] {
    m_files->append("log.jsonl", jsonLines(1, 2, {"a", "b"}));
    return m_files->open("log.jsonl").value();
  }();
  int last = 2, failed = 0;
  for (int countdown = 0; countdown < 45; ++countdown) {
    // A run that is new in every third round.
    if (countdown % 3 == 2)
      m_files->append("log.jsonl", jsonLines(1, last, {"c" + std::to_string(countdown)}));
    FileFaults::arm(static_cast<FileFaults::Call>(call), countdown / 3, ENOSPC, false);
    const auto grown = follower->poll(StopToken());
    FileFaults::clear();
    failed += grown.ok() ? 0 : 1;
    if (!grown.ok()) {
      const auto again = follower->poll(StopToken());
      QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
    }
    const int more = (countdown + 1) / 3;
    QCOMPARE(m_files->runs().size(), static_cast<std::size_t>(2 + more));
    ++last;
    m_files->append("log.jsonl", jsonLines(last, last, {"a", "b"}));
  }
  QVERIFY2(failed > 3, std::to_string(failed).c_str());
  QVERIFY(follower->poll(StopToken()).ok());
  for (const std::string& run : follower->runPaths()) {
    const auto curves = readRunScalars(run).value();
    const std::string name = RunFolder(run).identity()->name;
    const int steps = name.starts_with('c') ? std::stoi(name.substr(1)) + 2 : last;
    QCOMPARE(curves.front().step, Following::upTo(steps));
  }
  QVERIFY(m_files->steps().front() >= 0);
}

// From one write on nothing goes any more, and nobody tidies up: what another follower finds is what a crash
// leaves behind.
void FollowFaultsTest::aCrash() {
  for (int countdown = 0; countdown < 30; ++countdown) {
    m_files = std::make_unique<Following>();
    m_files->append("log.jsonl", jsonLines(1, 3));
    if (countdown % 2 == 1) QVERIFY(m_files->look("log.jsonl").ok());
    m_files->append("log.jsonl", jsonLines(4, 5) + jsonLines(1, 5, {"x", "y"}));
    {
      const auto follower = m_files->open("log.jsonl").value();
      FileFaults::arm(FileFaults::Call::Write, countdown / 2, ENOSPC, true);
      (void)follower->poll(StopToken());
    }
    FileFaults::clear();
    m_files->append("log.jsonl", jsonLines(6, 6, {"", "x", "y"}));
    const auto grown = m_files->look("log.jsonl");
    QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
    QCOMPARE(m_files->runs().size(), std::size_t{3});
    QCOMPARE(m_files->steps(), Following::upTo(6, 3));
  }
}

void FollowFaultsTest::textsAreTakenBack() {
  EventFileWriter events(1700000000);
  events.scalar("loss", 1, 1700000001, 1);
  events.text("note", 1, 1700000001, "one");
  m_files->append("log/events.out.tfevents.1", events.content());
  QVERIFY(m_files->look("log").ok());
  const std::size_t before = events.content().size();
  events.scalar("loss", 2, 1700000002, 1);
  events.text("note", 2, 1700000002, "two");
  m_files->append("log/events.out.tfevents.1", events.content().substr(before));
  // The record is what is written last: everything else is there.
  const std::string kept = readFile(m_files->record("log")).value();
  QVERIFY(m_files->look("log").ok());
  QVERIFY(writeFileAtomically(m_files->record("log"), kept).ok());
  QVERIFY(m_files->look("log").ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
  const std::string texts = readFile(m_files->runs().front() + "/artifacts/texts.jsonl").value();
  QCOMPARE(std::count(texts.begin(), texts.end(), '\n'), std::ptrdiff_t{2});
}

// A power cut may take away what was never synced: it is not filled up with zeros.
void FollowFaultsTest::aLogThatWasShortened() {
  m_files->append("log.jsonl", jsonLines(1, 5));
  QVERIFY(m_files->look("log.jsonl").ok());
  const std::string log = RunFolder(m_files->runs().front()).eventsPath(1);
  fs::resize_file(log, fs::file_size(log) - 10);
  const auto grown = m_files->look("log.jsonl");
  QVERIFY(!grown.ok());
  QVERIFY2(grown.error().text().find("events.jsonl") != std::string::npos, grown.error().text().c_str());
  QVERIFY(readFile(log)->find('\0') == std::string::npos);
}

void FollowFaultsTest::aRunThatWasDeleted() {
  m_files->append("log.jsonl", jsonLines(1, 3, {"a", "b"}));
  const auto follower = m_files->open("log.jsonl").value();
  QCOMPARE(follower->poll(StopToken())->fresh.size(), std::size_t{2});
  fs::remove_all(m_files->path("runs/a"));
  m_files->append("log.jsonl", jsonLines(4, 4, {"a", "b"}));
  const auto grown = follower->poll(StopToken());
  QVERIFY(grown.ok() && grown->fresh.empty());
  QCOMPARE(m_files->runs(), (std::vector<std::string>{m_files->path("runs/b")}));
}

// While nobody follows: neither does it come again, nor is another run taken for it that has its folder now.
void FollowFaultsTest::anotherRunInItsPlace() {
  m_files->append("log.jsonl", jsonLines(1, 3, {"a", "b"}));
  QVERIFY(m_files->look("log.jsonl").ok());
  fs::remove_all(m_files->path("runs/a"));
  for (int step = 4; step <= 6; ++step) {
    m_files->append("log.jsonl", jsonLines(step, step, {"a", "b"}));
    const auto grown = m_files->look("log.jsonl");
    QVERIFY(grown.ok() && grown->fresh.empty());
    QCOMPARE(m_files->steps(), Following::upTo(step));
  }
  fs::copy(m_files->path("runs/b"), m_files->path("kept"), fs::copy_options::recursive);
  fs::remove_all(m_files->path("runs/b"));
  m_files->append("b.jsonl", jsonLines(1, 2));
  QVERIFY(m_files->look("b.jsonl").ok());
  QVERIFY(RunFolder(m_files->path("runs/b")).exists());
  m_files->append("log.jsonl", jsonLines(7, 7, {"a", "b"}));
  QVERIFY(m_files->look("log.jsonl").ok());
  QCOMPARE(m_files->steps(), Following::upTo(2));
}

void FollowFaultsTest::theClock() {
  m_files->append("log.jsonl", "\n");
  ImportOptions json;
  json.format = "json";
  {
    // A source that nothing came of is silent, too.
    const auto follower = m_files->open("log.jsonl", json).value();
    QVERIFY(follower->poll(StopToken()).ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // silence is what is measured
    QVERIFY(follower->quiet() > 0.01);
  }
  m_files->append("log.jsonl", jsonLines(1, 3));
  QVERIFY(m_files->look("log.jsonl", json).ok());
  Json record = readJsonFile(m_files->record("log.jsonl")).value();
  record["grew"] = record.at("grew").get<double>() - 7200;
  QVERIFY(writeFileAtomically(m_files->record("log.jsonl"), record.dump()).ok());
  // Two hours in which nobody followed it were no silence, and no gap between two of its points.
  const auto follower = m_files->open("log.jsonl", json).value();
  QVERIFY(follower->quiet() < 60);
  QVERIFY(follower->sinceGrowth() > 7000);
  m_files->append("log.jsonl", jsonLines(4, 4));
  QVERIFY(follower->poll(StopToken()).ok());
  QVERIFY(follower->longestGap() < 60);
}

// Each of them holds no file open but its lock, and of very many only those that grew last are locked.
void FollowFaultsTest::veryManyRuns() {
  std::vector<std::string> names;
  for (int i = 0; i < 220; ++i) names.push_back("r" + std::to_string(i));
  m_files->append("log.jsonl", jsonLines(1, 2, names));
  const auto follower = m_files->open("log.jsonl").value();
  QCOMPARE(follower->poll(StopToken())->fresh.size(), names.size());
  m_files->append("log.jsonl", jsonLines(3, 3, names));
  QCOMPARE(follower->poll(StopToken())->points, static_cast<std::int64_t>(names.size()));
  std::size_t open = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) open += entry.exists() ? 1 : 0;
  QVERIFY2(open < 500, std::to_string(open).c_str());
  QCOMPARE(m_files->steps(), Following::upTo(3, 220));
}

// A log that nothing comes to looks dead after a minute, unless somebody follows it.
void FollowFaultsTest::itIsHeard() {
  m_files->append("log.jsonl", jsonLines(1, 3));
  QVERIFY(m_files->look("log.jsonl").ok());
  const RunFolder run(m_files->runs().front());
  const auto follower = m_files->open("log.jsonl").value();
  fs::last_write_time(run.eventsPath(1), fs::file_time_type::clock::now() - std::chrono::minutes(5));
  QVERIFY(run.silence() > 200);
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(run.silence(), 0.0);
  QVERIFY(run.state() == RunState::Running);
}

// It has no line end, and nothing comes behind it.
void FollowFaultsTest::theLastLine() {
  for (const std::string name : {"log.jsonl", "log.csv"}) {
    m_files = std::make_unique<Following>();
    const std::string text = name == "log.csv" ? "step,loss\n1,1\n2,1\n3,1\n" : jsonLines(1, 3);
    m_files->append(name, text.substr(0, text.size() - 1));
    {
      const auto follower = m_files->open(name).value();
      QVERIFY(follower->poll(StopToken()).ok());
      QCOMPARE(m_files->steps(), Following::upTo(2));
      QCOMPARE(follower->close()->points, std::int64_t{1});
      QCOMPARE(m_files->steps(), Following::upTo(3));
      follower->rest();
    }
    m_files->append(name, name == "log.csv" ? "\n4,1\n" : "\n" + jsonLines(4, 4));
    QVERIFY(m_files->look(name).ok());
    QCOMPARE(m_files->steps(), Following::upTo(4));
    QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
  }
}

QTEST_APPLESS_MAIN(FollowFaultsTest)
#include "tst_follow_faults.moc"
