// SPDX-License-Identifier: Apache-2.0
// The stream of a run's load on its machine: written, followed, gone on with, damaged, over several attempts.
#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/record/events/event_log.h"
#include "core/record/events/system_samples.h"
#include "core/record/events/system_stream.h"

using namespace fathom;

class SystemStreamTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup() { FileFaults::clear(); }
  void linesAreThoseOfEvents();
  void grownStreamIsFollowed();
  void aWideSampleIsCutIntoLines();
  void tornTailIsGoneOnWith();
  void everyCutIsRead();
  void fullDiskLosesTheSampleAlone();
  void damagedLinesAreCounted();
  void newerVersionIsRefusedOnce();
  void attemptsFollowEachOther();
  void clockThatGoesBackStandsStill();
  void whatComesAnewStandsOnce();
  void pointsOfOlderLogsAreTaken();
  void measuredMemoryIsTheMost();
  void thinnedSeriesKeepTheirEnds();
  void nothingIsNoError();

 private:
  std::string run() const { return m_dir->filePath("run").toStdString(); }
  std::string stream(int attempt = 1) const { return systemStreamPath(RunFolder(run()), attempt); }
  void begin(int attempt) const { QVERIFY(makeFolders(RunFolder(run()).attemptPath(attempt)).ok()); }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void SystemStreamTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  begin(1);
}

void SystemStreamTest::linesAreThoseOfEvents() {
  {
    auto log = SystemStream::open(stream()).value();
    QVERIFY(log->describe({8, 15.5, "cuda:0", 1200000000}, 1000.5).ok());
    QVERIFY(log->add({{"system/cpu", 12.5}, {"odd \"ü\"", 2}}, 1010.25).ok());
  }
  const std::string text = readFile(stream()).value();
  const std::string first = text.substr(0, text.find('\n'));
  QVERIFY2(first.starts_with("{\"v\":1,\"seq\":0,\"t\":1000.5,\"k\":\"machine\",\"cores\":8,\"memory\":15.5,"
                             "\"device\":\"cuda:0\",\"needed_bytes\":1200000000,\"crc\":"),
           first.c_str());
  QVERIFY(!checkedEventBody(first).empty());
  QVERIFY(text.find("\"seq\":1,\"t\":1010.25,\"k\":\"system\",\"m\":{\"system/cpu\":12.5,") !=
          std::string::npos);
  const RunSystem system = readRunSystem(run());
  QCOMPARE(system.machine.cores, 8);
  QCOMPARE(system.machine.memory, 15.5);
  QCOMPARE(system.machine.device, std::string("cuda:0"));
  QCOMPARE(system.machine.neededBytes, std::int64_t{1200000000});
  QCOMPARE(system.series.size(), std::size_t{2});
  QCOMPARE(system.find("odd \"ü\"")->values, std::vector<double>{2});
  QCOMPARE(system.find("system/cpu")->seconds, std::vector<double>{9.75});  // after the first line
}

void SystemStreamTest::grownStreamIsFollowed() {
  SystemSamples samples(run());
  QVERIFY(!samples.poll());
  auto log = SystemStream::open(stream()).value();
  QVERIFY(log->add({{"a", 1}}, 10).ok());
  QVERIFY(samples.poll());
  QVERIFY(!samples.poll());
  QVERIFY(log->add({{"a", 2}, {"b", 5}}, 20).ok());
  QVERIFY(samples.poll());
  QCOMPARE(samples.samples().find("a")->values, (std::vector<double>{1, 2}));
  QCOMPARE(samples.samples().find("a")->seconds, (std::vector<double>{0, 10}));
  QCOMPARE(samples.samples().find("b")->seconds, std::vector<double>{10});
}

// Names of another program have no bound: no line is longer than a reader takes.
void SystemStreamTest::aWideSampleIsCutIntoLines() {
  SystemSample wide;
  for (int i = 0; i < 3000; ++i) wide.emplace_back("load/" + std::string(40, 'x') + std::to_string(i), i);
  wide.emplace_back(std::string(2 * kMaxEventBytes, 'y'), 1);
  auto log = SystemStream::open(stream()).value();
  QVERIFY(log->add(wide, 10).ok());
  QVERIFY(log->add({{"a", 1}}, 20).ok());
  const RunSystem system = readRunSystem(run());
  QCOMPARE(system.badLines, std::int64_t{0});
  QCOMPARE(system.series.size(), std::size_t{3001});  // but the name that no line holds
  QCOMPARE(system.find("load/" + std::string(40, 'x') + "2999")->values, std::vector<double>{2999});
}

