// SPDX-License-Identifier: Apache-2.0
#include "app/runner/event_follower.h"

#include <QFile>
#include <QTest>
#include <fstream>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_log.h"
#include "tests/gui/support_window_fixture.h"

using namespace fathom;
using test::staysSo;
using test::waitUntil;

// Recordings that grow, end in half a line, are replaced or come from a newer program, as a window meets
// them.
class EventFollowerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void tornTailIsCompletedLater();
  void everyEventArrivesOnceAndInOrder();
  void aHugeFileArrivesInPieces();
  void aNewAttemptIsFound();
  void aRunThatDoesNotExistYet();
  void newerVersionIsSaidOnce();
  void damageIsCounted();
  void replacedFileIsReadAgain();
  void unfollowedRunIsSilent();
  void readsInAThreadOfItsOwn();

 private:
  std::string events(int attempt = 1) const {
    return RunFolder(m_run).attemptPath(attempt) + "/events.jsonl";
  }
  QString run() const { return QString::fromStdString(m_run); }
  const QString kRun = QStringLiteral("uuid-followed");
  static std::string line(int seq, int step, int version = 1) {
    return test::WindowFixture::stepLine(seq, step, 100.0 + seq, 1, version);
  }
  static void append(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::app) << bytes;
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<EventFollower> m_follower;
  std::string m_run;
  std::vector<EventBatchPtr> m_batches;
  std::vector<std::int64_t> m_steps;
  QStringList m_problems;
};

void EventFollowerTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_run = m_fixture->makeRun("followed");
  m_follower = std::make_unique<EventFollower>(10);
  m_batches.clear();
  m_steps.clear();
  m_problems.clear();
  connect(m_follower.get(), &EventFollower::arrived, this, [this](const EventBatchPtr& batch) {
    m_batches.push_back(batch);
    for (const Event& event : batch->events) m_steps.push_back(event.members["step"].get<std::int64_t>());
  });
  connect(m_follower.get(), &EventFollower::problem, this, [this](const QString&, const Error& error) {
    m_problems.append(QString::fromStdString(error.message + "|" + error.hint));
  });
}

void EventFollowerTest::cleanup() {
  m_follower.reset();
  m_fixture.reset();
}

void EventFollowerTest::tornTailIsCompletedLater() {
  const std::string second = line(1, 2);
  append(events(), line(0, 1) + second.substr(0, second.size() / 2));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == 1; }));
  // Several rounds meet the half line.
  QVERIFY(staysSo([&] { return m_steps == std::vector<std::int64_t>{1}; }));
  QCOMPARE(m_batches.back()->badLines, std::int64_t{0});
  append(events(), second.substr(second.size() / 2));
  QVERIFY(waitUntil([&] { return m_steps.size() == 2; }));
  QCOMPARE(m_steps.back(), std::int64_t{2});
  QCOMPARE(m_batches.back()->badLines, std::int64_t{0});
  QVERIFY(m_problems.isEmpty());
}

void EventFollowerTest::everyEventArrivesOnceAndInOrder() {
  constexpr int kCount = 3000;
  append(events(), line(0, 1));
  m_follower->follow(kRun, run());
  m_follower->follow(kRun, run());  // twice is once
  std::thread writer([this] {
    std::ofstream file(events(), std::ios::app);
    for (int i = 1; i < kCount; ++i) {
      const std::string text = line(i, i + 1);
      file << text.substr(0, 7) << std::flush << text.substr(7) << std::flush;
    }
  });
  const bool all = waitUntil([&] { return m_steps.size() >= kCount; });
  writer.join();
  QVERIFY(all);
  QCOMPARE(m_steps.size(), std::size_t{kCount});
  for (int i = 0; i < kCount; ++i) QCOMPARE(m_steps[static_cast<std::size_t>(i)], std::int64_t{i + 1});
  QCOMPARE(m_batches.back()->badLines + m_batches.back()->missingEvents, std::int64_t{0});
}

void EventFollowerTest::aHugeFileArrivesInPieces() {
  std::string text;
  int count = 0;
  while (text.size() < (5u << 20)) {
    text += line(count, count + 1);
    ++count;
  }
  append(events(), text);
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == static_cast<std::size_t>(count); }));
  QVERIFY(m_batches.size() >= 4);
}

