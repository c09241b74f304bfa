// SPDX-License-Identifier: Apache-2.0
// ctest: threads
#include <sys/resource.h>

#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <limits>
#include <memory>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/base/threads/thread_start.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_reader.h"

using namespace fathom;

class EventLogTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void lineHasEverything();
  void createIsExclusive();
  void realNumbersRoundTrip();
  void oddTextsRoundTrip();
  void tooLongIsRefused();
  void diskFullLosesNothing();
  void fileSizeLimit();
  void failedSyncIsReported();
  void twoThreads();

 private:
  std::string path(const char* name) const { return m_dir->filePath(QString::fromUtf8(name)).toStdString(); }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void EventLogTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  FileFaults::clear();
}

void EventLogTest::lineHasEverything() {
  auto log = EventLog::create(path("e"));
  QVERIFY(log.ok());
  QVERIFY((*log)->append("heartbeat", {{"step", 7}}).ok());
  QVERIFY((*log)->appendStep(8, 1, 900, 0.5, {{"loss", 1.25}, {"odd \"name\"", 2}}).ok());
  const std::string text = readFile(path("e")).value();
  const std::string first = text.substr(0, text.find('\n'));
  QVERIFY2(first.starts_with("{\"v\":1,\"seq\":0,\"t\":"), first.c_str());
  QVERIFY(first.find(",\"k\":\"heartbeat\",\"step\":7,\"crc\":") != std::string::npos);
  QVERIFY(!checkedEventBody(first).empty());
  for (std::size_t i = 0; i < first.size(); ++i) {
    std::string flipped = first;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    QVERIFY2(checkedEventBody(flipped).empty(), flipped.c_str());
  }
  QVERIFY(
      text.find(
          "\"step\":8,\"epoch\":1,\"tokens\":900,\"lr\":0.5,\"m\":{\"loss\":1.25,\"odd \\\"name\\\"\":2}") !=
      std::string::npos);
  QVERIFY(text.find("\n{\"v\":1,\"seq\":1,") != std::string::npos);
}

void EventLogTest::createIsExclusive() {
  auto log = EventLog::create(path("e"));
  QVERIFY(log.ok());
  const auto again = EventLog::create(path("e"));
  QVERIFY(!again.ok());
  QCOMPARE(again.error().kind, ErrorKind::Resource);
  QVERIFY(again.error().text().find("/e") != std::string::npos);
}

void EventLogTest::realNumbersRoundTrip() {
  std::vector<double> values = {0.0, -0.0, 0.1, 1e300, -1e-300, 5e-324, std::numeric_limits<double>::max()};
  for (int exponent = 0; exponent < 2048; exponent += 3) {
    for (const std::uint64_t fraction : {0ull, 1ull, 0x8000000000000ull, 0x5555555555555ull})
      values.push_back(std::bit_cast<double>(static_cast<std::uint64_t>(exponent) << 52 | fraction));
  }
  auto log = EventLog::create(path("e"));
  for (const double value : values) {
    QVERIFY((*log)->appendStep(1, 1, 1, value, {{"x", value}}).ok());
    QVERIFY((*log)->append("validation", {{"step", 1}, {"m", {{"x", value}}}}).ok());
  }
  const auto events = EventReader(path("e")).poll();
  QCOMPARE(events->size(), 2 * values.size());
  for (std::size_t i = 0; i < events->size(); ++i) {
    const double read = realFromJson((*events)[i].members["m"]["x"]).value();
    const double expected = values[i / 2];
    QVERIFY2(std::isnan(expected)
                 ? std::isnan(read)
                 : std::bit_cast<std::uint64_t>(read) == std::bit_cast<std::uint64_t>(expected),
             qPrintable(QString::number(expected, 'g', 17)));
  }
}

void EventLogTest::oddTextsRoundTrip() {
  auto log = EventLog::create(path("e"));
  const std::string odd = "quote \" slash \\ newline \n tab \t zero-crc ,\"crc\":0} \xE4\xB8\xAD";
  QVERIFY((*log)->append("warning", {{"message", odd}}).ok());
  QVERIFY((*log)->append("warning", {{"message", "broken \xFF utf-8"}}).ok());
  const auto events = EventReader(path("e")).poll();
  QCOMPARE(events->size(), std::size_t{2});
  QCOMPARE((*events)[0].members["message"].get<std::string>(), odd);
  QCOMPARE((*events)[1].members["message"].get<std::string>(), std::string("broken \xEF\xBF\xBD utf-8"));
}