// As after kill -9 of a runner: the next one goes on below.
void SystemStreamTest::tornTailIsGoneOnWith() {
  {
    auto log = SystemStream::open(stream()).value();
    QVERIFY(log->add({{"a", 1}}, 10).ok());
    QVERIFY(log->add({{"a", 2}}, 20).ok());
  }
  const std::string text = readFile(stream()).value();
  std::ofstream(stream(), std::ios::trunc) << text.substr(0, text.size() - 20);
  {
    auto log = SystemStream::open(stream()).value();
    QVERIFY(log->add({{"a", 3}}, 30).ok());
  }
  const RunSystem system = readRunSystem(run());
  QCOMPARE(system.find("a")->values, (std::vector<double>{1, 3}));
  QCOMPARE(system.badLines, std::int64_t{1});
  QVERIFY(readFile(stream())->find("\"seq\":1,\"t\":30") != std::string::npos);
}

// Piece by piece, also within a line: a line counts when it is whole.
void SystemStreamTest::everyCutIsRead() {
  {
    auto log = SystemStream::open(stream()).value();
    for (int i = 0; i < 4; ++i) QVERIFY(log->add({{"a", i}}, i).ok());
  }
  const std::string text = readFile(stream()).value();
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    std::ofstream(stream(), std::ios::trunc) << text.substr(0, cut);
    SystemSamples samples(run());
    (void)samples.poll();
    const SystemSeries* some = samples.samples().find("a");
    const auto whole = std::count(text.begin(), text.begin() + std::ptrdiff_t(cut), '\n');
    QCOMPARE(some == nullptr ? 0 : std::ptrdiff_t(some->values.size()), whole);
    std::ofstream(stream(), std::ios::app) << text.substr(cut);
    (void)samples.poll();
    QCOMPARE(samples.samples().find("a")->values, (std::vector<double>{0, 1, 2, 3}));
    QCOMPARE(samples.samples().badLines, std::int64_t{0});
  }
}

void SystemStreamTest::fullDiskLosesTheSampleAlone() {
  auto log = SystemStream::open(stream()).value();
  QVERIFY(log->add({{"a", 1}}, 10).ok());
  FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, false);
  QVERIFY(!log->add({{"a", 2}}, 20).ok());
  FileFaults::clear();
  QVERIFY(log->add({{"a", 3}}, 30).ok());
  const RunSystem system = readRunSystem(run());
  QCOMPARE(system.find("a")->values, (std::vector<double>{1, 3}));
  QCOMPARE(system.badLines, std::int64_t{0});  // an empty line is none
}

void SystemStreamTest::damagedLinesAreCounted() {
  {
    auto log = SystemStream::open(stream()).value();
    for (int i = 0; i < 3; ++i) QVERIFY(log->add({{"a", i}}, i).ok());
  }
  std::string text = readFile(stream()).value();
  text[text.find('\n') + 30] ^= 1;
  std::ofstream(stream(), std::ios::trunc) << text << std::string(kMaxEventBytes + 10, 'x') << '\n';
  const RunSystem system = readRunSystem(run());
  QCOMPARE(system.find("a")->values, (std::vector<double>{0, 2}));
  QCOMPARE(system.badLines, std::int64_t{2});
}

void SystemStreamTest::newerVersionIsRefusedOnce() {
  std::string line = R"({"v":2,"seq":0,"t":1,"k":"system","m":{"a":1})";
  closeEventLine(line);
  std::ofstream(stream()) << line;
  SystemSamples samples(run());
  QVERIFY(samples.poll());
  const auto& problem = samples.samples().problem;
  QVERIFY(problem.has_value());
  QVERIFY2(problem->message.find("version 2") != std::string::npos, problem->message.c_str());
  QVERIFY(!samples.poll());
  begin(2);  // what can be read is
  QVERIFY(SystemStream::open(stream(2)).value()->add({{"a", 1}}, 10).ok());
  QVERIFY(samples.poll());
  QCOMPARE(samples.samples().find("a")->values, std::vector<double>{1});
}

void SystemStreamTest::attemptsFollowEachOther() {
  QVERIFY(SystemStream::open(stream()).value()->add({{"a", 1}}, 100).ok());
  QVERIFY(SystemStream::open(stream()).value()->add({{"a", 2}}, 110).ok());
  SystemSamples samples(run());
  QVERIFY(samples.poll());
  begin(2);  // without a stream
  begin(3);
  QVERIFY(!samples.poll());
  QVERIFY(SystemStream::open(stream(3)).value()->describe({2, 1, "cpu", 7}, 5000).ok());
  QVERIFY(SystemStream::open(stream(3)).value()->add({{"a", 3}}, 5004).ok());
  QVERIFY(samples.poll());
  QCOMPARE(samples.samples().find("a")->values, (std::vector<double>{1, 2, 3}));
  QCOMPARE(samples.samples().find("a")->seconds, (std::vector<double>{0, 10, 14}));  // no gap between them
  QCOMPARE(samples.samples().machine.neededBytes, std::int64_t{7});
}

void SystemStreamTest::clockThatGoesBackStandsStill() {
  auto log = SystemStream::open(stream()).value();
  for (const double time : {100.0, 110.0, 50.0, 60.0}) QVERIFY(log->add({{"a", time}}, time).ok());
  QCOMPARE(readRunSystem(run()).find("a")->seconds, (std::vector<double>{0, 10, 10, 20}));
}