void EventFollowerTest::aNewAttemptIsFound() {
  append(events(1), line(0, 1));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == 1; }));
  QCOMPARE(RunFolder(m_run).beginAttempt(Json{{"format", 1}, {"options", Json::object()}}).value(), 2);
  append(events(2), line(0, 1) + line(1, 2));
  QVERIFY(waitUntil([&] { return m_steps.size() == 3; }));
  QCOMPARE(m_batches.back()->attempt, 2);
}

void EventFollowerTest::aRunThatDoesNotExistYet() {
  const std::string later = m_run + "-later";
  m_follower->follow(kRun, QString::fromStdString(later));
  QVERIFY(staysSo([&] { return m_problems.isEmpty(); }));
  RunIdentity identity;
  identity.uuid = "11111111-2222-4333-8444-555555555555";
  const RunFolder folder = RunFolder::create(later, identity).value();
  (void)folder.beginAttempt(Json{{"format", 1}, {"options", Json::object()}}).value();
  append(folder.attemptPath(1) + "/events.jsonl", line(0, 1));
  QVERIFY(waitUntil([&] { return m_steps.size() == 1; }));
}

void EventFollowerTest::newerVersionIsSaidOnce() {
  append(events(), line(0, 1) + line(1, 2, 2) + line(2, 3));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return !m_problems.isEmpty(); }));
  QVERIFY(staysSo([&] { return m_problems.size() == 1; }));
  QVERIFY2(m_problems.first().contains("|open it with a newer Fathom"), qPrintable(m_problems.first()));
  QCOMPARE(m_steps, std::vector<std::int64_t>{1});
}

void EventFollowerTest::damageIsCounted() {
  std::string broken = line(1, 2);
  broken[20] = static_cast<char>(broken[20] ^ 1);
  append(events(), line(0, 1) + broken + "no event\n" + line(4, 5));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == 2; }));
  QCOMPARE(m_batches.back()->badLines, std::int64_t{2});
  QCOMPARE(m_batches.back()->missingEvents, std::int64_t{3});  // 1, 2 and 3
  QVERIFY(m_problems.isEmpty());
}

// A copy of another state of the run was put in its place (rsync, a restored backup).
void EventFollowerTest::replacedFileIsReadAgain() {
  append(events(), line(0, 1) + line(1, 2) + line(2, 3));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == 3; }));
  QVERIFY(!m_batches.back()->again);
  QVERIFY(writeFileAtomically(events(), line(0, 1) + line(1, 7)).ok());
  QVERIFY(waitUntil([&] { return m_steps.size() == 5; }));
  QCOMPARE(m_steps, (std::vector<std::int64_t>{1, 2, 3, 1, 7}));
  QVERIFY(m_batches.back()->again);
  append(events(), line(2, 8));
  QVERIFY(waitUntil([&] { return m_steps.size() == 6; }));
  QVERIFY(!m_batches.back()->again);
}

void EventFollowerTest::unfollowedRunIsSilent() {
  append(events(), line(0, 1));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == 1; }));
  m_follower->unfollow(kRun);
  QTest::qWait(30);  // nothing tells when the other thread has taken it
  append(events(), line(1, 2));
  QVERIFY(staysSo([&] { return m_steps.size() == 1; }));
  m_follower->follow(kRun, run());  // from the first event again
  QVERIFY(waitUntil([&] { return m_steps.size() == 3; }));
}

// What arrives in the GUI thread was read elsewhere: while this thread does not turn its event loop, the
// worker goes on reading.
void EventFollowerTest::readsInAThreadOfItsOwn() {
  append(events(), line(0, 1));
  m_follower->follow(kRun, run());
  QVERIFY(waitUntil([&] { return m_steps.size() == 1; }));
  append(events(), line(1, 2));
  QTest::qSleep(200);  // this thread is asleep
  append(events(), line(2, 3));
  QTest::qSleep(200);  // and still is
  QCoreApplication::processEvents();
  QCOMPARE(m_steps.size(), std::size_t{3});
  QVERIFY(m_batches.size() >= 3);  // two rounds of reading happened meanwhile
}

QTEST_GUILESS_MAIN(EventFollowerTest)
#include "tst_event_follower.moc"
