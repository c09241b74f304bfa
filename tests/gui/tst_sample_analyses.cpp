// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <set>

#include "app/runner/engine_progress.h"
#include "app/sample/sample_analyses.h"
#include "app/sample/sample_project.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/sample_analysis_job.h"
#include "core/library/figures/figure_composition.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_window_fixture.h"
#include "tests/unit/support_stored_analyses.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::listAnalyses;
using test::waitUntil;

// What the window computes by itself in the sample project, with a pretended engine.
class SampleAnalysesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void endedRunsAreAnalysed();
  void oneEngineForBothCheckpoints();
  void whatReadsNoCheckpointIsComputedOnce();
  void stoppedWorkGoesOn();
  void cancelledWorkComesWithTheNextRun();
  void otherProjectsAreLeftAlone();
  void goesOnInAnotherProject();
  void readersDoNotWaitForEngines();

 private:
  static void makeSample(const test::WindowFixture& fixture) {
    const QString data = fixture.project() + QStringLiteral("/data/");
    QVERIFY(QDir().mkpath(data));
    for (const char* part : {"train.tsv", "test.tsv"})
      QVERIFY(QFile(data + QLatin1String(part)).open(QIODevice::WriteOnly));
    QFile mark(fixture.project() + QLatin1String(kSampleMark));
    QVERIFY(mark.open(QIODevice::WriteOnly) && mark.write("{\"format\": 1}\n") > 0);
  }
  static std::size_t stored(const std::string& run) {
    return listAnalyses(RunFolder(run).analysesPath(), "beta_dependency").size();
  }
};

void SampleAnalysesTest::endedRunsAreAnalysed() {
  test::WindowFixture fixture;
  const std::string first = fixture.addRun("2 layers Post-LN");
  const std::string other = fixture.addRun("of somebody else");
  makeSample(fixture);
  ProjectService service;
  JobCenter jobs;
  MessageBar messages;
  SampleAnalysisJob job(&service, &jobs, &messages, nullptr);
  QSignalSpy computed(&job, &SampleAnalysisJob::computed);
  service.open(fixture.project());
  QVERIFY(waitUntil([&] { return computed.size() == 1; }));
  QCOMPARE(computed[0][0].toInt(), 1);  // the pretended run has no checkpoint but its first weights
  QCOMPARE(stored(first), std::size_t{1});
  QCOMPARE(stored(other), std::size_t{0});
  // What can be drawn now is put on a page, once: curve and dependency.
  const auto library = ProjectLibrary::open(fixture.project().toStdString()).value();
  const auto pages = figureCompositions(*library).value();
  QCOMPARE(pages.size(), std::size_t{1});
  QCOMPARE(pages[0].panels.size(), std::size_t{2});
  QCOMPARE(pages[0].panels[1].recipe.figure, std::string("beta_dependency"));
  QCOMPARE(pages[0].panels[1].recipe.runs.size(), std::size_t{1});
  // A run that ends later comes by itself; nothing is computed twice.
  const std::string second = fixture.addRun("12 layers Admin");
  service.refresh();
  QVERIFY(waitUntil([&] { return computed.size() == 2; }));
  QCOMPARE(computed[1][0].toInt(), 1);
  QCOMPARE(stored(first), std::size_t{1});
  QCOMPARE(stored(second), std::size_t{1});
  QCOMPARE(figureCompositions(*library).value().size(), std::size_t{1});
}

// First and newest weights come from one process; the progress counts the checkpoints of all runs.
void SampleAnalysesTest::oneEngineForBothCheckpoints() {
  test::WindowFixture fixture;
  const std::string runs[] = {fixture.addRun("2 layers Post-LN"), fixture.addRun("12 layers Admin")};
  for (const std::string& run : runs)
    for (const int step : {10, 20}) test::keepCheckpoint(run, step);
  std::vector<ProgressUpdate> updates;
  Progress progress([&updates](const ProgressUpdate& update) { updates.push_back(update); });
  QCOMPARE(computeSampleAnalyses(fixture.project().toStdString(), progress, {}).value(), 4);
  for (const std::string& run : runs) {
    const auto results = listAnalyses(RunFolder(run).analysesPath(), "beta_dependency");
    QCOMPARE(results.size(), std::size_t{2});
    std::set<std::string> checkpoints;
    for (const StoredAnalysis& each : results) checkpoints.insert(each.request.checkpoint);
    QCOMPARE(checkpoints, (std::set<std::string>{"init", "0001-00000020"}));
    QCOMPARE(results[0].result["process"], results[1].result["process"]);
  }
  const auto counting = [](const ProgressUpdate& update) { return update.unit == kCheckpointUnit; };
  const auto first = std::find_if(updates.begin(), updates.end(), counting);
  QVERIFY(first != updates.end());
  QCOMPARE(first->total, 4.0);
  double before = 0;
  for (auto update = first; update != updates.end(); ++update) {
    QVERIFY(counting(*update) && update->done >= before && update->total == 4);
    before = update->done;
  }
  QCOMPARE(before, 4.0);
}

// Output shift builds its nets from the options: one result a run.
void SampleAnalysesTest::whatReadsNoCheckpointIsComputedOnce() {
  test::WindowFixture fixture;
  qputenv("FATHOM_FAKE_DESCRIBE", "with_shift");
  const std::string run = fixture.addRun("2 layers Post-LN");
  for (const int step : {10, 20}) test::keepCheckpoint(run, step);
  Progress progress;
  QCOMPARE(computeSampleAnalyses(fixture.project().toStdString(), progress, {}).value(), 3);
  const auto shifts = listAnalyses(RunFolder(run).analysesPath(), "output_shift");
  QCOMPARE(shifts.size(), std::size_t{1});
  QCOMPARE(shifts.front().request.checkpoint, std::string("init"));
  QCOMPARE(computeSampleAnalyses(fixture.project().toStdString(), progress, {}).value(), 0);
}

