// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/library/runs/run_trash.h"
#include "core/record/events/event_log.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_listed_runs.h"

using namespace fathom;
namespace fs = std::filesystem;

class RunListingTest : public QObject, private test::ListedRuns {
  Q_OBJECT
 private Q_SLOTS:
  void init() { makeProject(); }
  void rowOfARun();
  void lengthInEpochs();
  void whatARunDoesNow();
  void supersededBest();
  void unreadable();
  void findByAnything();
  void changesTellWhatChanged();
  void findReadsOneRow();
};

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

// One remaining time: the engine's. What it does between updates is told with its own progress.
void RunListingTest::whatARunDoesNow() {
  RunIdentity identity;
  identity.uuid = "uuid-work";
  const auto run = RunFolder::create(m_library->runsPath() + "/work", identity).value();
  for (int attempt = 1; attempt <= 2; ++attempt)
    (void)run.beginAttempt({{"format", 1}, {"options", Json::object()}});
  const auto before = EventLog::create(run.eventsPath(1)).value();
  (void)before->appendStep(900, 0, 900, 1e-3, {{"loss", 1}});
  const auto log = EventLog::create(run.eventsPath(2)).value();
  const auto now = [&] { return readRunRow(run.path()).value(); };
  (void)log->append("run_started", {{"attempt", 2}, {"total_updates", 1000}});
  (void)log->append("progress", {{"phase", "reading"}, {"unit", "lines"}, {"done", 5.0}, {"total", 50.0}});
  QCOMPARE(now().phase.name, std::string("reading"));
  QCOMPARE(now().phase.done, 5.0);
  QCOMPARE(now().remaining, -1.0);
  (void)log->append("progress", {{"phase", "training"}, {"unit", "updates"}, {"done", 900}, {"total", 1000}});
  (void)log->appendStep(901, 0, 901, 1e-3, {{"loss", 1}});
  QCOMPARE(now().phase.name, std::string("training"));
  QCOMPARE(now().remaining, -1.0);
  (void)log->append(
      "progress",
      {{"phase", "training"}, {"unit", "updates"}, {"done", 910}, {"total", 1000}, {"remaining", 540.0}});
  (void)log->append("progress", {{"phase", "evaluating"}, {"unit", "batches"}, {"done", 3}, {"total", 40}});
  QCOMPARE(now().phase.name, std::string("evaluating"));
  QCOMPARE(now().phase.total, 40.0);
  QCOMPARE(now().remaining, 540.0);
  QCOMPARE(runRowFromJson(runRowToJson(now())).remaining, 540.0);
  (void)log->appendStep(911, 0, 911, 1e-3, {{"loss", 1}});
  QCOMPARE(now().phase.name, std::string("training"));
  QCOMPARE(now().remaining, 540.0);
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
  QVERIFY(trashRun(*m_library, m_library->runsPath() + "/run3").ok());
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
  QVERIFY(trashRun(*m_library, m_library->runsPath() + "/run6").ok());
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

QTEST_APPLESS_MAIN(RunListingTest)
#include "tst_run_listing.moc"