void EventLogTest::tooLongIsRefused() {
  auto log = EventLog::create(path("e"));
  const Status status = (*log)->append("warning", {{"message", std::string(kMaxEventBytes, 'x')}});
  QVERIFY(!status.ok());
  QVERIFY((*log)->append("heartbeat", {{"step", 1}}).ok());
  EventReader reader(path("e"));
  QCOMPARE(reader.poll()->size(), std::size_t{1});
  QCOMPARE(reader.missingEvents(), std::int64_t{0});
}

// A fault at the n-th write, once and for good: the file always ends with a whole line, and what was refused
// goes out when there is room again.
void EventLogTest::diskFullLosesNothing() {
  for (const int length : {1, 4, 100}) {
    auto log = EventLog::create(path(("e" + std::to_string(length)).c_str()));
    QVERIFY((*log)->append("heartbeat", {{"step", 0}}).ok());
    FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, true);
    for (int i = 1; i <= length; ++i) {
      const Status status = (*log)->append("heartbeat", {{"step", i}});
      QVERIFY(!status.ok());
      QCOMPARE(status.error().kind, ErrorKind::Resource);
    }
    EventReader during(path(("e" + std::to_string(length)).c_str()));
    QCOMPARE(during.poll()->size(), std::size_t{1});
    QVERIFY(readFile(path(("e" + std::to_string(length)).c_str()))->ends_with("}\n"));
    FileFaults::clear();
    QVERIFY((*log)->append("heartbeat", {{"step", length + 1}}).ok());
    EventReader after(path(("e" + std::to_string(length)).c_str()));
    QCOMPARE(after.poll()->size(), static_cast<std::size_t>(length) + 2);
    QCOMPARE(after.missingEvents(), std::int64_t{0});
    QCOMPARE(after.badLines(), std::int64_t{0});
  }
}

// The kernel's own short write: a line that does not fit under RLIMIT_FSIZE is taken back.
void EventLogTest::fileSizeLimit() {
  auto log = EventLog::create(path("e"));
  QVERIFY((*log)->append("heartbeat", {{"step", 0}}).ok());
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = readFile(path("e"))->size() + 20;
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status status = (*log)->append("heartbeat", {{"step", 1}});
  const std::string full = readFile(path("e")).value();
  ::setrlimit(RLIMIT_FSIZE, &before);
  QVERIFY(!status.ok());
  QVERIFY(full.ends_with("}\n"));
  QVERIFY((*log)->sync().ok());
  EventReader reader(path("e"));
  QCOMPARE(reader.poll()->size(), std::size_t{2});
  QCOMPARE(reader.badLines(), std::int64_t{0});
}

void EventLogTest::failedSyncIsReported() {
  auto log = EventLog::create(path("e"));
  QVERIFY((*log)->append("heartbeat", {{"step", 0}}).ok());
  FileFaults::arm(FileFaults::Call::Sync, 0, EIO, false);
  QVERIFY(!(*log)->sync().ok());
  QVERIFY((*log)->sync().ok());
}

void EventLogTest::twoThreads() {
  auto log = EventLog::create(path("e"));
  std::thread other = startThread([&] {
    for (int i = 0; i < 500; ++i) QVERIFY((*log)->append("heartbeat", {{"step", i}}).ok());
  });
  for (int i = 0; i < 500; ++i) QVERIFY((*log)->appendStep(i, 1, i, 0.1, {{"loss", i}}).ok());
  other.join();
  EventReader reader(path("e"));
  QCOMPARE(reader.poll()->size(), std::size_t{1000});
  QCOMPARE(reader.missingEvents(), std::int64_t{0});
  QCOMPARE(reader.badLines(), std::int64_t{0});
}

QTEST_APPLESS_MAIN(EventLogTest)
#include "tst_event_log.moc"
