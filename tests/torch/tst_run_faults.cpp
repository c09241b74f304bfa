// SPDX-License-Identifier: Apache-2.0
// Whole runs on a disk that is full, in a folder that may not be written, and stopped at an awkward moment.
#include <sys/resource.h>
#include <unistd.h>

#include <QTest>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "core/base/files/atomic_file.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "core/train/loop/control_queue.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using namespace fathom::test;

namespace {

// As on a full disk: whatever would make a file longer than this fails.
void limitFileSize(rlim_t bytes) {
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

constexpr rlim_t kFull = 1;

// Calls a function after an update, on the loop's thread, and keeps what is said.
class StepHook final : public RunWatcher {
 public:
  explicit StepHook(std::function<void(std::int64_t)> hook) : m_hook(std::move(hook)) {}
  void step(const StepReport& report) override { m_hook(report.step); }
  void message(const std::string& text) override { m_said += text + "\n"; }
  const std::string& said() const { return m_said; }

 private:
  std::function<void(std::int64_t)> m_hook;
  std::string m_said;
};

std::vector<std::string> checkpointNames(const std::string& run) {
  std::vector<std::string> names;
  for (const CheckpointManifest& manifest : listCheckpoints(run)) names.push_back(manifest.name);
  return names;
}

}  // namespace

class TestRunFaults : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanup() {
    limitFileSize(RLIM_INFINITY);
    FileFaults::clear();
  }
  void fullDiskForAWhileLosesNothing();
  void fullDiskAtTheEndIsWaitedFor();
  void fullDiskForGoodEndsWithItsCode();
  void fullDiskAtTheStart();
  void readOnlyFolders();
  void stopDuringValidation();
  void failedFlushOfTheLastFolder_data();
  void failedFlushOfTheLastFolder();
  void cutOffBeforeTheFirstAttempt_data();
  void cutOffBeforeTheFirstAttempt();
  void leftoversGoAtTheNextStart();
  void noThread_data();
  void noThread();
  void takenSocketFolder();
  void movedFolderIsFollowed();
  void deletedFolderIsNotMadeAgain_data();
  void deletedFolderIsNotMadeAgain();
  void aStopEndsTheWaitForADisk();
  void aFileSavesAndStops();
  void saveSignalSavesAndGoesOn();
  void aStoppedProcessLeavesWithItsCode();

 private:
  TinyRuns m_runs;
  std::vector<std::string> m_golden;  // losses of the undisturbed run
};

void TestRunFaults::initTestCase() {
  std::signal(SIGXFSZ, SIG_IGN);  // as the engine does
  QCOMPARE(m_runs.train("golden").code, ExitCode::Finished);
  m_golden = stepLosses(m_runs.path("golden"), 1);
  QCOMPARE(m_golden.size(), std::size_t{20});
}

// Events and a checkpoint fail from update 7 on; there is space again at update 13.
void TestRunFaults::fullDiskForAWhileLosesNothing() {
  StepHook hook([](std::int64_t step) {
    if (step == 7) limitFileSize(kFull);
    if (step == 13) limitFileSize(RLIM_INFINITY);
  });
  const RunReport report = m_runs.train("while", {}, &hook);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  const std::string run = m_runs.path("while");
  QVERIFY(stepLosses(run, 1) == m_golden);
  EventReader reader(RunFolder(run).attemptPath(1) + "/events.jsonl");
  QVERIFY(!reader.poll()->empty());
  QCOMPARE(reader.missingEvents(), std::int64_t{0});
  QCOMPARE(reader.badLines(), std::int64_t{0});
  const std::vector<std::string> kept = {"0001-00000005", "0001-00000015", "0001-00000020"};
  QVERIFY(checkpointNames(run) == kept);
  QVERIFY2(hook.said().find("nothing is lost if they can be written before it ends") != std::string::npos,
           hook.said().c_str());
  std::string warnings;
  for (const Json& warning : eventsOfKind(run, 1, "warning"))
    warnings += warning.at("message").get<std::string>();
  QVERIFY2(warnings.find("the checkpoint of update 10 is skipped") != std::string::npos, warnings.c_str());
  QVERIFY2(warnings.find("none is missing") != std::string::npos, warnings.c_str());
}

