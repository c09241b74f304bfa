// SPDX-License-Identifier: Apache-2.0
// The index of a project: it answers what the folders would, follows a run, and is rebuilt when it is
// damaged.
#include <SQLiteCpp/Database.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/event_log.h"
#include "tests/unit/support_listed_runs.h"
#include "tests/unit/support_memory_peak.h"

using namespace fathom;
namespace fs = std::filesystem;

class RunIndexTest : public QObject, private test::ListedRuns {
  Q_OBJECT
 private Q_SLOTS:
  void init() { makeProject(); }
  void indexBesideAWriter();
  void indexIsOnlyHelp();
  void indexAnswersLikeTheFolder();
  void indexKeepsEveryLine();
  void aLongRunCostsLittle();
  void indexFollowsTheRun();
  void damagedIndexIsRebuilt();
  void secondIndexReads();
  void fullDiskCostsNoAnswer();
};

// A shell beside a window: it reads what the window has stored, and may store once the window is gone.
void RunIndexTest::indexBesideAWriter() {
  addCopies(5);
  auto window = CurveIndex::open(project()).value();
  QVERIFY(RunListing(*m_library, window.get()).rows().ok());
  const auto shell = CurveIndex::open(project()).value();
  QVERIFY(window->writer() && !shell->writer());
  RunListing listing(*m_library, shell.get());
  QCOMPARE(listing.rows()->size(), std::size_t{5});
  QCOMPARE(listing.foldersRead(), std::int64_t{0});
  addRun("new", 3);
  QCOMPARE(listing.rows()->size(), std::size_t{6});
  QCOMPARE(listing.foldersRead(), std::int64_t{1});
  window.reset();
  const auto row = readRunRow(m_library->runsPath() + "/new").value();
  QTRY_VERIFY(shell->keepRows({{"stamp", row}}));
  QVERIFY(shell->writer());
  const IndexedRun kept{row.path, "stamp", "", "", "", false}, other{row.path, "another", "", "", "", false};
  const auto stored = shell->storedRows({&other, &kept}, RowParts::All);
  QVERIFY(!stored[0]);
  QCOMPARE(stored[1]->identity.uuid, row.identity.uuid);
}

// Whatever is wrong with the index, runs are listed.
void RunIndexTest::indexIsOnlyHelp() {
  addCopies(3);
  const std::string file = project() + "/index.sqlite";
  const auto listed = [&] {
    const auto index = CurveIndex::open(project());
    if (!index.ok()) return std::size_t{0};
    return RunListing(*m_library, index->get()).rows()->size();
  };
  QCOMPARE(listed(), std::size_t{3});
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file + suffix);
  QVERIFY(::mkfifo(file.c_str(), 0600) == 0);
  QCOMPARE(listed(), std::size_t{3});
  fs::remove_all(file);
  fs::create_directory(file);
  QCOMPARE(listed(), std::size_t{3});
  fs::remove_all(project() + "/index.lock");
  fs::create_directory(project() + "/index.lock");
  QCOMPARE(listed(), std::size_t{3});
  // A full disk: nothing can be stored.
  fs::remove_all(file);
  fs::remove_all(project() + "/index.lock");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit none{0, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &none);
  const std::size_t count = listed();
  ::setrlimit(RLIMIT_FSIZE, &before);
  QCOMPARE(count, std::size_t{3});
}

void RunIndexTest::indexAnswersLikeTheFolder() {
  const RunFolder run = addRun("one", 3000);
  const auto index = CurveIndex::open(project()).value();
  QVERIFY(index->writer());
  QVERIFY(!index->refresh(run.path()).value());  // it may go on
  QCOMPARE(index->series(run.path(), "loss")->value.size(), std::size_t{3000});
  end(run);
  QVERIFY(index->refresh(run.path()).value());
  QVERIFY(!index->refresh(run.path()).value());
  const auto all = readRunScalars(run.path()).value();
  const auto names = index->metrics(run.path()).value();
  QCOMPARE(names.size(), all.size());
  for (const auto& series : all) {
    const auto stored = index->series(run.path(), series.metric).value();
    QCOMPARE(stored.step, series.step);
    QCOMPARE(stored.time, series.time);
    QCOMPARE(stored.tokens, series.tokens);
    QCOMPARE(stored.clock, series.clock);
    QVERIFY(series.clock.front() > kFirstDate);  // written just now
    QCOMPARE(stored.value.size(), series.value.size());
    QVERIFY(std::memcmp(stored.value.data(), series.value.data(), 8 * series.value.size()) == 0);
  }
  QVERIFY(index->series(run.path(), "nothing")->value.empty());
  index->forget(run.path());
  QVERIFY(index->refresh(run.path()).value());
}

