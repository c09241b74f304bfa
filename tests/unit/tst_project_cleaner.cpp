// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/temporary_file.h"
#include "core/library/runs/project_cleaner.h"
#include "core/library/runs/run_trash.h"
#include "core/record/import/import_staging.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_lock.h"

using namespace fathom;
namespace fs = std::filesystem;

class ProjectCleanerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void planAndClean();
  void budget();
  void runningIsLeftAlone();
  void onlyInsideTheProject();
  void importUnderWay();
  void whatKilledWritersLeft();
  void keptStates();

 private:
  std::string addRun(const std::string& name, int checkpoints, bool withOutcome) const;
  static std::vector<std::string> kinds(const CleanPlan& plan);
  static std::vector<std::string> paths(const CleanPlan& plan);
  std::unique_ptr<QTemporaryDir> m_dir;
  std::unique_ptr<ProjectLibrary> m_library;
};

void ProjectCleanerTest::init() {
  m_library.reset();
  m_dir = std::make_unique<QTemporaryDir>();
  m_library = ProjectLibrary::create(m_dir->path().toStdString() + "/p.fathom").value();
}

std::string ProjectCleanerTest::addRun(const std::string& name, int checkpoints, bool withOutcome) const {
  const auto run =
      RunFolder::create(m_library->runsPath() + "/" + name, {"u-" + name, name, name, {}}).value();
  const int attempt = run.beginAttempt(Json::object()).value();
  for (int step = 1; step <= checkpoints; ++step) {
    auto writer = CheckpointWriter::begin(run.path(), attempt, step).value();
    (void)writeFileAtomically(writer.folder() + "/model.safetensors", std::string(1000, 'w'));
    (void)writer.commit({{"score", 10.0 + step}});
  }
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  if (withOutcome) (void)run.writeOutcome(attempt, outcome);
  return run.path();
}

std::vector<std::string> ProjectCleanerTest::paths(const CleanPlan& plan) {
  std::vector<std::string> all;
  for (const CleanItem& item : plan.items) all.push_back(item.path);
  return all;
}

std::vector<std::string> ProjectCleanerTest::kinds(const CleanPlan& plan) {
  std::vector<std::string> all;
  for (const CleanItem& item : plan.items) all.push_back(item.kind);
  return all;
}

void ProjectCleanerTest::planAndClean() {
  const std::string run = addRun("a", 4, true);
  addRun("unfinished", 4, false);
  fs::create_directories(run + "/checkpoints/0001-00000009.tmp");
  fs::create_directories(run + "/checkpoints/0001-00000008.damaged");
  fs::create_directories(m_library->runsPath() + "/.import-x");
  QVERIFY(trashRun(*m_library, addRun("old", 1, true)).ok());
  const auto plan = planCleaning(*m_library, {}).value();
  QCOMPARE(kinds(plan), (std::vector<std::string>{"trash", "leftover", "damaged", "leftover", "checkpoint",
                                                  "checkpoint"}));
  QVERIFY(plan.freedBytes > 3000 && plan.projectBytes > plan.freedBytes);
  QCOMPARE(listCheckpoints(run).size(), std::size_t{4});  // nothing happened yet
  Progress progress;
  QCOMPARE(clean(*m_library, plan, progress, StopToken()).value(), plan.freedBytes);
  QCOMPARE(listCheckpoints(run).size(), std::size_t{2});  // the last and the best
  QVERIFY(fs::is_empty(m_library->trashPath()));
  QVERIFY(planCleaning(*m_library, {}).value().items.empty());
}

void ProjectCleanerTest::budget() {
  addRun("a", 6, true);
  CleanPolicy policy;
  const auto everything = planCleaning(*m_library, policy).value();
  QCOMPARE(everything.items.size(), std::size_t{4});
  policy.budgetBytes = everything.projectBytes - 1500;
  const auto some = planCleaning(*m_library, policy).value();
  QCOMPARE(some.items.size(), std::size_t{2});
  policy.budgetBytes = everything.projectBytes + 1;
  QVERIFY(planCleaning(*m_library, policy).value().items.empty());
}

// What runs share is counted, and goes when it is asked for.
void ProjectCleanerTest::keptStates() {
  const std::string file = m_library->path() + "/cache/encoder-1.safetensors";
  fs::create_directories(m_library->path() + "/cache");
  (void)writeFileAtomically(file, std::string(5000, 's'));
  CleanPolicy policy;
  const auto counted = planCleaning(*m_library, policy).value();
  QVERIFY(counted.items.empty());
  QVERIFY(counted.cacheBytes >= 5000 && counted.projectBytes > counted.cacheBytes);
  fs::create_directories(m_library->path() + "/cache/executions");
  (void)writeFileAtomically(m_library->path() + "/cache/executions/k.json", std::string(300, 'e'));
  policy.cache = true;
  const auto plan = planCleaning(*m_library, policy).value();
  QCOMPARE(kinds(plan), (std::vector<std::string>{"cache", "cache"}));
  QVERIFY(plan.items[0].reason.english().find("encoder") != std::string::npos);
  QCOMPARE(plan.items[1].path, m_library->path() + "/cache/executions");
  QVERIFY(plan.items[1].bytes >= 300 && plan.items[1].reason.english().find("executed") != std::string::npos);
  Progress progress;
  QVERIFY(clean(*m_library, plan, progress, StopToken()).value() >= 5000);
  QVERIFY(!fs::exists(file));
  QCOMPARE(planCleaning(*m_library, policy).value().cacheBytes, std::uint64_t{0});
}

