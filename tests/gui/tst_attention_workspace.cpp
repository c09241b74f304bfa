// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <filesystem>

#include "app/analysis_job.h"
#include "app/library_source.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/analysis/analysis_entry.h"
#include "core/base/numbers/series_look.h"
#include "core/library/figure_recipe.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figures/figure_parts.h"
#include "views/look/theme.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/checkpoint_bar.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/widgets/elided_label.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// The Attention workspace in the whole window, with real keys and clicks, on stored results and the fake
// engine.
class AttentionWorkspaceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void isMadeWhenItIsFirstShown();
  void visitedBeforeTheProject();
  void withoutRuns();
  void newestResultOfARunThatHasOne();
  void runsShareTheirScale();
  void earlierCheckpointsAreSaid();
  void runsKeepTheirColours();
  void whatIsMissingDoesNotHideTheRest();
  void clickSelectsEverywhere();
  void keysGoFromPlaceToPlace();
  void nothingIsDrawnAgainForASelection();
  void sliderGoesThroughCheckpoints();
  void animationGoesThroughCheckpoints();
  void missingIsComputed();
  void shiftsAreNotOfferedForCheckpoints();
  void missingEpochsNameTheRun();
  void otherOptionsAreComputedBeside();
  void resultsOfAnEarlierRuleAreComputedAgain();
  void scaleStaysOverCheckpoints();
  void onlyPartsThatAreThereAreOffered();
  void gridsOfferTheMetricsOfTheirRuns();
  void damagedResultsAreSaid();
  void failureIsSaid();
  void tableShowsTheNumbers();
  void exportKeepsTheRecipe();
  void optionsAndPlaceAreRemembered();
  void headsOpenAsMatrixAndLines();
  void longExamplesAreMatrices();
  void everyTokenHasRoom();
  void schemasAreCutToWhatIsLinked();

 private:
  bool open();
  bool idle() const { return m_window->jobs()->count() == 0 && !workspace()->busy(); }
  bool settle() {
    return waitUntil([this] { return idle(); });
  }
  void choose(const char* analysis) {
    side()->setAnalysis(QString::fromLatin1(analysis));
    QVERIFY(settle());
  }
  void tick(const QString& run, bool on);
  AttentionWorkspace* workspace() const { return m_window->attention(); }
  AnalysisSide* side() const { return workspace()->side(); }
  AnalysisView* view() const { return workspace()->view(); }
  AnalysisCanvas* canvas() const { return view()->canvas(); }
  const FigureSpec& spec() const { return canvas()->spec(); }
  bool shows(AnalysisView::Page page) const { return view()->pages()->currentIndex() == page; }
  QString current(Dimension dimension) const { return m_window->selection()->current(dimension); }
  void click(AnalysisCanvas* on, const QString& selection);
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  std::string m_plain, m_analysed;  // run folders
};

void AttentionWorkspaceTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
}

void AttentionWorkspaceTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

// Two runs; the older one has entropies of two checkpoints.
bool AttentionWorkspaceTest::open() {
  m_analysed = m_fixture->addRun("analysed");
  m_plain = m_fixture->addRun("plain");
  test::storeResult(m_analysed, "attention_entropy", "0001-00000005", test::madeEntropy(3, 4, 0));
  test::storeResult(m_analysed, "attention_entropy", "0001-00000010", test::madeEntropy(3, 4, 0.3));
  m_window = m_host->openWindow(m_fixture->project());
  if (!QTest::qWaitForWindowActive(m_window)) return false;
  if (!waitUntil([this] { return m_window->service()->isOpen() && m_window->jobs()->count() == 0; }))
    return false;
  m_window->service()->drain();
  if (!settled(m_window)) return false;
  m_window->selection()->set(Dimension::Run, {}, {}, nullptr);
  m_window->action("view.attention")->trigger();
  return settle();
}

