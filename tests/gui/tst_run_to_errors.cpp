// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QWindow>

#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/run_config.h"
#include "core/spider/data/made_spider.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/hypothesis_panel.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/sql_editor.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// From a Text-to-SQL run in Train to its errors, as a person goes: two clicks, then the hypotheses of its
// search. The run is fabricated on the made data.
class RunToErrorsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void twoClicksFromTheRun();
  void hypothesesOfTheSearch();
  void anotherHypothesisStandsBesideGold();
  void judgementsAreOfTheStoredPrediction();
  void columnsAreInView();
  void actionsSayTheirProbabilities();
  void keysReachTheHypotheses();
  void bothLooks();
  void setWithoutHypothesesSaysSo();

 private:
  static constexpr int kBare = 2;  // the example without details
  void addRun();
  HypothesisPanel* panel() const { return m_window->errors()->sqlPage()->hypotheses(); }
  ReviewedPredictions* review() const { return m_window->errors()->sqlPage()->review(); }
  int rows() const { return panel()->model()->rowCount(); }
  void chooseExample(int example) { review()->choose(0, example, nullptr); }
  // An example whose prediction is not gold.
  int wrongExample() const;
  void openTab();
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  MadeSpider m_sample = makeSpiderData();
};

namespace {

Json actionJson(const char* action, const char* kind, double logP) {
  return {{"action", action}, {"kind", kind}, {"log_probability", logP}};
}

Json hypothesisJson(const std::string& sql, double score, bool finished) {
  return {{"sql", sql},
          {"score", score},
          {"finished", finished},
          {"actions",
           {actionJson("SingleQuery", "rule", -0.01), actionJson("Query", "rule", -0.02),
            actionJson("SelectCol", "rule", -1.4), actionJson("name", "column", -0.6),
            actionJson("Reduce", "rule", -0.003)}}};
}

}  // namespace

// The prediction, gold behind it where it is another query, and one that did not end.
void RunToErrorsTest::addRun() {
  const std::string data = m_fixture->project().toStdString() + "/spider";
  QVERIFY(writeMadeSpider(m_sample, data).ok());
  const std::string path = m_fixture->addRun("parser");
  RunConfig config;
  config.name = "parser";
  config.options = {{"task", "text_to_sql"},
                    {"data.validation", data + "/dev.json"},
                    {"spider.tables", data + "/tables.json"},
                    {"spider.databases", data + "/database"}};
  (void)RunFolder(path).beginAttempt(runConfigToJson(config)).value();
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  RunFolder(path).writeOutcome(2, outcome).value();
  PredictionSet set;
  set.task = "text_to_sql";
  set.checkpoint = "0001-00000020";
  set.split = "validation";
  auto writer = PredictionSetWriter::create(path, set).value();
  for (int i = 0; i < int(m_sample.examples.size()); ++i) {
    const MadeSpiderExample& example = m_sample.examples[std::size_t(i)];
    Json hypotheses = Json::array({hypothesisJson(example.hasty, -1.2, true)});
    if (example.hastyKind != "Correct") hypotheses.push_back(hypothesisJson(example.gold, -2.25, true));
    hypotheses.push_back(hypothesisJson("", -3, false));
    Json line = {{"example", i},
                 {"question", example.question},
                 {"sql", example.gold},
                 {"database", example.dbId},
                 {"prediction", example.hasty},
                 {"score", -1.2}};
    if (i != kBare)
      line["details"] = {
          {"database", example.dbId}, {"tokens", Json::array()}, {"hypotheses", std::move(hypotheses)}};
    writer.add(line).value();
  }
  writer.finish().value();
}

void RunToErrorsTest::initTestCase() {
  qputenv("FATHOM_SQLRUN", FATHOM_BIN_DIR "/fathom-sqlrun");
  m_fixture = std::make_unique<test::WindowFixture>();
  addRun();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  m_window->resize(1440, 900);
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }));
}

void RunToErrorsTest::cleanupTestCase() {
  m_host.reset();
  m_fixture.reset();
}

int RunToErrorsTest::wrongExample() const {
  for (int i = 0; i < review()->examples(); ++i)
    if (i != kBare && review()->isWrong(0, i)) return i;
  return -1;
}

void RunToErrorsTest::openTab() {
  QTabWidget* tabs = m_window->errors()->sqlPage()->example()->tabs();
  const int tab = tabs->indexOf(panel());
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tab).center());
  QCOMPARE(tabs->currentWidget(), static_cast<QWidget*>(panel()));
}

