// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/Database.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "core/base/numbers/random_stream.h"
#include "core/library/curve_index.h"
#include "core/library/point_log_bench.h"
#include "core/library/run_listing.h"
#include "core/record/events/event_log.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_memory_peak.h"

using namespace fathom;
namespace fs = std::filesystem;

class RunListingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void rowOfARun();
  void lengthInEpochs();
  void supersededBest();
  void unreadable();
  void findByAnything();
  void manyRuns();
  void manyRunsFromTheIndex();
  void changesTellWhatChanged();
  void findReadsOneRow();
  void indexBesideAWriter();
  void indexIsOnlyHelp();
  void indexAnswersLikeTheFolder();
  void indexKeepsEveryLine();
  void aLongRunCostsLittle();
  void indexFollowsTheRun();
  void damagedIndexIsRebuilt();
  void secondIndexReads();
  void fullDiskCostsNoAnswer();
  void bench();

 private:
  RunFolder addRun(const std::string& name, int steps, std::uint64_t seed = 1) const;
  void addCopies(int count) const;
  static void end(const RunFolder& run);
  std::string project() const { return m_library->path(); }
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ProjectLibrary> m_library;
};

void RunListingTest::init() {
  m_library.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_library = ProjectLibrary::create(m_dir->path().toStdString() + "/p.fathom").value();
}