void AttentionWorkspaceTest::tick(const QString& run, bool on) {
  QListWidget* list = side()->runs();
  const QList<QListWidgetItem*> found = list->findItems(run, Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  found.front()->setCheckState(on ? Qt::Checked : Qt::Unchecked);
  QVERIFY(settle());
}

void AttentionWorkspaceTest::click(AnalysisCanvas* on, const QString& selection) {
  const auto place = on->placeOf(selection);
  QVERIFY2(place.has_value(), qPrintable(selection));
  QTest::mouseClick(on, Qt::LeftButton, {}, place->toPoint());
  QVERIFY(settle());
}

void AttentionWorkspaceTest::isMadeWhenItIsFirstShown() {
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([this] { return m_window->service()->isOpen(); }));
  QVERIFY(m_window->findChild<AttentionWorkspace*>() == nullptr);
  QVERIFY(!m_window->action("attention.compute")->isEnabled());
  QTest::keyClick(m_window, Qt::Key_2, Qt::ControlModifier);
  QVERIFY(m_window->findChild<AttentionWorkspace*>() != nullptr);
  QVERIFY(workspace()->widget()->isVisible());
  QVERIFY(m_window->action("view.attention")->isChecked());
  QTest::keyClick(m_window, Qt::Key_1, Qt::ControlModifier);
  QVERIFY(!workspace()->widget()->isVisible());
}

// Looked at while no project was open; the run was chosen in Train.
void AttentionWorkspaceTest::visitedBeforeTheProject() {
  const std::string run = m_fixture->addRun("analysed");
  test::storeResult(run, "attention_entropy", "0001-00000010", test::madeEntropy(3, 4, 0));
  m_window = m_host->openWindow({});
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QTest::keyClick(m_window, Qt::Key_2, Qt::ControlModifier);
  QTest::keyClick(m_window, Qt::Key_1, Qt::ControlModifier);
  m_window->openProject(m_fixture->project());
  QVERIFY(waitUntil([this] { return m_window->service()->isOpen() && m_window->jobs()->count() == 0; }));
  m_window->service()->drain();
  QVERIFY(settled(m_window));
  const QString uuid = QFileInfo(QString::fromStdString(run)).fileName();
  m_window->selection()->set(Dimension::Run, {uuid}, uuid, nullptr);
  QTest::keyClick(m_window, Qt::Key_2, Qt::ControlModifier);
  QVERIFY(settle());
  QCOMPARE(side()->chosenRuns(), QStringList{uuid});
  QVERIFY(shows(AnalysisView::kFigure));
}

void AttentionWorkspaceTest::withoutRuns() {
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([this] { return m_window->service()->isOpen() && m_window->jobs()->count() == 0; }));
  m_window->action("view.attention")->trigger();
  QVERIFY(settle());
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY(view()->message()->text().contains(QStringLiteral("No runs")));
}

void AttentionWorkspaceTest::newestResultOfARunThatHasOne() {
  QVERIFY(open());
  QVERIFY(shows(AnalysisView::kFigure));
  QCOMPARE(side()->analysis(), QStringLiteral("attention_entropy"));
  QCOMPARE(side()->chosenRuns().size(), 1);
  QCOMPARE(QFileInfo(QString::fromStdString(m_analysed)).fileName(), side()->chosenRuns().front());
  QCOMPARE(side()->checkpoints()->step(), qint64(10));
  QCOMPARE(std::get<GridMark>(spec().panels.front().marks.front().shape).cells.size(), std::size_t(12));
  QVERIFY(canvas()->accessibleDescription().contains(QStringLiteral("layer 1 medians")));
}

void AttentionWorkspaceTest::runsShareTheirScale() {
  QVERIFY(open());
  test::storeResult(m_plain, "attention_entropy", "0001-00000008", test::madeEntropy(3, 4, 2));
  tick(QStringLiteral("plain"), true);
  QVERIFY(shows(AnalysisView::kFigure));
  QCOMPARE(spec().panels.size(), std::size_t(2));
  const auto maximum = [&](std::size_t panel) {
    return std::get<GridMark>(spec().panels[panel].marks.front().shape).maximum;
  };
  QCOMPARE(maximum(0), maximum(1));
  QVERIFY(maximum(0) > 4);  // the larger one's
  // Each run at its own newest until there: 10 and 8.
  QVERIFY(spec().notes[1].english().find("0001-00000010") != std::string::npos);
  QVERIFY(spec().notes[2].english().find("0001-00000008") != std::string::npos);
}