// The first: right on the run. The second: on the line of the menu.
void RunToErrorsTest::twoClicksFromTheRun() {
  QTableView* table = m_window->train()->runs()->table();
  QVERIFY(waitUntil([&] { return table->model()->rowCount() == 1; }));
  QVERIFY(test::settled(m_window));
  bool chosen = false;
  QTimer::singleShot(0, m_window, [&] {
    QVERIFY(waitUntil([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; }));
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QAction* action = m_window->action("run.predictions");
    chosen = menu->actions().contains(action) && action->isEnabled();
    if (chosen)
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    else
      menu->close();
  });
  const QPoint at = table->visualRect(table->model()->index(0, RunTableModel::Name)).center();
  QTest::mouseClick(m_window->windowHandle(), Qt::RightButton, {}, table->viewport()->mapTo(m_window, at));
  QVERIFY(waitUntil([&] { return chosen; }));
  QVERIFY(waitUntil([&] { return !review()->empty(); }));
  QVERIFY(m_window->action("view.errors")->isChecked());
  QCOMPARE(m_window->errors()->page(), ErrorsWorkspace::kReview);
  QCOMPARE(review()->models(), 1);
  QCOMPARE(review()->modelName(0), QStringLiteral("parser · 0001-00000020"));
  QCOMPARE(review()->examples(), int(m_sample.examples.size()));
  for (int i = 0; i < review()->examples(); ++i)
    QCOMPARE(!review()->isRight(0, i), m_sample.examples[std::size_t(i)].hastyKind != "Correct");
  // The databases are known: both queries run.
  ResultsPanel* results = m_window->errors()->sqlPage()->results();
  QVERIFY(waitUntil([&] {
    return results->findChild<QLabel*>("resultsVerdict")->text().startsWith(QLatin1String("The results"));
  }));
  QVERIFY(results->findChild<QTableView*>("goldResult")->model()->rowCount() > 0);
}

void RunToErrorsTest::hypothesesOfTheSearch() {
  const int example = wrongExample();
  QVERIFY(example >= 0);
  chooseExample(example);
  openTab();
  QVERIFY(waitUntil([&] { return rows() == 3; }));
  const auto& shown = panel()->model()->hypotheses();
  QVERIFY(shown[0].taken && !shown[0].goldEqual);
  QVERIFY(!shown[1].taken && shown[1].goldEqual);
  QVERIFY(!shown[2].taken && !shown[2].goldEqual && !shown[2].hypothesis.finished);
  const auto cell = [&](int row, int column) {
    return panel()->model()->index(row, column).data().toString();
  };
  QCOMPARE(cell(0, HypothesisTableModel::Marks), QStringLiteral("taken"));
  QCOMPARE(cell(1, HypothesisTableModel::Marks), QStringLiteral("= gold"));
  QCOMPARE(cell(1, HypothesisTableModel::Score), QStringLiteral("-2.250"));
  QCOMPARE(cell(2, HypothesisTableModel::Marks), QStringLiteral("unfinished"));
  QVERIFY(panel()->hypotheses()->isVisible());
  QCOMPARE(panel()->hypotheses()->currentIndex().row(), 0);
}

void RunToErrorsTest::anotherHypothesisStandsBesideGold() {
  const int example = wrongExample();
  ExamplePanel* shown = m_window->errors()->sqlPage()->example();
  const QString prediction = shown->predictedSql();
  QTableView* table = panel()->hypotheses();
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(shown->predictedSql(), fromUtf8(m_sample.examples[std::size_t(example)].gold));
  QVERIFY(shown->judged().match.match.exact);
  bool told = false;
  for (const QLabel* label : shown->findChildren<QLabel*>())
    told = told || (label->isVisible() && label->text().contains(QLatin1String("Hypothesis 2, exact match")));
  QVERIFY(told);
  // Its result is gold's.
  QVERIFY(waitUntil([&] {
    return m_window->errors()->sqlPage()->results()->findChild<QLabel*>("resultsVerdict")->text() ==
           QLatin1String("The results are the same.");
  }));
  // Nothing of it is kept: the prediction comes back, and the review still counts it wrong.
  QTest::keyClick(table, Qt::Key_Up);
  QCOMPARE(shown->predictedSql(), prediction);
  QVERIFY(!shown->judged().match.match.exact);
  QVERIFY(review()->isWrong(0, example) && !review()->isHuman(0, example));
  // Another example shows its own prediction.
  QTest::keyClick(table, Qt::Key_Down);
  const int other = example == 0 ? 1 : 0;
  chooseExample(other);
  QCOMPARE(shown->predictedSql(), review()->predicted(0, other));
  chooseExample(example);
  QVERIFY(waitUntil([&] { return rows() == 3; }));
}

