// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/base/atomic_file.h"
#include "core/library/project_cleaner.h"
#include "core/record/run_folder.h"
#include "core/record/run_lock.h"

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

 private:
  std::string addRun(const std::string& name, int checkpoints, bool withOutcome) const;
  static std::vector<std::string> kinds(const CleanPlan& plan);
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
  QVERIFY(m_library->trashRun(addRun("old", 1, true)).ok());
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
  plan.items.push_back({m_dir->path().toStdString() + "/p.fathom/../mine", "trash", "", 0});
  fs::create_directories(m_dir->path().toStdString() + "/mine");
  Progress progress;
  QVERIFY(!clean(*m_library, plan, progress, StopToken()).ok());
  QVERIFY(fs::exists(m_dir->path().toStdString() + "/mine"));
}

QTEST_APPLESS_MAIN(ProjectCleanerTest)
#include "tst_project_cleaner.moc"