// Where a run has no checkpoint at the place of the slider, the panel and the slider say what is drawn.
void AttentionWorkspaceTest::earlierCheckpointsAreSaid() {
  QVERIFY(open());
  QVERIFY(!side()->checkpoints()->note()->isVisible());
  test::storeResult(m_plain, "attention_entropy", "init", test::madeEntropy(3, 4, 2));
  tick(QStringLiteral("plain"), true);
  QVERIFY(shows(AnalysisView::kFigure));
  QCOMPARE(spec().panels[0].title.english(), std::string("analysed"));
  QCOMPARE(spec().panels[1].title.english(), std::string("plain @init"));
  QVERIFY(side()->checkpoints()->note()->isVisible());
  QVERIFY(side()->checkpoints()->note()->text().contains(QStringLiteral("plain: before the first update")));
  const QString file = m_fixture->project() + QStringLiteral("/both.svg");
  workspace()->exportFigure(file);
  QVERIFY(waitUntil([&] { return m_window->jobs()->count() == 0 && QFileInfo::exists(file); }));
  QFile csv(m_fixture->project() + QStringLiteral("/both.csv"));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  QVERIFY(csv.readAll().contains("plain @init"));
  test::storeResult(m_plain, "attention_entropy", "0001-00000008", test::madeEntropy(3, 4, 2));
  tick(QStringLiteral("analysed"), false);
  QVERIFY(!side()->checkpoints()->note()->isVisible());
  tick(QStringLiteral("analysed"), true);
  QCOMPARE(spec().panels[1].title.english(), std::string("plain @8"));
  tick(QStringLiteral("plain"), false);
  QVERIFY(!side()->checkpoints()->note()->isVisible());
}

// The colour of the run table, whatever is drawn beside; a run that is not drawn is a ring.
void AttentionWorkspaceTest::runsKeepTheirColours() {
  QVERIFY(open());
  test::storeResult(m_plain, "attention_entropy", "0001-00000010", test::madeEntropy(3, 4, 2));
  tick(QStringLiteral("analysed"), false);
  tick(QStringLiteral("plain"), true);
  const auto& cells = std::get<GridMark>(spec().panels.front().marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[3].selection));
  const auto colourOf = [&](const std::string& run) {
    return m_window->train()->runModel()->run(QFileInfo(QString::fromStdString(run)).fileName())->colour;
  };
  QVERIFY(colourOf(m_plain) != colourOf(m_analysed));
  const auto drawn = [&] { return view()->detail()->spec().panels.front().marks.back().style.colour; };
  QCOMPARE(drawn(), seriesStyle(std::size_t(colourOf(m_plain))).colour);
  const auto dot = [&](const char* name, const QPoint& at) {
    const QListWidgetItem* item =
        side()->runs()->findItems(QString::fromLatin1(name), Qt::MatchExactly).front();
    return item->icon().pixmap(16).toImage().pixelColor(at);
  };
  const Theme theme = Theme::of(side()->palette());
  QCOMPARE(dot("plain", {8, 8}), theme.run(colourOf(m_plain)));
  QCOMPARE(dot("analysed", {8, 8}).alpha(), 0);
  QVERIFY(dot("analysed", {8, 4}).alpha() > 100);
  // Another colour by hand is drawn.
  RunNotes notes;
  notes.colour = "#56b4e9";
  m_window->service()->setNotes(QFileInfo(QString::fromStdString(m_plain)).fileName(), notes);
  QVERIFY(test::waitUntil([&] { return seriesLook(colourOf(m_plain)).hue == 5; }));
  QVERIFY(settle());
  QVERIFY(test::waitUntil([&] { return drawn() == "series:5"; }));
}

void AttentionWorkspaceTest::whatIsMissingDoesNotHideTheRest() {
  QVERIFY(open());
  const auto said = [this] {
    for (ElidedLabel* label : view()->findChildren<ElidedLabel*>())
      if (label->isVisible() && label->fullText().contains(QStringLiteral("“plain”"))) return true;
    return false;
  };
  QVERIFY(!said());
  tick(QStringLiteral("plain"), true);
  QVERIFY(shows(AnalysisView::kFigure));
  QCOMPARE(spec().panels.size(), std::size_t(1));
  QVERIFY(said());
  QVERIFY(m_window->action("attention.compute")->isEnabled());
  tick(QStringLiteral("plain"), false);
  QVERIFY(!said());
}

