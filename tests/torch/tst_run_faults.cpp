// SPDX-License-Identifier: Apache-2.0
// Whole runs on a disk that is full, in a folder that may not be written, and stopped at an awkward moment.
#include <sys/resource.h>
#include <unistd.h>

#include <QTest>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

#include "core/record/checkpoint_folder.h"
#include "core/record/run_folder.h"
#include "core/record/run_lock.h"
#include "tests/torch/support_tiny_run.h"

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
  void cleanup() { limitFileSize(RLIM_INFINITY); }
  void fullDiskForAWhileLosesNothing();
  void fullDiskAtTheEndIsWaitedFor();
  void fullDiskForGoodEndsWithItsCode();
  void fullDiskAtTheStart();
  void readOnlyFolders();
  void stopDuringValidation();

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
  QVERIFY2(hook.said().find("free some space and nothing is lost") != std::string::npos, hook.said().c_str());
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
      std::this_thread::sleep_for(std::chrono::seconds(2));
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

QTEST_GUILESS_MAIN(TestRunFaults)
#include "tst_run_faults.moc"