// The key of a category first brings the stored prediction back, and says so; only then it judges.
void RunToErrorsTest::judgementsAreOfTheStoredPrediction() {
  const int example = wrongExample();
  ExamplePanel* shown = m_window->errors()->sqlPage()->example();
  QTableView* table = panel()->hypotheses();
  QAction* column = m_window->action("errors.category2");
  m_window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Down);
  QVERIFY(!shown->showsStored());
  QTest::keyClick(table, Qt::Key_2);
  QCOMPARE(review()->currentExample(), example);
  QVERIFY(!review()->isHuman(0, example));
  QCOMPARE(shown->predictedSql(), review()->predicted(0, example));
  QCOMPARE(table->currentIndex().row(), 0);
  QVERIFY(!column->isChecked());
  QVERIFY2(m_window->messages()->currentText().contains(QStringLiteral("stored prediction")),
           qPrintable(m_window->messages()->currentText()));
  // Clicks as well.
  QTest::keyClick(table, Qt::Key_Down);
  auto* button = shown->findChild<QToolButton*>(QStringLiteral("errors.category2"));
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(shown->showsStored() && !review()->isHuman(0, example) && !button->isChecked());
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(review()->isHuman(0, example));
  QCOMPARE(ErrorCategory(review()->category(0, example)), ErrorCategory::Column);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(review()->currentExample(), example);
  QVERIFY(!review()->isHuman(0, example));
  QVERIFY(waitUntil([&] { return rows() == 3; }));
}

// No column of the two tables lies outside, and no head is cut.
void RunToErrorsTest::columnsAreInView() {
  const QSize before = m_window->size();
  m_window->resize(1600, 1000);
  QVERIFY(test::settled(m_window));
  for (QTableView* table : {panel()->hypotheses(), panel()->actions()}) {
    const QHeaderView* header = table->horizontalHeader();
    QVERIFY2(header->length() <= table->viewport()->width(), qPrintable(table->accessibleName()));
    for (int section = 0; section < header->count(); ++section)
      QVERIFY(header->sectionSize(section) >= header->sectionSizeHint(section));
  }
  m_window->resize(before);
}

void RunToErrorsTest::actionsSayTheirProbabilities() {
  const QAbstractItemModel* model = panel()->actions()->model();
  QCOMPARE(model->rowCount(), 5);
  const QModelIndex low = model->index(2, ActionTableModel::Probability);
  QCOMPARE(model->index(2, ActionTableModel::Action).data().toString(), QStringLiteral("SelectCol"));
  QCOMPARE(low.data().toString(), QStringLiteral("0.25"));
  QVERIFY(low.data(ActionTableModel::LowRole).toBool());
  QVERIFY(low.data(Qt::FontRole).value<QFont>().bold());
  QCOMPARE(low.data(Qt::AccessibleTextRole).toString(), QStringLiteral("0.25, low"));
  QVERIFY(!model->index(0, ActionTableModel::Probability).data(ActionTableModel::LowRole).toBool());
  QCOMPARE(model->index(3, ActionTableModel::Kind).data().toString(), QStringLiteral("column"));
}

void RunToErrorsTest::keysReachTheHypotheses() {
  QSet<QWidget*> reached;
  m_window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  m_window->errors()->sqlPage()->predictions()->table()->setFocus();
  for (int i = 0; i < 80; ++i) {
    reached.insert(QApplication::focusWidget());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  QVERIFY(reached.contains(panel()->hypotheses()));
  QVERIFY(reached.contains(panel()->actions()));
}

// The bar of a low probability has the look's own colour.
void RunToErrorsTest::bothLooks() {
  const QModelIndex low = panel()->actions()->model()->index(2, ActionTableModel::Probability);
  panel()->actions()->scrollTo(low);
  panel()->hypotheses()->setFocus();
  for (const auto& [look, theme] :
       {std::pair{"theme.dark", &Theme::darkTheme()}, {"theme.light", &Theme::light()}}) {
    m_window->action(look)->trigger();
    QVERIFY(test::settled(m_window));
    const QImage picture = panel()->actions()->viewport()->grab().toImage();
    const QRect cell = panel()->actions()->visualRect(low);
    bool found = false;
    for (int x = cell.left(); x < cell.right(); ++x)
      found = found || picture.pixelColor(x, cell.center().y() + 1).rgb() == theme->diverged.rgb();
    QVERIFY(found);
  }
}

void RunToErrorsTest::setWithoutHypothesesSaysSo() {
  chooseExample(kBare);
  const auto* empty = panel()->findChild<EmptyState*>();
  QVERIFY(waitUntil(
      [&] { return !empty->isHidden() && empty->text().contains(QLatin1String("holds no hypotheses")); }));
  QCOMPARE(rows(), 0);
  QVERIFY(!panel()->hypotheses()->isVisible());
}

QTEST_MAIN(RunToErrorsTest)
#include "tst_run_to_errors.moc"