// The time of the run goes on where what is left ends, also for whoever has read it before; a name that only
// gave way is gone.
void SystemStreamTest::whatComesAnewStandsOnce() {
  const double start = 1700000000.1234564;  // rounded down when it is written
  auto log = SystemStream::open(stream()).value();
  QVERIFY(log->add({{"a", 1}}, start - 20).ok());
  for (int i = 0; i < 3; ++i) QVERIFY(log->add({{"a", 2 + i}, {"gone", 0}}, start + 10 * i).ok());
  SystemSamples samples(run());
  QVERIFY(samples.poll());
  QCOMPARE(samples.samples().find("a")->values, (std::vector<double>{1, 2, 3, 4}));
  begin(2);
  log = SystemStream::open(stream(2)).value();
  QVERIFY(log->giveWay({start, start + 20}).ok());
  QVERIFY(samples.poll());
  QVERIFY(samples.samples().find("gone") == nullptr);
  QVERIFY(log->add({{"b", 5}, {"a", 7}}, start).ok());
  QVERIFY(log->add({{"a", 8}}, start + 10).ok());
  QVERIFY(samples.poll());
  for (const RunSystem& system : {samples.samples(), readRunSystem(run())}) {
    QCOMPARE(system.find("a")->values, (std::vector<double>{1, 7, 8}));
    QCOMPARE(system.find("a")->seconds, (std::vector<double>{0, 0, 10}));
    QCOMPARE(system.find("b")->values, std::vector<double>{5});
    QCOMPARE(system.badLines, std::int64_t{0});
  }
}

// fathom.py wrote its samples among the points before it had a stream.
void SystemStreamTest::pointsOfOlderLogsAreTaken() {
  std::ofstream(RunFolder(run()).identityPath())
      << R"({"uuid":"u","format":1,"name":"n","created":"","provenance":{},"writer":{"program":"x","version":"1"}})";
  auto log = EventLog::create(RunFolder(run()).eventsPath(1)).value();
  QVERIFY(log->appendStep(1, 0, 0, 0.1, {{"loss", 2.0}}).ok());
  QVERIFY(log->appendStep(2, 0, 0, 0.1, {{"system/cpu", 50.0}, {"system/memory", 4.0}}).ok());
  RunSystem system = readRunSystem(run());
  QCOMPARE(system.series.size(), std::size_t{2});
  QCOMPARE(system.find("system/cpu")->values, std::vector<double>{50});
  QVERIFY(system.find("loss") == nullptr);
  // With a stream nothing is taken twice.
  QVERIFY(SystemStream::open(stream()).value()->add({{"system/cpu", 1}}, 10).ok());
  system = readRunSystem(run());
  QCOMPARE(system.find("system/cpu")->values, std::vector<double>{1});
}

void SystemStreamTest::measuredMemoryIsTheMost() {
  auto log = SystemStream::open(stream()).value();
  QVERIFY(
      log->add(
             {{"system/process_memory", 1.5}, {"system/process_memory_peak", 2.5}, {"system/gpu0_memory", 9}},
             1)
          .ok());
  QVERIFY(
      log->add({{"system/process_memory", 1.0}, {"system/memory", 30}, {"system/gpu1_process_memory", 4}}, 2)
          .ok());
  QCOMPARE(measuredMemory(readRunSystem(run()), false), 2.5);
  QCOMPARE(measuredMemory(readRunSystem(run()), true), 4.0);
  RunSystem hidden;  // a container shows no processes
  hidden.series = {{"system/gpu0_memory", {0}, {9}}};
  QCOMPARE(measuredMemory(hidden, true), 9.0);
  QCOMPARE(measuredMemory(hidden, false), 0.0);
}

void SystemStreamTest::thinnedSeriesKeepTheirEnds() {
  SystemSeries series{"a", {}, {}};
  for (int i = 0; i < 10000; ++i) {
    series.seconds.push_back(i);
    series.values.push_back(i == 4321 ? 100 : i == 8765 ? -100 : i % 7);
  }
  const SystemSeries few = thinned(series, 200);
  QVERIFY(few.values.size() <= 200 && few.values.size() > 100);
  QCOMPARE(few.values.size(), few.seconds.size());
  QVERIFY(std::is_sorted(few.seconds.begin(), few.seconds.end()));
  QCOMPARE(*std::max_element(few.values.begin(), few.values.end()), 100.0);
  QCOMPARE(*std::min_element(few.values.begin(), few.values.end()), -100.0);
  QCOMPARE(thinned(series, 20000).values.size(), std::size_t{10000});
}

void SystemStreamTest::nothingIsNoError() {
  QVERIFY(readRunSystem(m_dir->filePath("none").toStdString()).series.empty());
  QVERIFY(!SystemStream::open(m_dir->filePath("none/system.jsonl").toStdString()).ok());  // makes no folder
}

QTEST_APPLESS_MAIN(SystemStreamTest)
#include "tst_system_stream.moc"