void AttentionWorkspaceTest::clickSelectsEverywhere() {
  QVERIFY(open());
  test::storeResult(m_plain, "attention_entropy", "0001-00000010", test::madeEntropy(3, 4, 2));
  tick(QStringLiteral("plain"), true);
  QCOMPARE(canvas()->outlines().size(), 0);
  QVERIFY(!view()->detail()->isVisible());
  const auto& cells = std::get<GridMark>(spec().panels[1].marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[6].selection));
  QCOMPARE(current(Dimension::Layer), QStringLiteral("1"));
  QCOMPARE(current(Dimension::Head), QStringLiteral("2"));
  QCOMPARE(canvas()->outlines().size(), 2);  // one in each panel
  QCOMPARE(m_window->selection()->of(Dimension::Run).items.size(), 2);
  QVERIFY(view()->detail()->isVisible());
  QVERIFY(view()->detail()->accessibleDescription().contains(QStringLiteral("layer 2, head 3")));
  QCOMPARE(view()->detail()->spec().panels.size(), std::size_t(2));  // violins, and over the updates
}

void AttentionWorkspaceTest::keysGoFromPlaceToPlace() {
  QVERIFY(open());
  canvas()->setFocus();
  QTest::keyClick(canvas(), Qt::Key_Right);
  QVERIFY(settle());
  QCOMPARE(current(Dimension::Layer), QStringLiteral("0"));
  QCOMPARE(current(Dimension::Head), QStringLiteral("0"));
  QTest::keyClick(canvas(), Qt::Key_Down);
  QTest::keyClick(canvas(), Qt::Key_Right);
  QVERIFY(settle());
  QCOMPARE(current(Dimension::Layer), QStringLiteral("1"));
  QCOMPARE(current(Dimension::Head), QStringLiteral("1"));
  QTest::keyClick(canvas(), Qt::Key_Up);
  QVERIFY(settle());
  QCOMPARE(current(Dimension::Layer), QStringLiteral("0"));
}

void AttentionWorkspaceTest::nothingIsDrawnAgainForASelection() {
  QVERIFY(open());
  int drawn = 0;
  connect(canvas(), &QCustomPlot::afterReplot, this, [&drawn] { ++drawn; });
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[3].selection));
  QTest::mouseMove(canvas(), QPoint(canvas()->width() / 2, canvas()->height() / 2));
  m_window->selection()->set(Dimension::Layer, {"2"}, "2", nullptr);
  QVERIFY(settle());
  QCOMPARE(drawn, 0);
  QVERIFY(canvas()->outlines().size() > 0);
}

void AttentionWorkspaceTest::sliderGoesThroughCheckpoints() {
  QVERIFY(open());
  CheckpointBar* bar = side()->checkpoints();
  QCOMPARE(bar->places().size(), 3);  // before the first update, 5, 10
  QVERIFY(!bar->places()[0].complete && bar->places()[1].complete && bar->places()[2].complete);
  const double before = *std::get<GridMark>(spec().panels[0].marks.front().shape).cells.front().median;
  bar->slider()->setFocus();
  QTest::keyClick(bar->slider(), Qt::Key_Left);
  QVERIFY(settle());
  QCOMPARE(bar->step(), qint64(5));
  const double after = *std::get<GridMark>(spec().panels[0].marks.front().shape).cells.front().median;
  QVERIFY(std::abs(before - after - 0.3) < 1e-9);
  QTest::keyClick(bar->slider(), Qt::Key_Left);
  QVERIFY(settle());
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY(view()->message()->text().contains(QStringLiteral("before the first update")));
}

