// SPDX-License-Identifier: Apache-2.0
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "app/window/sample_analysis_job.h"
#include "core/library/figure_composition.h"
#include "core/record/analysis_store.h"
#include "core/record/run_folder.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/message_bar.h"

using namespace fathom;
using test::waitUntil;

// What the window computes by itself in the sample project, with a pretended engine.
class SampleAnalysesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void endedRunsAreAnalysed();
  void otherProjectsAreLeftAlone();

 private:
  static std::size_t stored(const std::string& run) {
    return listAnalyses(RunFolder(run).analysesPath(), "beta_dependency").size();
  }
};

void SampleAnalysesTest::endedRunsAreAnalysed() {
  test::WindowFixture fixture;
  const std::string first = fixture.addRun("2 layers Post-LN");
  const std::string other = fixture.addRun("of somebody else");
  QVERIFY(QDir().mkpath(fixture.project() + "/data"));
  for (const char* part : {"train", "test"})
    QVERIFY(QFile(fixture.project() + "/data/" + part + ".tsv").open(QIODevice::WriteOnly));
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

QTEST_MAIN(SampleAnalysesTest)
#include "tst_sample_analyses.moc"
