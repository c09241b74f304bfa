// SPDX-License-Identifier: Apache-2.0
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTest>
#include <filesystem>

#include "app/pictures/made_long_run.h"
#include "app/recipes/library_source.h"
#include "app/window/attention/attention_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_logit.h"
#include "core/library/figures/figure_recipe.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_attention_window.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/theme.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"
#include "views/panels/attention/checkpoint_bar.h"
#include "views/panels/attention/figure_choices.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

// What the Attention workspace shows of heads, examples and tables, what it exports and what it says when
// something is missing or damaged.
class AttentionPagesTest : public QObject, private test::AttentionWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
  void scaleStaysOverCheckpoints();
  void logitsHaveOneScaleAtBothEnds();
  void onlyPartsThatAreThereAreOffered();
  void gridsOfferTheMetricsOfTheirRuns();
  void damagedResultsAreSaid();
  void failureIsSaid();
  void statesOverTrainingAreComputed();
  void tableShowsTheNumbers();
  void exportKeepsTheRecipe();
  void optionsAndPlaceAreRemembered();
  void headsOpenAsMatrixAndLines();
  void longExamplesAreMatrices();
  void schemasAreCutToWhatIsLinked();
  void everyTokenHasRoom();
  void streamsAreFollowed();
};

// An animation can only be read with one scale for all checkpoints.
void AttentionPagesTest::scaleStaysOverCheckpoints() {
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

// Logits lie below 0, too, and their rules (10, 50) far from most of them: neither end of the scale moves
// with the checkpoint, and a head alone fills its panel.
void AttentionPagesTest::logitsHaveOneScaleAtBothEnds() {
  QVERIFY(open());
  const auto made = [](double smallest, double largest) {
    std::vector<std::vector<ValueHistogram>> heads(1, std::vector<ValueHistogram>(2, logitHistogram()));
    for (ValueHistogram& head : heads[0])
      for (int i = 0; i <= 20; ++i) head.add(smallest + (largest - smallest) * i / 20);
    AttentionDistributions stored{"attention_logit", "logit", 1, 21, {}};
    stored.attentions.push_back(distributionOf("encoder", "self_attention", 0, heads));
    return distributionsToJson(stored);
  };
  test::storeResult(m_analysed, "attention_logit", "0001-00000005", made(-3, 2));
  test::storeResult(m_analysed, "attention_logit", "0001-00000010", made(-1, 4));
  choose("attention_logit");
  const auto grid = [this] { return std::get<GridMark>(spec().panels.front().marks.front().shape); };
  for (const int place : {2, 1}) {
    side()->checkpoints()->slider()->setValue(place);
    QVERIFY(settle());
    QCOMPARE(grid().minimum, -3.0);
    QCOMPARE(grid().maximum, 4.0);
  }
  auto* scale = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("scale")));
  scale->setCurrentIndex(scale->findData(QStringLiteral("shown")));
  QVERIFY(settle());
  QCOMPARE(grid().maximum, 2.0);
  side()->checkpoints()->slider()->setValue(2);
  QVERIFY(settle());
  QCOMPARE(grid().minimum, -1.0);
  click(canvas(), QString::fromStdString(grid().cells.front().selection));
  QVERIFY(waitUntil([this] { return view()->detail()->isVisible(); }));
  const FigureAxis& axis = view()->detail()->spec().panels[0].y;
  QCOMPARE(axis.minimum.value(), -1.05);
  QCOMPARE(axis.maximum.value(), 4.2);
}

void AttentionPagesTest::onlyPartsThatAreThereAreOffered() {
  QVERIFY(open());
  test::storeResult(m_analysed, "attention_maps", "0001-00000010", test::madeMaps(2, 3, 5));
  choose("attention_maps");
  auto* part = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("part")));
  QVERIFY(part->findData(QStringLiteral("probabilities")) >= 0);
  QCOMPARE(part->findData(QStringLiteral("relation")), -1);
  QCOMPARE(part->findData(QStringLiteral("residual")), -1);
  QVERIFY(!view()->choices()->control(QStringLiteral("tokens"))->isVisible());  // all are of one sort
}

void AttentionPagesTest::gridsOfferTheMetricsOfTheirRuns() {
  QVERIFY(open());
  tick(QStringLiteral("plain"), true);
  choose("stability_grid");
  auto* metric = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("metric")));
  QVERIFY(metric->isVisible());
  QCOMPARE(metric->currentData().toString(), QStringLiteral("valid.bleu"));
  QVERIFY(metric->findData(QStringLiteral("valid.nll")) >= 0);
}