void AttentionWorkspaceTest::animationGoesThroughCheckpoints() {
  QVERIFY(open());
  CheckpointBar* bar = side()->checkpoints();
  QTest::mouseClick(bar->playButton(), Qt::LeftButton);
  QVERIFY(bar->playing());
  QVERIFY(waitUntil([&] { return bar->step() == 5; }));
  QVERIFY(waitUntil([&] { return bar->step() == 10; }));  // leaves out what is not computed
  QTest::mouseClick(bar->playButton(), Qt::LeftButton);
  QVERIFY(!bar->playing());
}

void AttentionWorkspaceTest::missingIsComputed() {
  QVERIFY(open());
  choose("beta_dependency");
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY(view()->message()->text().contains(QStringLiteral("analysed")));
  side()->checkpoints()->slider()->setValue(0);
  QVERIFY(settle());
  QPushButton* compute = view()->message()->findChild<QPushButton*>();
  QVERIFY(compute != nullptr && compute->isEnabled());
  QTest::mouseClick(compute, Qt::LeftButton);
  QVERIFY(shows(AnalysisView::kProgress));
  QVERIFY(waitUntil([this] { return idle() && shows(AnalysisView::kFigure); }));
  QCOMPARE(std::get<CellsMark>(spec().panels.front().marks.front().shape).rows, 2);
  click(canvas(), QString::fromStdString(spec().panels.front().marks.front().selection) + "/L0/S1");
  QCOMPARE(current(Dimension::Sublayer), QStringLiteral("1"));
  QVERIFY(view()->detail()->isVisible());
}

// Its nets are built from the options of the run, so there is one place only.
void AttentionWorkspaceTest::shiftsAreNotOfferedForCheckpoints() {
  qputenv("FATHOM_FAKE_DESCRIBE", "with_shift");
  QVERIFY(open());
  choose("output_shift");
  QVERIFY(shows(AnalysisView::kMessage));
  // What it does not look at is not offered.
  QVERIFY(side()->computation()->control(QStringLiteral("examples")) == nullptr);
  QVERIFY(side()->computation()->control(QStringLiteral("split")) != nullptr);
  QCOMPARE(view()->message()->findChildren<QPushButton*>().size(), 1);
  QVERIFY(m_window->action("attention.compute")->isEnabled());
  QVERIFY(!m_window->action("attention.compute_all")->isEnabled());
  choose("beta_dependency");
  QCOMPARE(view()->message()->findChildren<QPushButton*>().size(), 2);
  QVERIFY(m_window->action("attention.compute_all")->isEnabled());
}

void AttentionWorkspaceTest::missingEpochsNameTheRun() {
  QVERIFY(open());
  choose("epoch_norm");
  QVERIFY(shows(AnalysisView::kMessage));
  const QString text = view()->message()->text();
  QVERIFY2(text.contains(QStringLiteral("“analysed”")), qPrintable(text));
  QVERIFY2(!text.contains(QFileInfo(QString::fromStdString(m_analysed)).fileName()), qPrintable(text));
}

// What was computed of the shortest examples is not shown where it can be computed again; of a state that was
// not kept it is, and says so.
void AttentionWorkspaceTest::resultsOfAnEarlierRuleAreComputedAgain() {
  AnalysisRequest old;
  old.analysis = "attention_entropy";
  old.version = probeVersion("attention_entropy") - 1;
  const std::string run = m_fixture->addRun("old");
  for (const char* checkpoint : {"init", "0001-00000005", "0001-00000015"}) {
    old.checkpoint = checkpoint;
    storeAnalysis(RunFolder(run).analysesPath(), old, test::madeEntropy(3, 4, 0)).value();
  }
  std::filesystem::create_directories(RunFolder(run).checkpointsPath() + "/0001-00000005");
  RunRow row;
  row.path = run;
  const auto counted = storedRequests(m_fixture->project().toStdString(), row, "attention_entropy");
  QCOMPARE(counted.size(), std::size_t{1});
  QCOMPARE(counted.front().request.checkpoint, std::string("0001-00000015"));
  const auto source = LibrarySource::open(m_fixture->project().toStdString(), {row}).value();
  QVERIFY(!source->probed(source->runs().front(), "attention_entropy", "init").ok());
  const ProbedResult kept = source->probed(source->runs().front(), "attention_entropy", "15").value();
  QVERIFY(kept.result.at("sample").at("chosen") == "first");
}

