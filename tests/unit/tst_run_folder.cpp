// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/record/runs/moved_files.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
namespace fs = std::filesystem;

class RunFolderTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void createOnce();
  void createFails();
  void openRefuses();
  void attempts();
  void outcomeIsFinal();
  void outcomeSurvivesAFailedFlush();
  void cutOffWhileItWasMade();
  void failedAttemptLeavesNothing();
  void sweep();
  void states();
  void configFile();
  void filesOfAMovedProject();
  void lockAcrossProcesses();
  void lockAfterKill();
  void readOnlyFolder();
  void control();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  RunFolder sample() const {
    RunIdentity identity;
    identity.uuid = "u-1";
    identity.name = "first";
    identity.provenance = {{"program", "test"}};
    return RunFolder::create(path("run"), identity).value();
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void RunFolderTest::init() {
  m_dir = std::make_unique<QTemporaryDir>();
  FileFaults::clear();
}

void RunFolderTest::createOnce() {
  const RunFolder run = sample();
  const auto identity = RunFolder::open(run.path())->identity();
  QCOMPARE(identity->uuid, std::string("u-1"));
  QCOMPARE(identity->name, std::string("first"));
  QCOMPARE(identity->provenance["program"].get<std::string>(), std::string("test"));
  QVERIFY(identity->created.size() == 24 && identity->created.ends_with("Z"));
  const auto again = RunFolder::create(run.path(), RunIdentity());
  QVERIFY(!again.ok());
  QCOMPARE(again.error().kind, ErrorKind::Usage);
  QVERIFY(again.error().message.find(run.path()) != std::string::npos);
  // Killed between the folder and its run.json: the same path may be used again.
  fs::create_directories(path("half/attempts"));
  std::ofstream(path("half/run.json.tmp-1-0")) << "{";
  QVERIFY(RunFolder::create(path("half"), RunIdentity{"u", "", "", {}, {}}).ok());
  fs::create_directories(path("other"));
  std::ofstream(path("other/notes.txt")) << "mine";
  QVERIFY(!RunFolder::create(path("other"), RunIdentity{"u", "", "", {}, {}}).ok());
}

void RunFolderTest::createFails() {
  using Call = FileFaults::Call;
  for (const Call call : {Call::Open, Call::Write, Call::Sync, Call::Rename}) {
    FileFaults::arm(call, 0, ENOSPC, false);
    const auto run = RunFolder::create(path("run"), RunIdentity{"u", "", "", {}, {}});
    FileFaults::clear();
    QVERIFY(!run.ok());
    QVERIFY(fs::is_empty(path("")));
  }
}

void RunFolderTest::openRefuses() {
  QVERIFY(!RunFolder::open(path("nothing")).ok());
  fs::create_directories(path("run"));
  for (const auto& [text, kind] : {std::pair("{\"format\":99,\"uuid\":\"u\"}", "newer Fathom"),
                                   {"{\"format\":1}", "uuid"},
                                   {"[1]", "object"},
                                   {"{\"format\":1,", "JSON"}}) {
    std::ofstream(path("run/run.json"), std::ios::trunc) << text;
    const auto run = RunFolder::open(path("run"));
    QVERIFY(!run.ok());
    QVERIFY2(run.error().text().find(kind) != std::string::npos, run.error().text().c_str());
    QVERIFY(run.error().text().find("run.json") != std::string::npos);
  }
}

void RunFolderTest::attempts() {
  const RunFolder run = sample();
  QCOMPARE(run.lastAttempt(), 0);
  QCOMPARE(run.beginAttempt({{"format", 1}, {"seed", 7}}).value(), 1);
  QCOMPARE(run.beginAttempt({{"format", 1}}).value(), 2);
  fs::create_directories(run.path() + "/attempts/notes");
  fs::create_directories(run.path() + "/attempts/.new");  // killed while it was made
  QCOMPARE(run.attempts(), (std::vector<int>{1, 2}));
  QCOMPARE(run.config(1).value()["seed"].get<int>(), 7);
  FileFaults::arm(FileFaults::Call::Write, 0, ENOSPC, false);
  QVERIFY(!run.beginAttempt({{"format", 1}}).ok());
  QCOMPARE(run.lastAttempt(), 2);
}

void RunFolderTest::outcomeIsFinal() {
  const RunFolder run = sample();
  QVERIFY(run.beginAttempt(Json::object()).ok());
  QVERIFY(!run.outcome(1));
  RunOutcome outcome;
  outcome.state = RunState::Diverged;
  outcome.cause = "nan_loss";
  outcome.step = 120;
  outcome.lastFiniteStep = 119;
  outcome.firstModule = "decoder.layer.3.ffn";
  outcome.lastGoodCheckpoint = "0001-00000100";
  outcome.message = Phrase::words("loss is NaN");
  outcome.exitCode = 20;
  outcome.scores = {{"valid.nll", std::nan("")}, {"valid.bleu", 1.5}};
  QVERIFY(run.writeOutcome(1, outcome).ok());
  const auto read = run.outcome(1);
  QVERIFY(read && read->state == RunState::Diverged);
  QCOMPARE(outcomeToJson(*read).dump(), outcomeToJson(*run.outcome(1)).dump());
  QCOMPARE(read->cause, outcome.cause);
  QCOMPARE(read->firstModule, outcome.firstModule);
  QVERIFY(std::isnan(realFromJson(read->scores["valid.nll"]).value()));
  outcome.state = RunState::Finished;
  QVERIFY(!run.writeOutcome(1, outcome).ok());
  QVERIFY(run.outcome(1)->state == RunState::Diverged);
  for (int i = 0; i < 9; ++i) {
    const auto state = static_cast<RunState>(i);
    QVERIFY(runStateFromName(runStateName(state)) == state);
  }
}

void RunFolderTest::states() {
  const RunFolder run = sample();
  QVERIFY(run.state() == RunState::Crashed);
  auto lock = RunLock::acquire(run.path(), "");
  QVERIFY(run.state() == RunState::Running);
  QVERIFY(run.beginAttempt(Json::object()).ok());
  const std::string events = run.attemptPath(1) + "/events.jsonl";
  std::ofstream(events) << "";
  QVERIFY(run.state() == RunState::Running);
  const timespec old[2] = {{1, 0}, {1, 0}};
  ::utimensat(AT_FDCWD, events.c_str(), old, 0);
  QVERIFY(run.state() == RunState::Running);  // silence ends no run
  QVERIFY(run.silence() > 3600);
  timespec ahead[2] = {};
  ::clock_gettime(CLOCK_REALTIME, &ahead[0]);
  ahead[0].tv_sec += 86400;  // the clock was set back by a day
  ahead[1] = ahead[0];
  ::utimensat(AT_FDCWD, events.c_str(), ahead, 0);
  QVERIFY(run.state() == RunState::Running);
  lock->reset();
  QVERIFY(run.state() == RunState::Crashed);
  RunOutcome outcome;
  outcome.state = RunState::Stopped;
  QVERIFY(run.writeOutcome(1, outcome).ok());
  QVERIFY(run.state() == RunState::Stopped);
}

void RunFolderTest::configFile() {
  RunConfig config;
  config.name = "n";
  config.preset = "nmt_quick";
  config.options = {{"seed", 3}};
  const auto read = runConfigFromJson(runConfigToJson(config), "c.json");
  QCOMPARE(read->name, config.name);
  QCOMPARE(read->preset, config.preset);
  QVERIFY(read->options == config.options);
  for (const auto& [text, says] : {std::pair("{\"format\":1,\"option\":{}}", "options"),
                                   {"{\"format\":2}", "newer"},
                                   {"{\"options\":{}}", "format"},
                                   {"{\"format\":\"1\"}", "format"},
                                   {"{\"format\":1,\"options\":[]}", "options"},
                                   {"{\"format\":1,\"name\":4}", "name"},
                                   {"[]", "object"}}) {
    const auto bad = runConfigFromJson(parseJson(text).value(), "c.json");
    QVERIFY(!bad.ok());
    QVERIFY2(bad.error().text().find(says) != std::string::npos, bad.error().text().c_str());
  }
}

void RunFolderTest::filesOfAMovedProject() {
  fs::create_directories(path("new.fathom/data/old"));
  for (const char* file :
       {"new.fathom/data/a.tsv", "new.fathom/data/old/b.tsv", "new.fathom/b.tsv", "kept.tsv"})
    std::ofstream(path(file)) << "x";
  Json options = {{"a", path("old.fathom/data/a.tsv")}, {"b", path("old.fathom/data/old/b.tsv")},
                  {"kept", path("kept.tsv")},           {"gone", path("gone.tsv")},
                  {"relative", "data/a.tsv"},           {"number", 3}};
  const Json before = options;
  const auto runWith = [this](const std::string& name, const std::string& content) {
    fs::create_directories(path("new.fathom/runs"));
    RunIdentity identity;
    identity.uuid = identity.name = name;
    identity.provenance["data"] = Json::array({{{"role", "train"},
                                                {"path", path("old.fathom/data/a.tsv")},
                                                {"sha256", sha256Hex(content)},
                                                {"bytes", content.size()}}});
    return RunFolder::create(path("new.fathom/runs/" + name), identity).value().path();
  };
  // Another file of the same name and length is not the run's data.
  findMovedFiles(options, runWith("other", "y"));
  QVERIFY(options == before);
  const std::string run = runWith("one", "x");
  findMovedFiles(options, run, path("elsewhere.fathom"));
  QVERIFY(options == before);
  findMovedFiles(options, run + "/");
  QCOMPARE(options["a"].get<std::string>(), path("new.fathom/data/a.tsv"));
  QCOMPARE(options["b"].get<std::string>(), path("new.fathom/data/old/b.tsv"));
  for (const char* key : {"kept", "gone", "relative", "number"}) QVERIFY(options[key] == before[key]);
}

// The file is there, only its folder could not be flushed: the same outcome again is no other outcome.
void RunFolderTest::outcomeSurvivesAFailedFlush() {
  const RunFolder run = sample();
  const int attempt = run.beginAttempt(Json::object()).value();
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.finishedAt = isoTimeNow();
  outcome.scores["valid.nll"] = std::nan("");
  QVERIFY(!run.holdsOutcome(attempt, outcome));
  FileFaults::arm(FileFaults::Call::SyncFolder, 0, EIO, false);
  QVERIFY(!run.writeOutcome(attempt, outcome).ok());
  QVERIFY(run.holdsOutcome(attempt, outcome));
  QVERIFY(run.writeOutcome(attempt, outcome).ok());
  outcome.step = 7;
  QVERIFY(!run.holdsOutcome(attempt, outcome));
  QCOMPARE(run.writeOutcome(attempt, outcome).error().kind, ErrorKind::Usage);
}

// Nothing is a run before run.json is there; what a killed engine left is made anew, what others put there is
// not touched.
void RunFolderTest::cutOffWhileItWasMade() {
  const RunFolder run = RunFolder::prepare(path("run")).value();
  QVERIFY(run.clear().ok());
  QCOMPARE(run.beginAttempt({{"seed", 1}}).value(), 1);
  QVERIFY(!RunFolder::open(run.path()).ok());
  fs::create_directories(run.path() + "/attempts/.new");
  std::ofstream(run.path() + "/attempts/0001/config.json.tmp-7-0") << "{";
  const RunFolder again = RunFolder::prepare(path("run")).value();
  QVERIFY(again.clear().ok());
  QCOMPARE(again.lastAttempt(), 0);
  QCOMPARE(again.beginAttempt({{"seed", 2}}).value(), 1);
  QVERIFY(again.describe({"u-2", "second", "", {}, {}}).ok());
  QCOMPARE(RunFolder::open(path("run"))->identity()->uuid, std::string("u-2"));
  QVERIFY(!RunFolder::prepare(path("run")).ok());
  QVERIFY(!again.clear().ok());
  QCOMPARE(again.lastAttempt(), 1);
  // An attempt that wrote events is a run whose description somebody removed: its data stay.
  std::ofstream(path("run/attempts/0001/events.jsonl")) << "{}\n";
  fs::remove(path("run/run.json"));
  QVERIFY(!RunFolder::prepare(path("run")).ok());
  QVERIFY(fs::exists(path("run/attempts/0001/events.jsonl")));
}

void RunFolderTest::failedAttemptLeavesNothing() {
  const RunFolder run = sample();
  for (const auto call : {FileFaults::Call::Open, FileFaults::Call::Write, FileFaults::Call::Sync,
                          FileFaults::Call::Rename, FileFaults::Call::SyncFolder}) {
    for (int countdown = 0; countdown < 3; ++countdown) {
      FileFaults::arm(call, countdown, EIO, false);
      const bool begun = run.beginAttempt(Json::object()).ok();
      FileFaults::clear();
      if (begun) {
        fs::remove_all(run.attemptPath(1));
        continue;
      }
      QVERIFY(fs::is_empty(run.path() + "/attempts"));
    }
  }
}

void RunFolderTest::sweep() {
  const RunFolder run = sample();
  QCOMPARE(run.beginAttempt(Json::object()).value(), 1);
  fs::create_directories(run.path() + "/artifacts");
  fs::create_directories(run.path() + "/attempts/.new");
  const char* halves[] = {"run.json.tmp-7-0", "attempts/.new/config.json",
                          "attempts/0001/outcome.json.tmp-7-1", "artifacts/vocabulary.txt.tmp-7-2"};
  for (const char* half : halves) std::ofstream(run.path() + "/" + half) << "half";
  for (const char* kept : {"artifacts/vocabulary.txt", "attempts/0001/events.jsonl"})
    std::ofstream(run.path() + "/" + kept) << "kept";
  run.sweep();
  for (const char* half : halves) QVERIFY2(!fs::exists(run.path() + "/" + half), half);
  for (const char* kept :
       {"artifacts/vocabulary.txt", "attempts/0001/events.jsonl", "attempts/0001/config.json", "run.json"})
    QVERIFY2(fs::exists(run.path() + "/" + kept), kept);
}

void RunFolderTest::lockAcrossProcesses() {
  const RunFolder run = sample();
  QVERIFY(!runLockHolder(run.path()));
  auto lock = RunLock::acquire(run.path(), "/run/x.sock");
  QVERIFY(lock.ok());
  const pid_t child = ::fork();
  if (child == 0) {
    const auto second = RunLock::acquire(run.path(), "");
    const bool refused = !second.ok() && second.error().kind == ErrorKind::Resource &&
                         second.error().message.find(std::to_string(::getppid())) != std::string::npos;
    const auto holder = runLockHolder(run.path());
    const bool named = holder && holder->pid == ::getppid() && holder->socketPath == "/run/x.sock" &&
                       !holder->bootId.empty() && !holder->startTime.empty() && !holder->foreign;
    ::_exit(refused && named ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QCOMPARE(status, 0);
  lock->reset();
  QVERIFY(!runLockHolder(run.path()));
  QVERIFY(RunLock::acquire(run.path(), "").ok());
}

void RunFolderTest::lockAfterKill() {
  const RunFolder run = sample();
  const pid_t child = ::fork();
  if (child == 0) {
    auto lock = RunLock::acquire(run.path(), "");
    ::pause();
  }
  QVERIFY(test::waitFor([&] { return runLockHolder(run.path()).has_value(); }));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  QVERIFY(!runLockHolder(run.path()));
  QVERIFY(RunLock::acquire(run.path(), "").ok());
}

void RunFolderTest::readOnlyFolder() {
  if (::geteuid() == 0) {
    // Root writes anywhere; a process without that power stands in for the user.
    const RunFolder run = sample();
    ::chmod(run.path().c_str(), 0555);
    ::chmod(path("").c_str(), 0755);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setuid(65534) != 0) ::_exit(2);
      const auto lock = RunLock::acquire(run.path(), "");
      const bool said = !lock.ok() && lock.error().message.find("read-only") != std::string::npos;
      ::_exit(said && RunFolder::open(run.path()).ok() && run.state() == RunState::Crashed ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::chmod(run.path().c_str(), 0755);
    QVERIFY2(WEXITSTATUS(status) != 2, "root's rights cannot be given up here");
    QCOMPARE(WEXITSTATUS(status), 0);
    return;
  }
  const RunFolder run = sample();
  ::chmod(run.path().c_str(), 0555);
  const auto lock = RunLock::acquire(run.path(), "");
  ::chmod(run.path().c_str(), 0755);
  QVERIFY(!lock.ok());
  QVERIFY(lock.error().message.find("read-only") != std::string::npos);
}

void RunFolderTest::control() {
  const RunFolder run = sample();
  QCOMPARE(sendControl(run.path(), "stop").error().kind, ErrorKind::Usage);  // not running
  QCOMPARE(sendControl(run.path(), "dance").error().kind, ErrorKind::Usage);
  // Without a socket a stop reaches the very process as SIGTERM.
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGTERM, SIG_DFL);
    auto lock = RunLock::acquire(run.path(), "/nonexistent/x.sock");
    ::pause();
  }
  QVERIFY(test::waitFor([&] {
    const auto holder = runLockHolder(run.path());
    return holder && holder->pid != 0;
  }));
  QVERIFY(!sendControl(run.path(), "checkpoint").ok());
  QVERIFY(sendControl(run.path(), "stop").ok());
  int status = 0;
  ::waitpid(child, &status, 0);
  QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

QTEST_APPLESS_MAIN(RunFolderTest)
#include "tst_run_folder.moc"