void TestRunFaults::fullDiskAtTheEndIsWaitedFor() {
  std::thread later;
  StepHook hook([&](std::int64_t step) {
    if (step != 18) return;
    limitFileSize(kFull);
    later = std::thread([] {
      std::this_thread::sleep_for(std::chrono::seconds(2));  // the disk stays full for a while
      limitFileSize(RLIM_INFINITY);
    });
  });
  const RunReport report = m_runs.train("waited", {"checkpoint.disk_patience=60"}, &hook);
  later.join();
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  QVERIFY(stepLosses(m_runs.path("waited"), 1) == m_golden);
  QCOMPARE(checkpointNames(m_runs.path("waited")).back(), std::string("0001-00000020"));
  QCOMPARE(RunFolder(m_runs.path("waited")).state(), RunState::Finished);
}

void TestRunFaults::fullDiskForGoodEndsWithItsCode() {
  StepHook hook([](std::int64_t step) {
    if (step == 18) limitFileSize(kFull);
  });
  const RunReport report = m_runs.train("full", {"checkpoint.disk_patience=1"}, &hook);
  QCOMPARE(report.code, ExitCode::Disk);
  for (const char* next : {"ulimit -f", "resume the run"})
    QVERIFY2(report.error.text().find(next) != std::string::npos, report.error.text().c_str());
  limitFileSize(RLIM_INFINITY);
  QCOMPARE(checkpointNames(m_runs.path("full")).back(), std::string("0001-00000015"));
  QCOMPARE(m_runs.resume("full").code, ExitCode::Finished);
  const auto rest = stepLosses(m_runs.path("full"), 2);
  QCOMPARE(rest.size(), std::size_t{5});
  QVERIFY(std::equal(rest.rbegin(), rest.rend(), m_golden.rbegin()));
}

void TestRunFaults::fullDiskAtTheStart() {
  limitFileSize(kFull);
  const RunReport report = m_runs.train("start");
  limitFileSize(RLIM_INFINITY);
  QCOMPARE(report.code, ExitCode::Disk);
  QVERIFY2(report.error.text().find("/start") != std::string::npos, report.error.text().c_str());
  QCOMPARE(m_runs.train("start").code, ExitCode::Finished);  // nothing is in the way
}

void TestRunFaults::readOnlyFolders() {
  namespace fs = std::filesystem;
  const fs::perms readable = fs::perms::owner_read | fs::perms::owner_exec | fs::perms::group_read |
                             fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec;
  QCOMPARE(m_runs.train("readonly", {"training.length=5u"}).code, ExitCode::Finished);
  fs::permissions(m_runs.path(""), readable);
  for (const char* part : {"readonly", "readonly/attempts", "readonly/checkpoints"})
    fs::permissions(m_runs.path(part), readable);
  const uid_t before = ::geteuid();
  // Root may write everywhere.
  QVERIFY2(before != 0 || ::seteuid(65534) == 0, "root's rights cannot be given up here");
  const RunReport resumed = m_runs.resume("readonly");
  const RunReport made = m_runs.train("refused");
  if (before == 0) QCOMPARE(::seteuid(0), 0);
  fs::permissions(m_runs.path(""), fs::perms::owner_all);
  fs::permissions(m_runs.path("readonly"), fs::perms::owner_all);
  for (const RunReport* report : {&resumed, &made}) {
    QCOMPARE(report->code, ExitCode::Disk);
    QVERIFY2(report->error.text().find(report == &made ? "/refused" : "/readonly") != std::string::npos,
             report->error.text().c_str());
  }
  QCOMPARE(RunFolder(m_runs.path("readonly")).lastAttempt(), 1);
}