void ProjectCleanerTest::runningIsLeftAlone() {
  const std::string run = addRun("a", 4, true);
  const auto plan = planCleaning(*m_library, {}).value();
  QCOMPARE(plan.items.size(), std::size_t{2});
  auto lock = RunLock::acquire(run, "");
  QVERIFY(planCleaning(*m_library, {}).value().items.empty());
  Progress progress;
  QCOMPARE(clean(*m_library, plan, progress, StopToken()).value(), std::uint64_t{0});
  QCOMPARE(listCheckpoints(run).size(), std::size_t{4});
}

void ProjectCleanerTest::onlyInsideTheProject() {
  CleanPlan plan;
  plan.items.push_back({m_dir->path().toStdString() + "/p.fathom/../mine", "trash", Phrase(), 0});
  fs::create_directories(m_dir->path().toStdString() + "/mine");
  Progress progress;
  QVERIFY(!clean(*m_library, plan, progress, StopToken()).ok());
  QVERIFY(fs::exists(m_dir->path().toStdString() + "/mine"));
}

void ProjectCleanerTest::importUnderWay() {
  auto under = ImportStaging::begin(m_library->runsPath()).value();
  fs::create_directories(under->path() + "/attempts/0001");
  const std::string dead = m_library->runsPath() + "/.import-dead";
  fs::create_directories(dead);
  std::ofstream(dead + ".lock") << "";
  std::ofstream(dead + "/events.jsonl") << "half";
  auto plan = planCleaning(*m_library, {}).value();
  QCOMPARE(paths(plan), (std::vector<std::string>{dead, dead + ".lock"}));
  // One that began between plan and cleaning.
  plan.items.push_back({under->path(), "leftover", Phrase(), 0});
  Progress progress;
  QVERIFY(clean(*m_library, plan, progress, StopToken()).ok());
  QVERIFY(fs::exists(under->path() + "/attempts/0001"));
  QVERIFY(!fs::exists(dead) && !fs::exists(dead + ".lock"));
  const std::string path = under->path();
  under.reset();
  QVERIFY(!fs::exists(path) && !fs::exists(path + ".lock"));
  // What is dead goes when the next import starts, too.
  fs::create_directories(dead);
  under = ImportStaging::begin(m_library->runsPath()).value();
  QVERIFY(!fs::exists(dead));
}

void ProjectCleanerTest::whatKilledWritersLeft() {
  qputenv("XDG_RUNTIME_DIR", (m_dir->path() + "/x").toUtf8());
  fs::create_directory(m_dir->path().toStdString() + "/x");
  const std::string run = addRun("a", 1, true), busy = addRun("b", 1, false);
  const auto lock = RunLock::acquire(busy, "");
  QVERIFY(lock.ok());
  const auto old = [](const std::string& path) {
    const timespec times[2] = {{1000, 0}, {1000, 0}};
    (void)::utimensat(AT_FDCWD, path.c_str(), times, 0);
  };
  const std::string project = m_library->path();
  std::vector<std::string> expected;
  fs::create_directories(project + "/figures");
  fs::create_directories(project + "/queue/starting");
  for (const std::string& file :
       {project + "/figures/curve.pdf.tmp-1-0", project + "/queue/settings.json.tmp-1-0",
        run + "/artifacts/vocabulary.txt.tmp-1-0", run + "/attempts/0001/outcome.json.tmp-1-0"}) {
    fs::create_directories(fs::path(file).parent_path());
    std::ofstream(file) << "half";
    old(file);
    expected.push_back(file);
  }
  std::ofstream(project + "/queue/starting/gone.stderr") << "words";
  expected.push_back(project + "/queue/starting/gone.stderr");
  const std::string result = run + "/analyses/attention_entropy/k-1.tmp";
  fs::create_directories(result);
  old(result);
  expected.push_back(result);
  fs::create_directories(run + "/attempts/.new");
  expected.push_back(run + "/attempts/.new");
  // Somebody is at work on these.
  const std::vector<std::string> kept = {temporaryBeside(project + "/figures/page.pdf"),
                                         run + "/analyses/attention_entropy/k-2.tmp",
                                         busy + "/attempts/.new"};
  std::ofstream(kept[0]) << "being written";
  fs::create_directories(kept[1]);
  fs::create_directories(kept[2]);
  // The socket of an engine that was killed.
  const std::string socket = chooseControlSocket("u-a").path;
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket.c_str(), socket.size());
  QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(fd);
  expected.push_back(socket);

  const auto plan = planCleaning(*m_library, {}).value();
  auto found = paths(plan);
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  QCOMPARE(found, expected);
  Progress progress;
  QVERIFY(clean(*m_library, plan, progress, StopToken()).ok());
  for (const std::string& path : expected) QVERIFY2(!fs::exists(path), path.c_str());
  for (const std::string& path : kept) QVERIFY2(fs::exists(path), path.c_str());
}

QTEST_APPLESS_MAIN(ProjectCleanerTest)
#include "tst_project_cleaner.moc"