// A result that was cut off: the file is named, and what to do; nothing is drawn.
void AttentionPagesTest::damagedResultsAreSaid() {
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

void AttentionPagesTest::failureIsSaid() {
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

// A figure over training offers to compute the states that it needs, where the run has kept any.
void AttentionPagesTest::statesOverTrainingAreComputed() {
  QVERIFY(open());
  choose("over_training");
  QVERIFY(shows(AnalysisView::kFigure));  // of the entropies
  auto* analysis = qobject_cast<QComboBox*>(view()->choices()->control(QStringLiteral("analysis")));
  QVERIFY(analysis != nullptr);
  const auto follow = [&](const char* id) {
    analysis->setCurrentIndex(analysis->findData(QString::fromLatin1(id)));
    return settle() && analysis->currentIndex() >= 0;
  };
  QVERIFY(follow("beta_dependency"));
  QVERIFY(shows(AnalysisView::kMessage));
  QVERIFY2(view()->message()->text().contains(QStringLiteral("--checkpoint all")),
           qPrintable(view()->message()->text()));
  QVERIFY(view()->message()->findChildren<QPushButton*>().isEmpty());
  QVERIFY(!m_window->action("attention.compute_all")->isEnabled());
  for (const int step : {20, 30}) test::keepCheckpoint(m_analysed, step);
  QVERIFY(follow("attention_entropy") && follow("beta_dependency"));
  QVERIFY2(!view()->message()->text().contains(QStringLiteral("fathom")),
           qPrintable(view()->message()->text()));
  QPushButton* compute = view()->message()->findChild<QPushButton*>();
  QVERIFY(compute != nullptr && compute->isEnabled());
  QTest::mouseClick(compute, Qt::LeftButton);
  QVERIFY(shows(AnalysisView::kProgress));
  QVERIFY(waitUntil([this] { return idle() && shows(AnalysisView::kFigure); }));
  const LineMark& line = std::get<LineMark>(spec().panels.front().marks.front().shape);
  QCOMPARE(line.x, (std::vector<double>{0, 20, 30}));
  QVERIFY(!m_window->action("attention.compute_all")->isEnabled());
}

void AttentionPagesTest::tableShowsTheNumbers() {
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

void AttentionPagesTest::exportKeepsTheRecipe() {
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

void AttentionPagesTest::optionsAndPlaceAreRemembered() {
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

void AttentionPagesTest::headsOpenAsMatrixAndLines() {
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

void AttentionPagesTest::longExamplesAreMatrices() {
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
void AttentionPagesTest::schemasAreCutToWhatIsLinked() {
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
void AttentionPagesTest::everyTokenHasRoom() {
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

// Two streams: a head opens as its band and its global keys; a number, or a click on a row, leaves the tokens
// of a paragraph or of a sentence.
void AttentionPagesTest::streamsAreFollowed() {
  makeLongRun(m_fixture->project().toStdString()).value();
  QVERIFY(open());
  choose("attention_maps");
  tick(QStringLiteral("HotpotQA, two streams"), true);
  tick(QStringLiteral("analysed"), false);
  QVERIFY(shows(AnalysisView::kFigure));
  const auto rows = [](const AnalysisCanvas* on, std::size_t panel) {
    return std::get<CellsMark>(on->spec().panels.at(panel).marks.front().shape).rows;
  };
  const auto& cells = std::get<GridMark>(spec().panels[0].marks.front().shape).cells;
  QCOMPARE(cells.size(), std::size_t(4 * 4));
  click(canvas(), QString::fromStdString(cells[1].selection));
  AnalysisCanvas* detail = view()->detail();
  QCOMPARE(detail->spec().panels.size(), std::size_t(2));
  const int tokens = rows(detail, 0);
  QVERIFY(tokens > 100 && rows(detail, 1) == tokens);
  QCOMPARE(std::get<CellsMark>(detail->spec().panels[0].marks.front().shape).columns, 2 * 8 + 1);

  // "ann", title and two sentences of 3 and 5 words: the tenth global token, behind nine of the question.
  auto* follow = qobject_cast<QSpinBox*>(view()->choices()->control(QStringLiteral("follow")));
  QVERIFY(follow != nullptr && follow->isVisible());
  follow->setValue(10);
  QVERIFY(settle());
  click(canvas(),
        QString::fromStdString(std::get<GridMark>(spec().panels[0].marks.front().shape).cells[1].selection));
  QCOMPARE(rows(view()->detail(), 0), 1 + 3 + 5);
  const std::string base = view()->detail()->spec().panels[0].marks.front().selection;
  click(view()->detail(), QString::fromStdString(base) + QStringLiteral("/q:%1").arg(9 + 1 + 3 + 2));
  QCOMPARE(rows(view()->detail(), 0), 5);  // "ann lives in arden ."
  QCOMPARE(view()->detail()->spec().panels[0].y.categories.at(3), std::string("arden"));
}

QTEST_MAIN(AttentionPagesTest)
#include "tst_attention_pages.moc"
