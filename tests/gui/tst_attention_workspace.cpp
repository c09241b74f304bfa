// SPDX-License-Identifier: Apache-2.0
#include <QFileInfo>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <filesystem>

#include "app/recipes/library_source.h"
#include "app/requests/analysis_job.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/analysis/analysis_entry.h"
#include "core/base/numbers/series_look.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_attention_window.h"
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
class AttentionWorkspaceTest : public QObject, private test::AttentionWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
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
};

void AttentionWorkspaceTest::isMadeWhenItIsFirstShown() {
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([this] { return m_window->service()->isReady(); }));
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
  QVERIFY(waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }));
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
  QVERIFY(waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }));
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
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  // The first one makes room for its details.
  click(canvas(), QString::fromStdString(cells[2].selection));
  QVERIFY(waitUntil([this] { return view()->detail()->isVisible(); }) && settled(m_window));
  int drawn = 0;
  connect(canvas(), &QCustomPlot::afterReplot, this, [&drawn] { ++drawn; });
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
  QTest::mouseClick(bar->findChild<QToolButton*>("play"), Qt::LeftButton);
  QVERIFY(bar->playing());
  QVERIFY(waitUntil([&] { return bar->step() == 5; }));
  QVERIFY(waitUntil([&] { return bar->step() == 10; }));  // leaves out what is not computed
  QTest::mouseClick(bar->findChild<QToolButton*>("play"), Qt::LeftButton);
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
  const auto counted = storedRequests(m_fixture->project().toStdString(), row, "attention_entropy").value();
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
  QCOMPARE(storedRequests(m_fixture->project().toStdString(), row, "beta_dependency")->size(),
           std::size_t(2));
}

QTEST_MAIN(AttentionWorkspaceTest)
#include "tst_attention_workspace.moc"