// A result of other options beside the one that is there; both stay and can be chosen.
void AttentionWorkspaceTest::otherOptionsAreComputedBeside() {
  QVERIFY(open());
  choose("beta_dependency");
  side()->checkpoints()->slider()->setValue(0);
  QVERIFY(settle());
  const auto compute = [this] {
    m_window->action("attention.compute")->trigger();
    QVERIFY(waitUntil([this] { return idle() && shows(AnalysisView::kFigure); }));
  };
  compute();
  QVERIFY(!side()->variants()->isVisible());
  const auto examples = [this] {
    return qobject_cast<QSpinBox*>(side()->computation()->control(QStringLiteral("examples")));
  };
  examples()->setValue(60);
  QVERIFY(settle());
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY(view()->message()->text().contains(QStringLiteral("Computed from")));
  compute();
  QVERIFY(side()->variants()->isVisible());
  QCOMPARE(side()->variants()->count(), 2);
  const int now = side()->variants()->currentIndex();
  QVERIFY(side()->variants()->currentText().contains(QStringLiteral("60")));
  QCOMPARE(workspace()->side()->computation()->values()["examples"].get<int>(), 60);
  side()->variants()->setCurrentIndex(1 - now);
  Q_EMIT side()->variants()->activated(1 - now);
  QVERIFY(settle());
  QVERIFY(shows(AnalysisView::kFigure));
  QCOMPARE(examples()->value(), 1000);
  RunRow row;
  row.path = m_analysed;
  QCOMPARE(storedRequests(m_fixture->project().toStdString(), row, "beta_dependency").size(), std::size_t(2));
}

// An animation can only be read with one scale for all checkpoints.
void AttentionWorkspaceTest::scaleStaysOverCheckpoints() {
  QVERIFY(open());
  test::storeResult(m_analysed, "beta_dependency", "0001-00000005", test::madeDependency(4, 0));
  test::storeResult(m_analysed, "beta_dependency", "0001-00000010", test::madeDependency(4, 0.5));
  for (const char* analysis : {"beta_dependency", "attention_entropy"}) {
    choose(analysis);
    const auto maximum = [this] {
      const FigureMark& mark = spec().panels.front().marks.front();
      const auto* cells = std::get_if<CellsMark>(&mark.shape);
      return cells != nullptr ? *cells->maximum : std::get<GridMark>(mark.shape).maximum;
    };
    side()->checkpoints()->slider()->setValue(2);
    QVERIFY(settle());
    const double last = maximum();
    side()->checkpoints()->slider()->setValue(1);
    QVERIFY(settle());
    QVERIFY2(maximum() == last, analysis);
    auto* scale = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("scale")));
    scale->setCurrentIndex(scale->findData(QStringLiteral("shown")));
    QVERIFY(settle());
    QVERIFY2(maximum() < last, analysis);
  }
}

void AttentionWorkspaceTest::onlyPartsThatAreThereAreOffered() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(2, 3, 5));
  choose("attention_maps");
  auto* part = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("part")));
  QVERIFY(part->findData(QStringLiteral("probabilities")) >= 0);
  QCOMPARE(part->findData(QStringLiteral("relation")), -1);
  QCOMPARE(part->findData(QStringLiteral("residual")), -1);
  QVERIFY(!view()->choices()->control(QStringLiteral("tokens"))->isVisible());  // all are of one sort
}

void AttentionWorkspaceTest::gridsOfferTheMetricsOfTheirRuns() {
  QVERIFY(open());
  tick(QStringLiteral("plain"), true);
  choose("stability_grid");
  auto* metric = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("metric")));
  QVERIFY(metric->isVisible());
  QCOMPARE(metric->currentData().toString(), QStringLiteral("valid.bleu"));
  QVERIFY(metric->findData(QStringLiteral("valid.nll")) >= 0);
}