// The stop arrives after update 10 and before its validation, which is left to the next attempt.
void TestRunFaults::stopDuringValidation() {
  const std::string run = m_runs.path("stopped");
  StepHook hook([&](std::int64_t step) {
    if (step != 10) return;
    QVERIFY(sendControl(run, "stop").ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the control thread reads its socket
  });
  const RunReport report = m_runs.train("stopped", {}, &hook);
  QVERIFY2(report.code == ExitCode::Stopped, report.error.text().c_str());
  QCOMPARE(checkpointNames(run).back(), std::string("0001-00000010"));
  QVERIFY(eventsOfKind(run, 1, "validation").empty());
  QCOMPARE(m_runs.resume("stopped").code, ExitCode::Finished);
  const auto validations = eventsOfKind(run, 2, "validation");
  QCOMPARE(validations.size(), std::size_t{2});
  QCOMPARE(validations.at(0).at("step").get<int>(), 10);
  const auto golden = eventsOfKind(m_runs.path("golden"), 1, "validation");
  QCOMPARE(validations.at(0).at("m").dump(), golden.at(0).at("m").dump());
  const auto rest = stepLosses(run, 2);
  QCOMPARE(rest.size(), std::size_t{10});
  QVERIFY(std::equal(rest.rbegin(), rest.rend(), m_golden.rbegin()));
}

void TestRunFaults::failedFlushOfTheLastFolder_data() {
  QTest::addColumn<bool>("persistent");
  QTest::newRow("once") << false;
  QTest::newRow("for good") << true;
}

// The outcome is in its place, only the folder could not be flushed: the run has finished, and says so. It
// left with code 30, "an outcome is never changed".
void TestRunFaults::failedFlushOfTheLastFolder() {
  QFETCH(bool, persistent);
  constexpr int kMany = 1000;
  const auto trainFrom20 = [&](const std::string& name, int countdown, std::string& said) {
    StepHook hook([&](std::int64_t step) {
      if (step == 20) FileFaults::arm(FileFaults::Call::SyncFolder, countdown, EIO, persistent);
    });
    const RunReport report = m_runs.train(name, {}, &hook);
    said = hook.said();
    return report;
  };
  // How many folders are flushed after the last update: the last of them is the one with the outcome.
  const std::string name = persistent ? "flush_for_good" : "flush_once";
  std::string said;
  QCOMPARE(trainFrom20(name + "_counted", kMany, said).code, ExitCode::Finished);
  int flushes = kMany;
  while (FileFaults::next(FileFaults::Call::SyncFolder) == 0) --flushes;
  FileFaults::clear();  // a persistent one would stay
  QVERIFY(flushes > 1);
  const RunReport report = trainFrom20(name, flushes - 1, said);
  const bool spent = FileFaults::next(FileFaults::Call::SyncFolder) == 0;
  FileFaults::clear();
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  QCOMPARE(RunFolder(m_runs.path(name)).state(), RunState::Finished);
  QCOMPARE(spent, !persistent);  // it did fail
  QCOMPARE(said.find("a power cut might take it back") != std::string::npos, persistent);
}

void TestRunFaults::cutOffBeforeTheFirstAttempt_data() {
  QTest::addColumn<int>("call");
  QTest::addColumn<int>("countdown");
  for (const auto& [name, call] : {std::pair{"open", FileFaults::Call::Open},
                                   {"write", FileFaults::Call::Write},
                                   {"sync", FileFaults::Call::Sync},
                                   {"rename", FileFaults::Call::Rename},
                                   {"folder", FileFaults::Call::SyncFolder}})
    for (int countdown = 0; countdown < 3; ++countdown)
      QTest::newRow((std::string(name) + " " + std::to_string(countdown)).c_str())
          << static_cast<int>(call) << countdown;
}

// Whatever fails while a run is made: afterwards there is a run with an attempt, or none at all.
void TestRunFaults::cutOffBeforeTheFirstAttempt() {
  QFETCH(int, call);
  QFETCH(int, countdown);
  const std::string name = "cut_" + std::to_string(call) + "_" + std::to_string(countdown);
  FileFaults::arm(static_cast<FileFaults::Call>(call), countdown, EIO, false);
  const RunReport report = m_runs.train(name, {"training.length=5u"});
  FileFaults::clear();
  const RunFolder run(m_runs.path(name));
  const bool described = std::filesystem::exists(run.path() + "/run.json");
  QVERIFY2(!described || run.lastAttempt() > 0, report.error.text().c_str());
  QVERIFY(described || report.code == ExitCode::Disk);
  if (report.code == ExitCode::Finished) return;
  const RunReport again =
      described && !run.outcome(1) ? m_runs.resume(name) : m_runs.train(name, {"training.length=5u"});
  QVERIFY2(again.code == ExitCode::Finished, again.error.text().c_str());
}

void TestRunFaults::leftoversGoAtTheNextStart() {
  QCOMPARE(m_runs.train("left", {"training.length=5u"}).code, ExitCode::Finished);
  const std::string run = m_runs.path("left");
  const std::string halves[] = {run + "/run.json.tmp-7-0", run + "/attempts/0001/outcome.json.tmp-7-1",
                                run + "/artifacts/vocabulary.txt.tmp-7-2",
                                run + "/attempts/.new/config.json"};
  std::filesystem::create_directories(run + "/attempts/.new");
  for (const std::string& half : halves) std::ofstream(half) << "half";
  QVERIFY(!m_runs.resume("left").error.message.empty());  // nothing to resume: and nothing is touched
  QVERIFY(std::filesystem::exists(halves[0]));
  std::filesystem::remove(run + "/attempts/0001/outcome.json");  // as after a kill
  QCOMPARE(m_runs.resume("left").code, ExitCode::Finished);
  for (const std::string& half : halves) QVERIFY2(!std::filesystem::exists(half), half.c_str());
}

void TestRunFaults::noThread_data() {
  QTest::addColumn<int>("countdown");
  QTest::newRow("heartbeat") << 0;
  QTest::newRow("control") << 1;
  QTest::newRow("batches made ahead") << 2;
}

// The machine gives no further thread: an outcome that says so, not an abort.
void TestRunFaults::noThread() {
  QFETCH(int, countdown);
  const std::string name = "thread_" + std::to_string(countdown);
  FileFaults::arm(FileFaults::Call::Thread, countdown, EAGAIN, false);
  const RunReport report = m_runs.train(name, {"training.length=5u"});
  FileFaults::clear();
  QCOMPARE(report.code, ExitCode::OutOfMemory);
  QVERIFY2(report.error.text().find("no further thread") != std::string::npos, report.error.text().c_str());
  const auto outcome = RunFolder(m_runs.path(name)).outcome(1);
  QVERIFY(outcome && outcome->state == RunState::Failed && outcome->exitCode == 40);
  QVERIFY(!runLockHolder(m_runs.path(name)));
  QCOMPARE(m_runs.train(name, {"training.length=5u"}).code, ExitCode::Finished);
}

// Whoever has the folder for sockets does not keep others from training.
void TestRunFaults::takenSocketFolder() {
  const QByteArray runtime = qgetenv("XDG_RUNTIME_DIR"), temporary = qgetenv("TMPDIR");
  const std::string folder = m_runs.path("t");
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/fathom-" + std::to_string(::geteuid())) << "taken";
  qunsetenv("XDG_RUNTIME_DIR");
  qputenv("TMPDIR", QByteArray::fromStdString(folder));
  const RunReport report = m_runs.train("socket", {"training.length=5u"});
  runtime.isNull() ? qunsetenv("XDG_RUNTIME_DIR") : qputenv("XDG_RUNTIME_DIR", runtime);
  temporary.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", temporary);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  std::string warnings;
  for (const Json& warning : eventsOfKind(m_runs.path("socket"), 1, "warning"))
    warnings += warning.at("message").get<std::string>();
  QVERIFY2(warnings.find("is not a folder") != std::string::npos, warnings.c_str());
}

// Renamed while it is trained: the same numbers, and everything lies in one folder.
void TestRunFaults::movedFolderIsFollowed() {
  const std::string from = m_runs.path("from"), to = m_runs.path("to");
  StepHook hook([&](std::int64_t step) {
    if (step == 7) std::filesystem::rename(from, to);
  });
  const RunReport report = m_runs.train("from", {}, &hook);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  QVERIFY(!std::filesystem::exists(from));
  QVERIFY(stepLosses(to, 1) == m_golden);
  const std::vector<std::string> kept = {"0001-00000005", "0001-00000010", "0001-00000015", "0001-00000020"};
  QVERIFY(checkpointNames(to) == kept);
  QCOMPARE(RunFolder(to).state(), RunState::Finished);
  const auto warnings = eventsOfKind(to, 1, "warning");
  QVERIFY(!warnings.empty() &&
          warnings.back().at("message").get<std::string>().find(to) != std::string::npos);
}

void TestRunFaults::deletedFolderIsNotMadeAgain_data() {
  QTest::addColumn<bool>("another");
  QTest::newRow("gone") << false;
  QTest::newRow("another in its place") << true;
}

// It trained on, made the folder again for its checkpoints, and waited ten minutes for space.
void TestRunFaults::deletedFolderIsNotMadeAgain() {
  QFETCH(bool, another);
  const std::string run = m_runs.path(another ? "replaced" : "deleted");
  std::int64_t last = 0;
  StepHook hook([&](std::int64_t step) {
    last = step;
    if (step != 7) return;
    std::filesystem::remove_all(run);
    if (another) std::filesystem::create_directory(run);
  });
  const auto started = std::chrono::steady_clock::now();
  const RunReport report = m_runs.train(another ? "replaced" : "deleted", {}, &hook);
  QVERIFY(std::chrono::steady_clock::now() - started < std::chrono::seconds(10));
  QCOMPARE(report.code, ExitCode::BadInput);
  QVERIFY2(report.error.text().find("is not there any more: " + run) != std::string::npos,
           report.error.text().c_str());
  QCOMPARE(last, std::int64_t{7});
  QCOMPARE(std::filesystem::exists(run), another);
  if (another) QVERIFY(std::filesystem::is_empty(run));
}

void TestRunFaults::aStopEndsTheWaitForADisk() {
  const std::string run = m_runs.path("impatient");
  std::thread later;
  StepHook hook([&](std::int64_t step) {
    if (step != 18) return;
    limitFileSize(kFull);
    later = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::seconds(2));  // it waits for the disk by then
      (void)sendControl(run, "stop").ok();
    });
  });
  const auto started = std::chrono::steady_clock::now();
  const RunReport report = m_runs.train("impatient", {"checkpoint.disk_patience=600"}, &hook);
  later.join();
  limitFileSize(RLIM_INFINITY);
  QVERIFY(std::chrono::steady_clock::now() - started < std::chrono::seconds(30));
  QCOMPARE(report.code, ExitCode::Disk);
  QCOMPARE(checkpointNames(run).back(), std::string("0001-00000015"));
}