// Metrics in changing company, more than once in a line, steps that go back, several attempts: the index
// answers like the folder.
void RunIndexTest::indexKeepsEveryLine() {
  const RunFolder run = addRun("one", 30);
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  for (int line = 0; line < 6000; ++line) {
    const std::string one = "m" + std::to_string(line % 50), other = "m" + std::to_string(line % 77);
    const int step = 20 + line - (line % 3 == 0 ? 5 : 0);
    if (!log->appendStep(step, 1, line, 1e-3, {{one, line}, {"loss", 0.5 * line}, {other, -line}}).ok())
      QFAIL("the log was not written");
  }
  end(run);
  const auto index = CurveIndex::open(project()).value();
  QVERIFY(index->refresh(run.path()).value());
  ScalarsEnd expectedEnd, storedEnd;
  const auto expected = readRunScalars(run.path(), {}, &expectedEnd).value();
  const auto stored = index->allSeries(run.path(), &storedEnd).value();
  QCOMPARE(stored.size(), expected.size());
  QCOMPARE(stored.size(), std::size_t{77 + 5});
  for (std::size_t i = 0; i < stored.size(); ++i) {
    QCOMPARE(stored[i].metric, expected[i].metric);
    QCOMPARE(stored[i].step, expected[i].step);
    QCOMPARE(stored[i].time, expected[i].time);
    QCOMPARE(stored[i].epoch, expected[i].epoch);
    QCOMPARE(stored[i].tokens, expected[i].tokens);
    QCOMPARE(stored[i].value.size(), expected[i].value.size());
    QVERIFY(std::memcmp(stored[i].value.data(), expected[i].value.data(), 8 * stored[i].value.size()) == 0);
    QVERIFY(std::is_sorted(stored[i].step.begin(), stored[i].step.end()));
  }
  QCOMPARE(storedEnd.attempt, 2);
  QCOMPARE(storedEnd.start, expectedEnd.start);
}

// Storing the curves of a run takes a few megabytes, whatever its length; reading them takes those of the one
// that was asked for.
void RunIndexTest::aLongRunCostsLittle() {
  constexpr int kSteps = 120'000;
  const RunFolder run = addRun("long", 1);
  const auto log =
      EventLog::create(run.attemptPath(run.beginAttempt({{"format", 1}}).value()) + "/events.jsonl");
  for (int step = 1; step <= kSteps; ++step) {
    const double value = 5.0 / step;
    const Status written = (*log)->appendStep(
        step, 1, step, 1e-3, {{"a", value}, {"b", -value}, {"c", 1 + value}, {"d", 2 * value}, {"e", 3}});
    if (!written.ok()) QFAIL(written.error().text().c_str());
  }
  end(run);
  const auto index = CurveIndex::open(project()).value();
  const double storing = tests::peakMegabytesOf([&] { (void)index->refresh(run.path()); });
  std::size_t points = 0;
  const double reading =
      tests::peakMegabytesOf([&] { points = index->series(run.path(), "c")->value.size(); });
  qInfo("%d updates of 6 metrics: %.1f MB to store, %.1f MB for one of them", kSteps, storing, reading);
  QCOMPARE(points, std::size_t{kSteps});
  QVERIFY2(storing < 16, qPrintable(QString::number(storing)));  // 29 MB as points in memory
  QVERIFY2(reading < 16, qPrintable(QString::number(reading)));
}

void RunIndexTest::indexFollowsTheRun() {
  const RunFolder run = addRun("one", 50);
  const auto index = CurveIndex::open(project()).value();
  QCOMPARE(index->series(run.path(), "loss")->value.size(), std::size_t{50});
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  for (int step = 41; step <= 80; ++step) {
    (void)log->appendStep(step, 1, step, 1e-3, {{"loss", 1}});
    if (step % 20 == 0)
      QCOMPARE(index->series(run.path(), "loss")->value.size(), std::size_t(std::max(step, 50)));
  }
  end(run);
  QVERIFY(index->refresh(run.path()).value());
  QCOMPARE(index->series(run.path(), "loss")->value.size(), std::size_t{80});
  // It goes on once more.
  const int third = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto more = EventLog::create(run.attemptPath(third) + "/events.jsonl").value();
  (void)more->appendStep(81, 1, 81, 1e-3, {{"loss", 1}});
  QCOMPARE(index->series(run.path(), "loss")->value.size(), std::size_t{81});
}

