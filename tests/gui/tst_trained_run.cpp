// SPDX-License-Identifier: Apache-2.0
// ctest: engine
#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <map>
#include <memory>

#include "app/runner/engine_description.h"
#include "app/sample/sample_composition.h"
#include "app/sample/sample_project.h"
#include "app/sample/trained_run.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_host.h"
#include "app/window/train/curve_stack.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/runs/run_listing.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_config.h"
#include "core/record/runs/run_folder.h"
#include "core/record/runs/run_verdict.h"
#include "tests/gui/support_window_fixture.h"
#include "tests/unit/support_stored_analyses.h"
#include "views/look/engine_text.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// The run that comes with the sample: what its recording holds, whether it is still what this program writes,
// and that no step of the first minute is empty with it. Where it has become too old:
// packaging/sample_run.sh.
class TrainedRunTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void recordingIsSmallAndWhole();
  void recordingIsOfTheSamplesData();
  void recordingIsWhatTheEngineWrites();
  void isPlacedOnce();
  void noStepIsEmpty();
  void liveRunsDoNotHideIt();
  void translationsAreReviewed();
  void pageIsStoredOnce();

 private:
  std::string project() const { return m_fixture->project().toStdString(); }
  RunFolder run() const { return RunFolder(trainedRunPath(project())); }
  bool open();
  QString uuid() const { return QString::fromStdString(run().identity().value().uuid); }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void TrainedRunTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  const auto library = openSampleProject(project()).value();
  Progress quiet;
  placeTrainedRun(*library, quiet, {}).value();
}

void TrainedRunTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

bool TrainedRunTest::open() {
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  return QTest::qWaitForWindowActive(m_window) && waitUntil([this] {
           return m_window->service()->isReady() && m_window->train()->runModel()->run(uuid()) != nullptr &&
                  m_window->jobs()->count() == 0;
         });
}

void TrainedRunTest::recordingIsSmallAndWhole() {
  const QFile recorded(QStringLiteral(":/sample/trained_run.tar.zst"));
  QVERIFY2(recorded.size() > 0 && recorded.size() <= 300 * 1024,
           qPrintable(QString::number(recorded.size())));
  const RunRow row = readRunRow(run().path()).value();
  QCOMPARE(row.state, RunState::Finished);
  // Good, and not so good that nothing is left to look at in Errors.
  QVERIFY2(row.last.at("valid.bleu") > 60 && row.last.at("valid.bleu") < 100,
           qPrintable(QString::number(row.last.at("valid.bleu"))));
  for (const char* analysis :
       {"attention_entropy", "attention_jsd", "attention_maps", "gradient_norm", "beta_dependency"})
    QVERIFY2(!test::listAnalyses(run().analysesPath(), analysis).empty(), analysis);
  const auto sets = predictionSets(run().path()).value();
  QCOMPARE(sets.size(), std::size_t{1});
  QCOMPARE(sets.front().split, std::string("test"));
  QVERIFY(listCheckpoints(run().path()).empty());
}

// Its translations are laid beside the test part that the sample makes.
void TrainedRunTest::recordingIsOfTheSamplesData() {
  const RunConfig config = readRunConfig(run().configPath(1)).value();
  std::map<std::string, std::string> recorded;
  const RunIdentity identity = run().identity().value();
  for (const Json& data : memberList(identity.provenance, "data"))
    recorded[memberText(data, "role")] = memberText(data, "sha256");
  for (const char* part : {"train", "validation", "test"}) {
    const std::string file = config.options.at(std::string("data.") + part).get<std::string>();
    QVERIFY2(file.starts_with(project() + "/data/"), file.c_str());
    QCOMPARE(sha256OfFile(file).value(), recorded[part]);
  }
}

// Options have today's keys, stored results today's versions.
void TrainedRunTest::recordingIsWhatTheEngineWrites() {
  const auto engine = describeEngine(std::string(FATHOM_BIN_DIR "/fathom-engine"));
  QVERIFY2(engine.ok(), engine.ok() ? "" : engine.error().text().c_str());
  const RunConfig config = readRunConfig(run().configPath(1)).value();
  QVERIFY(config.options.size() > 50);
  for (const auto& option : config.options.items())
    QVERIFY2(engine->options.find(option.key()) != nullptr, option.key().c_str());
  int versions = 0;
  for (const Json& probe : memberList(memberObject(engine->json, "entries"), "probes"))
    for (const StoredAnalysis& stored : test::listAnalyses(run().analysesPath(), memberText(probe, "id"))) {
      QVERIFY2(stored.request.version == probe["version"].get<int>(), memberText(probe, "id").c_str());
      ++versions;
    }
  QVERIFY(versions >= 5);
}