// A result that was cut off: the file is named, and what to do; nothing is drawn.
void AttentionWorkspaceTest::damagedResultsAreSaid() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(2, 3, 5));
  std::string array, result;
  const std::string root = m_analysed + "/analyses/attention_maps";
  for (const auto& item : std::filesystem::recursive_directory_iterator(root)) {
    if (item.path().extension() == ".npy") array = item.path();
    if (item.path().filename() == "result.json") result = item.path();
  }
  std::filesystem::resize_file(array, 100);
  choose("attention_maps");
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY2(view()->message()->text().contains(QStringLiteral(".npy")), qPrintable(view()->message()->text()));
  QVERIFY(view()->message()->text().contains(QStringLiteral("compute the analysis again")));
  std::filesystem::resize_file(result, 20);
  choose("attention_entropy");
  choose("attention_maps");
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY2(view()->message()->text().contains(QStringLiteral("result.json")),
           qPrintable(view()->message()->text()));
}

void AttentionWorkspaceTest::failureIsSaid() {
  QVERIFY(open());
  choose("beta_dependency");
  auto* examples = qobject_cast<QSpinBox*>(side()->computation()->control("examples"));
  QVERIFY(examples != nullptr);
  examples->setValue(13);
  side()->checkpoints()->slider()->setValue(0);
  QVERIFY(settle());
  m_window->action("attention.compute")->trigger();
  QVERIFY(waitUntil([this] { return m_window->messages()->isVisible(); }));
  QVERIFY(m_window->messages()->findChild<QLabel*>() != nullptr);
  QVERIFY(settle());
  QVERIFY(shows(AnalysisView::kMessage));
}

void AttentionWorkspaceTest::tableShowsTheNumbers() {
  QVERIFY(open());
  m_window->action("attention.table")->trigger();
  QVERIFY(shows(AnalysisView::kTable));
  const QAbstractItemModel* model = view()->table()->model();
  QCOMPARE(model->rowCount(), 12);
  QCOMPARE(model->index(1, 2).data().toString(), QStringLiteral("head 2"));
  QCOMPARE(model->index(1, 3).data().toString(), QLocale().toString(1.4, 'f', 4));
  m_window->action("attention.table")->trigger();
  QVERIFY(shows(AnalysisView::kFigure));
}

void AttentionWorkspaceTest::exportKeepsTheRecipe() {
  QVERIFY(open());
  const QString file = m_fixture->project() + QStringLiteral("/entropy.svg");
  workspace()->exportFigure(file);
  QVERIFY(waitUntil([&] { return m_window->jobs()->count() == 0 && QFileInfo::exists(file); }));
  const auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  const auto recipes = figureRecipes(*library).value();
  QCOMPARE(recipes.size(), std::size_t(1));
  QCOMPARE(recipes.front().figure, std::string("attention_entropy"));
  QCOMPARE(recipes.front().options.value("checkpoint", ""), std::string("10"));
}

void AttentionWorkspaceTest::optionsAndPlaceAreRemembered() {
  QVERIFY(open());
  auto* unit = qobject_cast<QComboBox*>(view()->choices()->control("unit"));
  QVERIFY(unit != nullptr);
  unit->setCurrentIndex(1);
  QVERIFY(settle());
  QVERIFY(spec().title.english().find("bits") != std::string::npos);
  m_window->close();
  m_host.reset();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([this] { return m_window->findChild<AttentionWorkspace*>() != nullptr; }));
  QVERIFY(waitUntil([this] { return idle() && shows(AnalysisView::kFigure); }));
  QVERIFY(spec().title.english().find("bits") != std::string::npos);
}

void AttentionWorkspaceTest::headsOpenAsMatrixAndLines() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(2, 3, 5));
  choose("attention_maps");
  QVERIFY(shows(AnalysisView::kFigure));
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  QCOMPARE(cells.size(), std::size_t(6));
  click(canvas(), QString::fromStdString(cells[4].selection));
  AnalysisCanvas* detail = view()->detail();
  QVERIFY(detail->isVisible());
  QCOMPARE(detail->spec().panels.size(), std::size_t(2));
  const auto lines = [&] {
    return std::get<SegmentsMark>(detail->spec().panels[1].marks.front().shape).x0.size();
  };
  QCOMPARE(lines(), std::size_t(25));
  // A token of the matrix: its lines alone.
  const std::string base = detail->spec().panels[0].marks.front().selection;
  click(detail, QString::fromStdString(base) + "/q:1/k:3");
  QCOMPARE(current(Dimension::QueryToken), QStringLiteral("1"));
  QCOMPARE(current(Dimension::Head), QStringLiteral("1"));
  QCOMPARE(lines(), std::size_t(5));
}