void RunIndexTest::damagedIndexIsRebuilt() {
  const RunFolder run = addRun("one", 3000);
  end(run);
  const std::string file = project() + "/index.sqlite";
  QVERIFY(CurveIndex::open(project()).value()->refresh(run.path()).ok());
  for (const int kind : {0, 1, 2}) {
    if (kind == 0) std::ofstream(file, std::ios::trunc) << std::string(5000, 'q');
    if (kind == 1) SQLite::Database(file, SQLite::OPEN_READWRITE).exec("PRAGMA user_version=77");
    if (kind == 2) {  // every page but the first
      std::fstream damaged(file, std::ios::in | std::ios::out | std::ios::binary);
      damaged.seekp(4096);
      const std::string junk(fs::file_size(file) - 4096, '\x5A');
      damaged << junk;
    }
    const auto index = CurveIndex::open(project()).value();
    QCOMPARE(index->series(run.path(), "loss")->value.size(), std::size_t{3000});
    // It was made anew: whole, of our schema, and holds the run.
    SQLite::Database now(file, SQLite::OPEN_READONLY);
    QCOMPARE(now.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    QVERIFY(now.execAndGet("PRAGMA user_version").getInt() != 77);
    QVERIFY(index->refresh(run.path()).ok());
    QCOMPARE(index->indexedRuns().size(), std::size_t{1});
  }
}

void RunIndexTest::secondIndexReads() {
  const RunFolder run = addRun("one", 50);
  end(run);
  const auto first = CurveIndex::open(project()).value();
  const auto second = CurveIndex::open(project()).value();
  QVERIFY(first->writer() && !second->writer());
  QVERIFY(!second->refresh(run.path()).value());
  QCOMPARE(second->series(run.path(), "loss")->value.size(), std::size_t{50});
  QCOMPARE(second->metrics(run.path())->size(), std::size_t{5});
  QVERIFY(first->refresh(run.path()).value());
  QCOMPARE(second->series(run.path(), "loss")->value.size(), std::size_t{50});
}

// The index is disposable: without room for it everything is answered from the run folders, and what is there
// of it is not thrown away.
void RunIndexTest::fullDiskCostsNoAnswer() {
  std::signal(SIGXFSZ, SIG_IGN);  // as the programs do
  const auto limitFileSize = [](rlim_t bytes) {
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const RunFolder run = addRun("one", 3000);
  end(run);
  const auto answers = [&](CurveIndex& index) {
    const bool curve = index.series(run.path(), "loss")->value.size() == 3000;
    const bool names = index.metrics(run.path())->size() == 5;
    ScalarsEnd last;
    const bool all = index.allSeries(run.path(), &last)->size() == 5 && last.attempt == 1;
    index.forget(run.path());
    return curve && names && all;
  };
  const std::string file = project() + "/index.sqlite";
  limitFileSize(0);
  {
    const auto none = CurveIndex::open(project());  // cannot be made
    const bool right = none.ok() && answers(**none) && !(*none)->writer();
    limitFileSize(RLIM_INFINITY);
    QVERIFY(right);
  }
  QVERIFY(CurveIndex::open(project()).value()->refresh(run.path()).value());
  const auto bytes = fs::file_size(file);
  limitFileSize(0);
  {
    const auto there = CurveIndex::open(project());
    const bool right = there.ok() && answers(**there);
    limitFileSize(RLIM_INFINITY);
    QVERIFY(right);
  }
  QVERIFY(fs::file_size(file) >= bytes);
  // The disk fills while the index is open, and the run goes on; then the index is found damaged.
  const auto open = CurveIndex::open(project()).value();
  QVERIFY(open->writer());
  QVERIFY(open->refresh(run.path()).ok());
  const auto log =
      EventLog::create(run.attemptPath(run.beginAttempt({{"format", 1}}).value()) + "/events.jsonl").value();
  for (int step = 3001; step <= 3010; ++step) (void)log->appendStep(step, 1, step, 1e-3, {{"loss", 1}});
  end(run);
  limitFileSize(0);
  const auto refreshed = open->refresh(run.path());
  const std::size_t points = open->series(run.path(), "loss")->value.size();
  limitFileSize(RLIM_INFINITY);
  QVERIFY(refreshed.ok() && !*refreshed);
  QCOMPARE(points, std::size_t{3010});
  QVERIFY(open->refresh(run.path()).value());  // there is room again
}

QTEST_APPLESS_MAIN(RunIndexTest)
#include "tst_run_index.moc"