// For whoever shares the disk and cannot reach the socket. Who asked stands in the outcome.
void TestRunFaults::aFileSavesAndStops() {
  namespace fs = std::filesystem;
  const fs::path run = m_runs.path("asked"), control = run / "control";
  StepHook hook([&](std::int64_t step) {
    if (step != 7) return;
    fs::create_directories(control);
    std::ofstream(control / "1.checkpoint") << "";
    std::ofstream(control / "2.stop") << R"({"by": "ana@login1"})";
    for (int i = 0; i < 100 && !fs::is_empty(control); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // asked again, at most 10 s
  });
  const RunReport report = m_runs.train("asked", {}, &hook);
  QCOMPARE(report.code, ExitCode::Stopped);
  QVERIFY(fs::is_empty(control));
  const RunOutcome outcome = RunFolder(run.string()).outcome(1).value();
  QCOMPARE(outcome.askedBy, std::string("ana@login1"));
  QCOMPARE(outcome.step, std::int64_t{7});
  QCOMPARE(checkpointNames(run.string()).back(), std::string("0001-00000007"));
}

// As schedulers send it before they end a job.
void TestRunFaults::saveSignalSavesAndGoesOn() {
  const auto queue = ControlQueue::open({"", "u", false, true}).value();
  QVERIFY(!queue->takeCheckpointWish());
  QCOMPARE(::raise(SIGUSR1), 0);
  bool wished = false;
  for (int i = 0; i < 100 && !wished; ++i) {
    wished = queue->takeCheckpointWish();
    if (!wished) std::this_thread::sleep_for(std::chrono::milliseconds(20));  // asked again, at most 2 s
  }
  QVERIFY(wished);
  QVERIFY(!queue->stop().stopRequested());
}

// srun ends the other tasks of a step when the first one has left; a stopped rank is on its way then.
void TestRunFaults::aStoppedProcessLeavesWithItsCode() {
  auto queue = ControlQueue::open({"", "u", false, true}).value();
  QCOMPARE(::raise(SIGTERM), 0);
  QVERIFY(test::waitFor([&] { return queue->stop().stopRequested(); }));
  queue.reset();
  QCOMPARE(::raise(SIGTERM), 0);                               // ends this test where it is heeded
  queue = ControlQueue::open({"", "u", false, true}).value();  // the next one begins anew
  QVERIFY(!queue->stop().stopRequested());
  QCOMPARE(::raise(SIGTERM), 0);
  QVERIFY(test::waitFor([&] { return queue->stop().stopRequested(); }));
}

QTEST_GUILESS_MAIN(TestRunFaults)
#include "tst_run_faults.moc"