void AttentionWorkspaceTest::longExamplesAreMatrices() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(2, 2, 70));
  choose("attention_maps");
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[0].selection));
  QCOMPARE(view()->detail()->spec().panels.size(), std::size_t(1));
  const auto& matrix = std::get<CellsMark>(view()->detail()->spec().panels[0].marks.front().shape);
  QCOMPARE(matrix.rows, 70);
}

// A long schema is a matrix with lines between its sorts; question and linked items alone are few enough for
// lines between tokens, whose places stay what they were.
void AttentionWorkspaceTest::schemasAreCutToWhatIsLinked() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeSchemaMaps(2, 2));
  choose("attention_maps");
  auto* tokens = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("tokens")));
  QVERIFY(tokens->isVisible());
  const auto cell = [&] {
    return QString::fromStdString(
        std::get<GridMark>(spec().panels[0].marks.front().shape).cells[0].selection);
  };
  click(canvas(), cell());
  const auto detail = [&]() -> const FigurePanel& { return view()->detail()->spec().panels[0]; };
  QCOMPARE(std::get<CellsMark>(detail().marks.front().shape).rows, 74);
  QCOMPARE(detail().marks.size(), std::size_t(5));
  QCOMPARE(std::get<RuleMark>(detail().marks[1].shape).position, 3.5);
  QVERIFY(spec().notes.front().english().find("4 question tokens, 60 columns, 10 tables") !=
          std::string::npos);
  tokens->setCurrentIndex(tokens->findData(QStringLiteral("linked")));
  QVERIFY(settle());
  click(canvas(), cell());
  QCOMPARE(view()->detail()->spec().panels.size(), std::size_t(2));
  const auto& matrix = std::get<CellsMark>(detail().marks.front().shape);
  QCOMPARE(matrix.rows, 6);
  QVERIFY(std::abs(matrix.values[4 * 6 + 4] - 0.7) < 1e-6);
  QCOMPARE(detail().marks.front().rowParts.at(4), std::string("q:7"));
  QCOMPARE(detail().y.categories.at(5), std::string("table1"));
  click(view()->detail(), QString::fromStdString(detail().marks.front().selection + "/q:7/k:65"));
  QCOMPARE(current(Dimension::QueryToken), QStringLiteral("7"));
}

// The detail is as high as its tokens need, and can be scrolled; its title is whole.
void AttentionWorkspaceTest::everyTokenHasRoom() {
  QVERIFY(open());
  constexpr int kTokens = 45;
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(2, 2, kTokens));
  choose("attention_maps");
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  click(canvas(), QString::fromStdString(cells[1].selection));
  AnalysisCanvas* detail = view()->detail();
  QCOMPARE(detail->spec().panels.size(), std::size_t(2));
  const std::string base = detail->spec().panels[0].marks.front().selection;
  const auto rowAt = [&](int query) {
    return detail->placeOf(QString::fromStdString(base) + QStringLiteral("/q:%1/k:0").arg(query))->y();
  };
  const double line = QFontMetricsF(view()->font()).height() * 0.8;  // of the small letters of axes
  QVERIFY2((rowAt(kTokens - 1) - rowAt(0)) / (kTokens - 1) >= line,
           qPrintable(QString::number((rowAt(kTokens - 1) - rowAt(0)) / (kTokens - 1))));
  auto* area = qobject_cast<QScrollArea*>(detail->parentWidget()->parentWidget());
  QVERIFY(area != nullptr && area->verticalScrollBar()->maximum() > 0);
  bool said = false;
  for (const QLabel* label : view()->findChildren<QLabel*>())
    said = said || (label->isVisible() && label->wordWrap() &&
                    label->text() == QStringLiteral("layer 1, head 2, analysed"));
  QVERIFY(said);
}

QTEST_MAIN(AttentionWorkspaceTest)
#include "tst_attention_workspace.moc"