// Stopped after the first of two runs: its results stay, and only the other's are computed next time.
void SampleAnalysesTest::stoppedWorkGoesOn() {
  test::WindowFixture fixture;
  const std::string runs[] = {fixture.addRun("2 layers Post-LN"), fixture.addRun("12 layers Admin")};
  for (const std::string& run : runs) test::keepCheckpoint(run, 20);
  const std::string project = fixture.project().toStdString();
  const StopToken stop;
  Progress progress([&](const ProgressUpdate& update) {
    if (update.unit == kCheckpointUnit && update.done >= 2) stop.requestAbort();
  });
  const auto stopped = computeSampleAnalyses(project, progress, stop);
  QVERIFY(!stopped.ok());
  QCOMPARE(stopped.error().kind, ErrorKind::Interrupted);
  QCOMPARE(stored(runs[0]), std::size_t{2});
  QCOMPARE(stored(runs[1]), std::size_t{0});
  Progress quiet;
  QCOMPARE(computeSampleAnalyses(project, quiet, {}).value(), 2);
  QCOMPARE(stored(runs[0]), std::size_t{2});
  QCOMPARE(stored(runs[1]), std::size_t{2});
  QCOMPARE(computeSampleAnalyses(project, quiet, {}).value(), 0);
}

void SampleAnalysesTest::cancelledWorkComesWithTheNextRun() {
  test::WindowFixture fixture;
  makeSample(fixture);
  const std::string first = fixture.addRun("2 layers Post-LN");
  ProjectService service;
  JobCenter jobs;
  MessageBar messages;
  SampleAnalysisJob job(&service, &jobs, &messages, nullptr);
  QSignalSpy computed(&job, &SampleAnalysisJob::computed);
  service.open(fixture.project());
  QVERIFY(waitUntil([&] { return jobs.count() == 1; }));
  jobs.cancelOwner(QStringLiteral("sample analyses"));  // as the cross in the status bar
  QCOMPARE(jobs.count(), 0);
  const std::string second = fixture.addRun("12 layers Admin");
  service.refresh();
  QVERIFY(waitUntil([&] { return computed.size() == 1; }));
  QCOMPARE(stored(first), std::size_t{1});
  QCOMPARE(stored(second), std::size_t{1});
}

void SampleAnalysesTest::otherProjectsAreLeftAlone() {
  test::WindowFixture fixture;
  const std::string run = fixture.addRun("2 layers Post-LN");
  ProjectService service;
  JobCenter jobs;
  MessageBar messages;
  SampleAnalysisJob job(&service, &jobs, &messages, nullptr);
  QSignalSpy changed(&service, &ProjectService::changed);
  service.open(fixture.project());
  QVERIFY(waitUntil([&] { return changed.size() > 0; }));
  QCOMPARE(jobs.count(), 0);
  QCOMPARE(stored(run), std::size_t{0});
}

// Another project is opened while it works: it ends all the same, and does not begin anew when the sample
// comes back.
void SampleAnalysesTest::goesOnInAnotherProject() {
  const test::WindowFixture other, fixture;
  makeSample(fixture);
  const std::string run = fixture.addRun("2 layers Post-LN");
  WindowHost host(fixture.sessionFile());
  MainWindow* window = host.openWindow(fixture.project());
  QSignalSpy started(window->jobs(), &JobCenter::started);
  const auto begun = [&started] {
    return std::count_if(started.begin(), started.end(),
                         [](const auto& call) { return call[0].toString() == "sample analyses"; });
  };
  QVERIFY(waitUntil([&] { return begun() == 1; }));
  window->openProject(other.project());
  QVERIFY(waitUntil([&] { return window->service()->path() == other.project(); }));
  QVERIFY(waitUntil([&] { return stored(run) == 1 && window->jobs()->count() == 0; }));
  const QString result = QString::fromStdString(
      listAnalyses(RunFolder(run).analysesPath(), "beta_dependency").front().result["process"].dump());
  window->openProject(fixture.project());
  QVERIFY(waitUntil([&] { return window->service()->path() == fixture.project() && begun() == 2; }));
  QVERIFY(waitUntil([&] { return window->jobs()->count() == 0; }));
  QCOMPARE(stored(run), std::size_t{1});
  QCOMPARE(
      QString::fromStdString(
          listAnalyses(RunFolder(run).analysesPath(), "beta_dependency").front().result["process"].dump()),
      result);
}

// However few processors there are: some jobs only wait for an engine, and the window reads meanwhile.
void SampleAnalysesTest::readersDoNotWaitForEngines() {
  JobCenter jobs;
  std::atomic<bool> ended = false;
  const auto work = [&ended](bool waits) {
    return [&ended, waits](Progress&, const StopToken&) -> Result<int> {
      while (waits && !ended) QThread::msleep(1);
      return 1;
    };
  };
  for (const char* owner : {"sample analyses", "estimate", "trainability", "compute"})
    jobs.start<int>(QLatin1String(owner), QLatin1String(owner), work(true), [](const Result<int>&) {});
  bool read = false;
  jobs.start<int>(QStringLiteral("read"), QStringLiteral("read"), work(false),
                  [&read](const Result<int>&) { read = true; });
  const bool inTime = waitUntil([&] { return read; });
  ended = true;
  QVERIFY(inTime);
  QVERIFY(waitUntil([&] { return jobs.count() == 0; }));
}

QTEST_MAIN(SampleAnalysesTest)
#include "tst_sample_analyses.moc"