RunFolder RunListingTest::addRun(const std::string& name, int steps, std::uint64_t seed) const {
  RunIdentity identity;
  identity.uuid = "uuid-" + name;
  identity.name = name;
  identity.created = "2026-01-01T00:00:00.000Z";
  const auto run = RunFolder::create(m_library->runsPath() + "/" + name, identity).value();
  const int attempt =
      run.beginAttempt({{"format", 1}, {"preset", "tiny"}, {"options", {{"seed", seed}}}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  (void)log->append("run_started", {{"attempt", 1}, {"total_updates", 5 * steps}});
  RandomStream random(seed);
  for (int step = 1; step <= steps; ++step) {
    const double loss = step % 97 == 0 ? std::nan("") : 5.0 / step + 0.1 * random.uniform();
    (void)log->appendStep(step, 1, 10 * step, 1e-3, {{"loss", loss}, {"grad_norm", random.uniform()}});
    if (step % 10 == 0) {
      const double score = std::abs(step - steps / 2) + 1.0;
      (void)log->append(
          "validation",
          {{"step", step}, {"epoch", 1}, {"m", {{"valid.nll", score}, {"valid.bleu", -score}}}});
    }
  }
  return run;
}

void RunListingTest::rowOfARun() {
  const RunFolder run = addRun("one", 100);
  auto row = readRunRow(run.path()).value();
  QCOMPARE(row.identity.uuid, std::string("uuid-one"));
  QVERIFY(row.state == RunState::Crashed);
  QCOMPARE(row.step, std::int64_t{100});
  QCOMPARE(row.totalUpdates, std::int64_t{500});
  QCOMPARE(row.last.at("valid.nll"), 51.0);
  QCOMPARE(row.best.at("valid.nll"), 1.0);
  QCOMPARE(row.best.at("valid.bleu"), -1.0);
  QCOMPARE(row.bestStep.at("valid.nll"), std::int64_t{50});
  QVERIFY(row.last.contains("loss") && !row.best.contains("loss"));
  QCOMPARE(row.preset, std::string("tiny"));
  QVERIFY(row.options["seed"] == 1);
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = 100;
  outcome.scores = {{"test.bleu", 30.5}};
  QVERIFY(run.writeOutcome(1, outcome).ok());
  row = readRunRow(run.path()).value();
  QVERIFY(row.state == RunState::Finished && !row.finishedAt.empty());
  QCOMPARE(row.last.at("test.bleu"), 30.5);
  QCOMPARE(row.bestStep.at("test.bleu"), std::int64_t{100});
  QVERIFY(runRowToJson(runRowFromJson(runRowToJson(row))) == runRowToJson(row));
}

// A length in epochs or tokens becomes a number of updates only when the data are read.
void RunListingTest::lengthInEpochs() {
  RunIdentity identity;
  identity.uuid = "uuid-epochs";
  const auto run = RunFolder::create(m_library->runsPath() + "/epochs", identity).value();
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  (void)log->append("run_started", {{"attempt", 1}, {"total_updates", -1}});
  QCOMPARE(readRunRow(run.path())->totalUpdates, std::int64_t{-1});
  (void)log->append("progress", {{"phase", "reading"}, {"unit", "lines"}, {"done", 5.0}, {"total", 50.0}});
  (void)log->append("progress",
                    {{"phase", "training"}, {"unit", "updates"}, {"done", 0.0}, {"total", 748.0}});
  QCOMPARE(readRunRow(run.path())->totalUpdates, std::int64_t{748});
}

// The second attempt goes over the best validation of the first again: that one no longer counts.
void RunListingTest::supersededBest() {
  const RunFolder run = addRun("one", 100);
  const int attempt = run.beginAttempt({{"format", 1}, {"options", Json::object()}}).value();
  const auto log = EventLog::create(run.attemptPath(attempt) + "/events.jsonl").value();
  for (int step = 41; step <= 60; ++step) (void)log->appendStep(step, 1, step, 1e-3, {{"loss", 1}});
  (void)log->append("validation", {{"step", 50}, {"m", {{"valid.nll", 7.0}}}});
  const auto row = readRunRow(run.path()).value();
  QCOMPARE(row.best.at("valid.nll"), 7.0);
  QCOMPARE(row.attempts, 2);
  QCOMPARE(row.step, std::int64_t{60});
}

void RunListingTest::unreadable() {
  addRun("one", 3);
  fs::create_directories(m_library->runsPath() + "/two");
  std::ofstream(m_library->runsPath() + "/two/run.json") << "{\"format\":9}";
  fs::create_directories(m_library->runsPath() + "/no-run");
  const auto rows = listRuns(*m_library).value();
  QCOMPARE(rows.size(), std::size_t{2});
  const auto& bad = rows[0].name == "two" ? rows[0] : rows[1];
  QVERIFY(bad.state == RunState::Lost);
  QVERIFY2(bad.message.english().find("newer Fathom") != std::string::npos, bad.message.english().c_str());
}

void RunListingTest::findByAnything() {
  const RunFolder run = addRun("one", 3);
  addRun("two", 3);
  RunNotes notes;
  notes.name = "renamed";
  QVERIFY(m_library->setRunNotes("uuid-one", notes).ok());
  for (const std::string& wanted : {std::string("uuid-one"), std::string("uuid-o"), std::string("renamed"),
                                    std::string("one"), run.path(), run.path() + "/"}) {
    const auto found = findRun(*m_library, wanted);
    QVERIFY2(found.ok(), wanted.c_str());
    QCOMPARE(found->identity.uuid, std::string("uuid-one"));
  }
  QVERIFY(findRun(*m_library, "uuid-").error().message.find("2 runs") != std::string::npos);
  QVERIFY(findRun(*m_library, "renamd").error().text().find("renamed") != std::string::npos);
  // A run elsewhere, linked.
  const RunFolder far =
      RunFolder::create(m_dir->path().toStdString() + "/far", {"uuid-far", "far", "", {}, {}}).value();
  QVERIFY(m_library->linkRun(far.path()).ok());
  QCOMPARE(findRun(*m_library, "far")->path, far.path());
  QVERIFY(m_library->unlinkRun(far.path()).ok());
  QVERIFY(!findRun(*m_library, "far").ok());
}

void RunListingTest::manyRuns() {
  const RunFolder first = addRun("run0", 300);
  for (int i = 1; i < 500; ++i) {
    const std::string copy = m_library->runsPath() + "/run" + std::to_string(i);
    fs::copy(first.path(), copy, fs::copy_options::recursive);
    std::ofstream(copy + "/run.json")
        << R"({"uuid":"u)" << i << R"(","format":1,"name":"n","created":"2026"})";
  }
  RunListing listing(*m_library);
  QElapsedTimer timer;
  timer.start();
  QCOMPARE(listing.rows()->size(), std::size_t{500});
  const auto cold = timer.restart();
  QCOMPARE(listing.rows()->size(), std::size_t{500});
  const auto warm = timer.elapsed();
  qInfo("500 runs of 300 updates: %lld ms, again %lld ms", static_cast<long long>(cold),
        static_cast<long long>(warm));
}

void RunListingTest::end(const RunFolder& run) {
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  if (!run.writeOutcome(run.lastAttempt(), outcome).ok()) qFatal("the outcome was not written");
}

// Copies of one ended run, each with a UUID and a name of its own.
void RunListingTest::addCopies(int count) const {
  const RunFolder first = addRun("model", 20);
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = 20;
  QVERIFY(first.writeOutcome(1, outcome).ok());
  for (int i = 1; i < count; ++i) {
    const std::string number = std::to_string(i), copy = m_library->runsPath() + "/run" + number;
    fs::copy(first.path(), copy, fs::copy_options::recursive);
    std::ofstream(copy + "/run.json")
        << R"({"uuid":"u)" + number + R"(","format":1,"name":"name )" + number + R"(","created":"2026"})";
  }
}

// A second listing reads no folder: every file of every run is made unreadable as JSON without its stamp
// knowing, and the answers stay.
void RunListingTest::manyRunsFromTheIndex() {
  constexpr int kRuns = 2000;
  addCopies(kRuns);
  std::vector<std::string> before;
  {
    const auto index = CurveIndex::open(project()).value();
    RunListing listing(*m_library, index.get());
    for (const RunRow& row : *listing.rows()) before.push_back(runRowToJson(row).dump() + row.path);
    QCOMPARE(before.size(), std::size_t(kRuns));
    QCOMPARE(listing.foldersRead(), std::int64_t{kRuns});
    QVERIFY(listing.rows().ok());
    QCOMPARE(listing.foldersRead(), std::int64_t{kRuns});
  }
  std::string broken;
  for (const auto& entry : fs::recursive_directory_iterator(m_library->runsPath())) {
    if (!entry.is_regular_file()) continue;
    struct stat info {};
    QVERIFY(::stat(entry.path().c_str(), &info) == 0);
    broken.assign(entry.file_size(), '?');
    std::ofstream(entry.path(), std::ios::in | std::ios::out) << broken;
    const timespec times[] = {info.st_atim, info.st_mtim};
    QVERIFY(::utimensat(AT_FDCWD, entry.path().c_str(), times, 0) == 0);
  }
  const auto index = CurveIndex::open(project()).value();
  RunListing listing(*m_library, index.get());
  std::vector<std::string> after;
  QVERIFY(listing
              .visit(RowParts::All,
                     [&](const RunRow& row) { after.push_back(runRowToJson(row).dump() + row.path); })
              .ok());
  QVERIFY(after == before);
  QCOMPARE(listing.foldersRead(), std::int64_t{0});
  QCOMPARE(listing.foldersLookedAt(), std::int64_t{kRuns});
  int without = 0;
  QVERIFY(listing.visit(RowParts::WithoutOptions, [&](const RunRow& row) { without += row.options.empty(); })
              .ok());
  QCOMPARE(without, kRuns);
}

// What a window asks every second costs nothing for runs that have ended.
void RunListingTest::changesTellWhatChanged() {
  addCopies(50);
  const RunFolder live = addRun("live", 5);
  const auto index = CurveIndex::open(project()).value();
  RunListing listing(*m_library, index.get());
  std::vector<std::string> told, gone;
  using Scope = RunListing::Scope;
  const auto ask = [&](Scope scope, const std::set<std::string>& also = {}) {
    told.clear();
    gone.clear();
    const std::int64_t before = listing.foldersLookedAt();
    const Status status = listing.changes(
        scope, also, [&](const RunRow& row) { told.push_back(row.identity.uuid); },
        [&](const std::string& path) { gone.push_back(path); });
    if (!status.ok()) qFatal("%s", status.error().text().c_str());
    return listing.foldersLookedAt() - before;
  };
  using Uuids = std::vector<std::string>;
  ask(Scope::Everything);
  QCOMPARE(told.size(), std::size_t{51});
  QCOMPARE(ask(Scope::Likely), std::int64_t{1});  // the one that has not ended
  QVERIFY(told.empty() && gone.empty());
  QCOMPARE(ask(Scope::Everything), std::int64_t{51});
  QVERIFY(told.empty() && gone.empty());
  // Its events grow; another process takes its lock.
  std::ofstream(live.attemptPath(1) + "/events.jsonl", std::ios::app) << "\n";
  ask(Scope::Likely);
  QCOMPARE(told, Uuids{"uuid-live"});
  {
    const auto lock = RunLock::acquire(live.path(), "").value();
    ask(Scope::Likely);
    QCOMPARE(told, Uuids{"uuid-live"});
  }
  ask(Scope::Likely);
  QCOMPARE(told, Uuids{"uuid-live"});
  // What people say, and what they link.
  RunNotes notes;
  notes.name = "given";
  QVERIFY(m_library->setRunNotes("u7", notes).ok());
  ask(Scope::Likely);
  QCOMPARE(told, Uuids{"u7"});
  const RunFolder far =
      RunFolder::create(m_dir->path().toStdString() + "/far", {"uuid-far", "far", "", {}, {}}).value();
  QVERIFY(m_library->linkRun(far.path()).ok());
  ask(Scope::Likely);
  QCOMPARE(told, Uuids{"uuid-far"});
  // An ended run that goes on is seen by those who know of it at once, by all others with the next full look.
  const RunFolder again(m_library->runsPath() + "/run9");
  QVERIFY(again.beginAttempt({{"format", 1}, {"options", Json::object()}}).ok());
  ask(Scope::Likely);
  QVERIFY(told.empty());
  ask(Scope::Likely, {again.path()});
  QCOMPARE(told, Uuids{"u9"});
  listing.touch(again.path());
  ask(Scope::Likely);
  QCOMPARE(told, Uuids{"u9"});
  // Gone, and come.
  QVERIFY(m_library->trashRun(m_library->runsPath() + "/run3").ok());
  ask(Scope::Likely);
  QCOMPARE(gone, Uuids{m_library->runsPath() + "/run3"});
  QVERIFY(told.empty());
  QVERIFY(index->indexedRuns().size() == 51);
}

// By UUID or path that run only, by name every stamp but one folder at most.
void RunListingTest::findReadsOneRow() {
  addCopies(200);
  QVERIFY(RunFolder::create(m_library->runsPath() + "/uuid-own", {"uuid-own", "own", "2026", {}, {}}).ok());
  for (const std::string& wanted : {std::string("uuid-own"), m_library->runsPath() + "/run17"}) {
    RunListing listing(*m_library);
    QVERIFY2(listing.find(wanted).ok(), wanted.c_str());
    QCOMPARE(listing.foldersLookedAt(), std::int64_t{1});
    QCOMPARE(listing.foldersRead(), std::int64_t{1});
  }
  const auto index = CurveIndex::open(project()).value();
  QVERIFY(RunListing(*m_library, index.get()).rows().ok());
  for (const char* wanted : {"u17", "name 17", "uuid-m"}) {
    RunListing listing(*m_library, index.get());
    QVERIFY2(listing.find(wanted).ok(), wanted);
    QCOMPARE(listing.foldersRead(), std::int64_t{0});
  }
  std::vector<std::string> selected;
  const auto take = [&](const RunRow& row) { selected.push_back(row.identity.uuid); };
  {
    RunListing listing(*m_library, index.get());
    QVERIFY(listing.select({"u5", "u3"}, take).ok());
    QVERIFY(selected == (std::vector<std::string>{"u5", "u3"}));
    QCOMPARE(listing.pathOf("u9").value(), m_library->runsPath() + "/run9");
    QVERIFY(listing.find("u17").ok());
    QCOMPARE(listing.foldersLookedAt(), std::int64_t{4});  // those that were named
    QCOMPARE(listing.foldersRead(), std::int64_t{0});
  }
  // The index is behind: another run in that folder, one it has not seen, one that is gone.
  std::ofstream(m_library->runsPath() + "/run5/run.json") << R"({"uuid":"u5000","format":1,"name":"n"})";
  QVERIFY(RunFolder::create(m_library->runsPath() + "/fresh", {"uuid-fresh", "own", "2026", {}, {}}).ok());
  QVERIFY(m_library->trashRun(m_library->runsPath() + "/run6").ok());
  RunListing listing(*m_library, index.get());
  selected.clear();
  QVERIFY(listing.select({"u5", "nobody", "u3", "uuid-fresh", "u6", "u5000"}, take).ok());
  QVERIFY(selected == (std::vector<std::string>{"u3", "uuid-fresh", "u5000"}));
  QCOMPARE(listing.foldersRead(), std::int64_t{2});
  std::size_t named = 0;
  RunListing names(*m_library, index.get());
  QVERIFY(names.names([&](const std::string& uuid, const std::string&) { named += uuid != "u6"; }).ok());
  QCOMPARE(named, std::size_t{201});
  QCOMPARE(names.foldersRead(), std::int64_t{0});
}

// A shell beside a window: it reads what the window has stored, and may store once the window is gone.
void RunListingTest::indexBesideAWriter() {
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
void RunListingTest::indexIsOnlyHelp() {
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

void RunListingTest::indexAnswersLikeTheFolder() {
  const RunFolder run = addRun("one", 3000);
  const auto index = CurveIndex::open(project()).value();
  QVERIFY(index->writer() && !index->wasRebuilt());
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
    QCOMPARE(stored.value.size(), series.value.size());
    QVERIFY(std::memcmp(stored.value.data(), series.value.data(), 8 * series.value.size()) == 0);
  }
  QVERIFY(index->series(run.path(), "nothing")->value.empty());
  index->forget(run.path());
  QVERIFY(index->refresh(run.path()).value());
}

// Metrics in changing company, more than once in a line, steps that go back, several attempts: the index
// answers like the folder.
void RunListingTest::indexKeepsEveryLine() {
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
void RunListingTest::aLongRunCostsLittle() {
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

void RunListingTest::indexFollowsTheRun() {
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

void RunListingTest::damagedIndexIsRebuilt() {
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
    QVERIFY(index->wasRebuilt());
  }
}

void RunListingTest::secondIndexReads() {
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
void RunListingTest::fullDiskCostsNoAnswer() {
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
    const bool right = none.ok() && answers(**none) && !(*none)->writer() && !(*none)->problem().empty();
    limitFileSize(RLIM_INFINITY);
    QVERIFY(right);
  }
  QVERIFY(CurveIndex::open(project()).value()->refresh(run.path()).value());
  const auto bytes = fs::file_size(file);
  limitFileSize(0);
  {
    const auto there = CurveIndex::open(project());
    const bool right = there.ok() && answers(**there) && !(*there)->wasRebuilt();
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

void RunListingTest::bench() {
  Progress progress;
  const auto result = benchPointLog(m_dir->path().toStdString(), 20000, 50, progress, StopToken());
  QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
  QCOMPARE(result->points, std::int64_t{20000});
  QVERIFY(!benchPointLog(m_dir->path().toStdString(), 1, 0, progress, StopToken()).ok());
  const auto left = std::distance(fs::directory_iterator(m_dir->path().toStdString()), {});
  QCOMPARE(left, std::ptrdiff_t{1});
}

QTEST_APPLESS_MAIN(RunListingTest)
#include "tst_run_listing.moc"