void TrainedRunTest::isPlacedOnce() {
  const auto library = openSampleProject(project()).value();
  Progress quiet;
  const std::string before = readRunConfig(run().configPath(1)).value().name;
  placeTrainedRun(*library, quiet, {}).value();
  QCOMPARE(listRuns(*library).value().size(), std::size_t{1});
  QCOMPARE(readRunConfig(run().configPath(1)).value().name, before);
  // A stop leaves nothing half.
  const std::string other =
      QFileInfo(m_fixture->sessionFile()).absolutePath().toStdString() + "/other.fathom";
  const auto next = openSampleProject(other).value();
  const StopToken stop;
  stop.requestAbort();
  QVERIFY(!placeTrainedRun(*next, quiet, stop).ok());
  QVERIFY(QDir(QString::fromStdString(next->runsPath()))
              .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
              .isEmpty());
}

// Nothing has been trained in this project.
void TrainedRunTest::noStepIsEmpty() {
  QVERIFY(open());
  StepStrip* strip = m_window->steps()->strip();
  QVERIFY(strip->isVisible());
  QTest::mouseClick(strip->button(SampleSteps::Watch), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return m_window->train()->curves()->panel()->canvas()->panelCount() > 0; }));
  QTest::mouseClick(strip->button(SampleSteps::Heads), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return m_window->attention()->hasFigure(); }));
  QTest::mouseClick(strip->button(SampleSteps::Errors), Qt::LeftButton);
  QVERIFY(QTest::qWaitFor([this] { return m_window->errors()->page() == ErrorsWorkspace::kReview; }, 60000));
  QTest::mouseClick(strip->button(SampleSteps::Export), Qt::LeftButton);
  FiguresWorkspace* figures = m_window->figures();
  QVERIFY(QTest::qWaitFor([&] { return figures->composition() != nullptr && figures->settled(); }, 60000));
  QCOMPARE(figures->composition()->panels.front().recipe.runs, (std::vector<std::string>{toUtf8(uuid())}));
}

// The runs that have just begun are selected; there is nothing yet to look into in them.
void TrainedRunTest::liveRunsDoNotHideIt() {
  std::string begun;
  const auto log = m_fixture->beginRun("2 layers Post-LN", &begun);
  QVERIFY(open());
  const QString live = QString::fromStdString(RunFolder(begun).identity().value().uuid);
  QVERIFY(waitUntil([&] { return m_window->train()->runModel()->run(live) != nullptr; }));
  QVERIFY(!isDone(m_window->train()->runModel()->run(live)->state));
  m_window->selection()->set(Dimension::Run, {live}, live, nullptr);
  QTest::mouseClick(m_window->steps()->strip()->button(SampleSteps::Heads), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return m_window->attention()->hasFigure(); }));
  QCOMPARE(m_window->attention()->side()->chosenRuns(), QStringList{uuid()});
}

void TrainedRunTest::translationsAreReviewed() {
  QVERIFY(open());
  m_window->selection()->set(Dimension::Run, {uuid()}, uuid(), nullptr);
  QVERIFY(waitUntil([this] { return m_window->action("run.predictions")->isEnabled(); }));
  m_window->action("run.predictions")->trigger();
  QVERIFY(waitUntil([this] { return m_window->errors()->page() == ErrorsWorkspace::kReview; }));
  const ReviewedPredictions* review = m_window->errors()->textPage()->review();
  QVERIFY(!review->empty());
  QVERIFY(review->examples() >= 100);
  int right = 0;
  for (int i = 0; i < review->examples(); ++i)
    if (review->output(0, i).text == review->example(i).references.at(0)) ++right;
  QVERIFY2(right > review->examples() / 2 && right < review->examples(), qPrintable(QString::number(right)));
}

// The page that Figures begins with; who deletes it has it no more.
void TrainedRunTest::pageIsStoredOnce() {
  QVERIFY(open());
  const auto library = ProjectLibrary::open(project()).value();
  QVERIFY(waitUntil([&] { return figureCompositions(*library).value().size() == 1; }));
  const FigureComposition page = figureCompositions(*library).value().front();
  QCOMPARE(page.panels.size(), std::size_t{4});
  for (const CompositionPanel& panel : page.panels)
    QCOMPARE(panel.recipe.runs, (std::vector<std::string>{toUtf8(uuid())}));
  removeFigureComposition(*library, page.uuid).value();
  Progress quiet;
  QCOMPARE(storeTrainedComposition(project(), quiet, {}).value(), false);
  QVERIFY(figureCompositions(*library).value().empty());
}

QTEST_MAIN(TrainedRunTest)
#include "tst_trained_run.moc"
