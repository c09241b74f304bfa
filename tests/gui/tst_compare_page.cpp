// SPDX-License-Identifier: Apache-2.0
// The page that compares runs, by clicks and keys: the same numbers as the shell, another base, seeds
// together, the figure, copies, and a test of predictions that are stored.
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include "app/command.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_config.h"
#include "tests/gui/support_hand.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/train/compare_page.h"
#include "views/panels/train/run_table_panel.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

constexpr int kUpdates = 5;

}  // namespace

class ComparePageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void keyOpensAndEscapeLeaves();
  void oneRunCannotBeCompared();
  void numbersAreTheShells();
  void anotherBase();
  void seedsTogether();
  void figureIsDrawnAndTakenAlong();
  void otherFiguresOfTheRuns();
  void copies();
  void storedPredictionsAreTested();
  void whatCannotBeTestedIsSaid();
  void aTestGoesWithItsBase();
  void columnsOfSeedsHaveNoPredictions();
  void deletedRunsLeave();
  void outOfSightItRests();
  void fiftyRunsAreCompared();
  void chosenWidthsStay();
  void listsAreWords();

 private:
  void addRun(const std::string& name, const char* scheme, int seed, double bleu, const Json& more = {});
  void storePredictions(const std::string& name, bool right) const;
  bool openPage();
  QTableView* runTable() const { return m_window->train()->runs()->table(); }
  ComparePage* page() const { return m_window->findChild<ComparePage*>(); }
  ComparisonModel* model() const { return page()->model(); }
  QPushButton* button(const char* text) const;
  // The first row with this title, or of this option, and its text in a column; empty where there is none.
  int rowOf(const QString& title) const;
  QString cell(const QString& title, int column) const;
  static Json shell(const QString& project, const std::vector<std::string>& runs, bool groups = false,
                    bool test = false);
  QHash<QString, QString> m_paths;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void ComparePageTest::addRun(const std::string& name, const char* scheme, int seed, double bleu,
                             const Json& more) {
  std::string path;
  const auto log = m_fixture->beginRun(name, &path);
  for (int step = 1; step <= kUpdates; ++step)
    log->append("validation", Json{{"step", step},
                                   {"epoch", 1},
                                   {"m", {{"valid.bleu", bleu * step / kUpdates}, {"valid.nll", 30 / bleu}}}})
        .value();
  RunConfig config;
  config.name = name;
  config.options["task"] = "nmt";
  config.options["encoder.residual"] = scheme;
  config.options["seed"] = seed;
  if (more.is_object()) config.options.update(more);
  QFile file(fromUtf8(RunFolder(path).configPath(1)));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray::fromStdString(runConfigToJson(config).dump()));
  file.close();
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  outcome.step = kUpdates;
  outcome.finishedAt = isoTimeNow();
  RunFolder(path).writeOutcome(1, outcome).value();
  m_paths.insert(fromUtf8(name), fromUtf8(path));
}

void ComparePageTest::init() {
  m_paths.clear();
  m_fixture = std::make_unique<test::WindowFixture>();
  addRun("post a", "post_ln", 1, 20);
  addRun("post b", "post_ln", 2, 22.5);
  addRun("admin a", "admin", 1, 27.25);
  addRun("admin b", "admin", 2, 26);
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(waitUntil([this] { return m_window->train()->runModel()->rowCount() == 4; }));
}

void ComparePageTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

// All runs by Ctrl+A in the table, then Ctrl+M.
bool ComparePageTest::openPage() {
  runTable()->setFocus();
  QTest::keyClick(runTable(), Qt::Key_A, Qt::ControlModifier);
  if (!waitUntil([this] { return m_window->action("run.compare")->isEnabled(); })) return false;
  QTest::keyClick(m_window, Qt::Key_M, Qt::ControlModifier);
  return page() != nullptr && waitUntil([this] { return page()->isVisible(); });
}

QPushButton* ComparePageTest::button(const char* text) const {
  for (auto* button : page()->findChildren<QPushButton*>())
    if (withoutMnemonic(button->text()) == QLatin1String(text)) return button;
  return nullptr;
}

int ComparePageTest::rowOf(const QString& title) const {
  for (int row = 0; row < model()->rowCount(); ++row)
    if (model()->index(row, 0).data().toString().trimmed() == title ||
        model()->index(row, 0).data(ComparisonModel::KeyRole) == title)
      return row;
  return -1;
}

QString ComparePageTest::cell(const QString& title, int column) const {
  const int row = rowOf(title);
  return row < 0 ? QString() : model()->index(row, column).data().toString();
}

Json ComparePageTest::shell(const QString& project, const std::vector<std::string>& runs, bool groups,
                            bool test) {
  const Command* command = findCommand("compare");
  CommandContext context;
  context.project = toUtf8(project);
  context.options = OptionValues(OptionSchema(command->fields, {}));
  context.options.set("runs", runs).value();
  context.options.set("group-seeds", groups).value();
  if (test) context.options.set("test", "bootstrap").value();
  context.json = true;
  Progress progress;
  return command->run(context, progress, {}).value().json;
}

void ComparePageTest::keyOpensAndEscapeLeaves() {
  QVERIFY(openPage());
  QCOMPARE(model()->columnCount(), 5);
  QVERIFY(model()->headerData(1, Qt::Horizontal).toString().contains("(base)"));
  QVERIFY(rowOf("BLEU") > 0);
  // What differs stands above, the deciding option first, the seed pale below it.
  const int scheme = rowOf("encoder.residual"), seed = rowOf("seed");
  QVERIFY(scheme > 0 && seed > scheme && rowOf("BLEU") > seed);
  for (int column = 2; column < 5; ++column)
    QCOMPARE(model()->index(scheme, column).data(Qt::FontRole).value<QFont>().bold(),
             model()->index(scheme, column).data() != model()->index(scheme, 1).data());
  QTest::keyClick(page(), Qt::Key_Escape);
  QVERIFY(!page()->isVisible() && m_window->train()->pages()->currentIndex() == 0);
  QCOMPARE(m_window->train()->runs()->selectedRuns().size(), 4);
}

void ComparePageTest::oneRunCannotBeCompared() {
  QTest::mouseClick(runTable()->viewport(), Qt::LeftButton, {},
                    runTable()->visualRect(runTable()->model()->index(0, RunTableModel::Name)).center());
  QVERIFY(waitUntil([this] { return m_window->train()->runs()->selectedRuns().size() == 1; }));
  QVERIFY(!m_window->action("run.compare")->isEnabled());
  QVERIFY(m_window->action("run.compare")->toolTip().contains("Select two or more runs."));
}

// To the last digit: the values behind the cells are those of `fathom compare --json`.
void ComparePageTest::numbersAreTheShells() {
  QVERIFY(openPage());
  std::vector<std::string> uuids;
  for (const QString& uuid : m_window->train()->runs()->selectedRuns()) uuids.push_back(toUtf8(uuid));
  const Json scores = shell(m_fixture->project(), uuids)["scores"];
  const RunComparison& shown = model()->comparison();
  QCOMPARE(shown.scores.size(), scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    QCOMPARE(shown.scores[i].metric.id, scores[i]["metric"].get<std::string>());
    for (std::size_t column = 0; column < 4; ++column) {
      const Json& told = scores[i]["columns"][column];
      QCOMPARE(shown.scores[i].values[column].mean, told["value"].get<double>());
      QCOMPARE(bool(shown.scores[i].best[column]), told["best"].get<bool>());
      if (column > 0) QCOMPARE(shown.scores[i].differences[column], told["difference"].get<double>());
    }
  }
  const int bleu = rowOf("BLEU");
  int best = 0;
  for (int column = 1; column < 5; ++column)
    if (model()->index(bleu, column).data(ComparisonModel::BestRole).toBool()) best = column;
  QVERIFY(best > 0);
  QVERIFY2(cell("BLEU", best).startsWith("27.25"), qPrintable(cell("BLEU", best)));
  QVERIFY(model()->index(bleu, best).data(Qt::AccessibleTextRole).toString().endsWith("best"));
}

void ComparePageTest::anotherBase() {
  QVERIFY(openPage());
  auto* base = page()->findChild<QComboBox*>("compareBase");
  QCOMPARE(base->count(), 4);
  base->setFocus();
  QTest::keyClick(base, Qt::Key_Down);
  QVERIFY(model()->headerData(2, Qt::Horizontal).toString().contains("(base)"));
  const ComparedScore& bleu = model()->comparison().scores.front();
  QVERIFY(std::isnan(bleu.differences[1]));
  QCOMPARE(bleu.differences[0], bleu.values[0].mean - bleu.values[1].mean);
}

void ComparePageTest::seedsTogether() {
  QVERIFY(openPage());
  auto* seeds = page()->findChild<QCheckBox*>();
  QVERIFY(seeds->isVisible());
  seeds->setFocus();
  QTest::keyClick(seeds, Qt::Key_Space);
  QCOMPARE(model()->columnCount(), 3);
  std::vector<std::string> uuids;
  for (const QString& uuid : m_window->train()->runs()->selectedRuns()) uuids.push_back(toUtf8(uuid));
  const Json score = shell(m_fixture->project(), uuids, true)["scores"][0]["columns"][1];
  const ComparedScore& shown = model()->comparison().scores.front();
  QVERIFY(shown.tests[1].has_value());
  QCOMPARE(shown.tests[1]->pValue, score["welch"]["p"].get<double>());
  QCOMPARE(shown.tests[1]->low, score["bootstrap"]["low"].get<double>());
  QVERIFY2(cell("BLEU", 1).contains(QStringLiteral("±")), qPrintable(cell("BLEU", 1)));
  QVERIFY2(cell(QStringLiteral("Δ from the base"), 2).contains(", p "),
           qPrintable(cell(QStringLiteral("Δ from the base"), 2)));
}

void ComparePageTest::figureIsDrawnAndTakenAlong() {
  QVERIFY(openPage());
  auto* canvas = page()->findChild<MarkCanvasView*>();
  QVERIFY(waitUntil([canvas] { return canvas->panelCount() == 1; }));
  const auto lines = [canvas] {
    const auto& marks = canvas->spec().panels.at(0).marks;
    return std::count_if(marks.begin(), marks.end(),
                         [](const FigureMark& mark) { return std::holds_alternative<LineMark>(mark.shape); });
  };
  QCOMPARE(lines(), 3);  // the base has none
  auto* metric = page()->findChild<QComboBox*>("compareMetric");
  metric->setFocus();
  const std::string before = canvas->spec().panels[0].y.label.english();
  QTest::keyClick(metric, Qt::Key_Down);
  QVERIFY(waitUntil([&] { return canvas->spec().panels.at(0).y.label.english() != before; }));
  QTest::mouseClick(page()->findChild<QPushButton*>("compareFigure"), Qt::LeftButton);
  QVERIFY(waitUntil([this] {
    const auto* shown = m_window->figures()->composition();
    return shown != nullptr && shown->panels.size() == 1;
  }));
  const FigureRecipe& recipe = m_window->figures()->composition()->panels[0].recipe;
  QCOMPARE(recipe.figure, std::string("difference_curve"));
  QCOMPARE(recipe.options.value("metric", ""), toUtf8(page()->choice().metric));
  QCOMPARE(recipe.runs.size(), std::size_t{4});
}

// An option against the metric, and all options as parallel axes.
void ComparePageTest::otherFiguresOfTheRuns() {
  QVERIFY(openPage());
  auto* kind = page()->findChild<QComboBox*>("compareFigureKind");
  auto* option = page()->findChild<QComboBox*>("compareOption");
  auto* canvas = page()->findChild<MarkCanvasView*>();
  QVERIFY(!option->isVisible());
  kind->setFocus();
  QTest::keyClick(kind, Qt::Key_Down);
  QCOMPARE(page()->choice().figure, QStringLiteral("option_scatter"));
  QVERIFY(waitUntil([canvas] { return canvas->spec().id == "option_scatter"; }));
  QVERIFY(option->isVisible());
  QCOMPARE(canvas->spec().panels.at(0).marks.at(0).columnParts.size(), std::size_t{4});
  QCOMPARE(canvas->spec().panels.at(0).x.categories, (std::vector<std::string>{"admin", "post_ln"}));
  QTest::keyClick(kind, Qt::Key_Down);
  QVERIFY(waitUntil([canvas] { return canvas->spec().id == "option_parallel"; }));
  QVERIFY(!option->isVisible());
  QTest::mouseClick(page()->findChild<QPushButton*>("compareFigure"), Qt::LeftButton);
  QVERIFY(waitUntil([this] {
    const auto* shown = m_window->figures()->composition();
    return shown != nullptr && shown->panels.size() == 1 &&
           shown->panels[0].recipe.figure == "option_parallel";
  }));
}

void ComparePageTest::copies() {
  QVERIFY(openPage());
  QTest::mouseClick(button("Copy as text"), Qt::LeftButton);
  const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), model()->rowCount() + 1);
  QCOMPARE(lines[0].count('\t'), 4);
  QVERIFY(lines.filter("BLEU").first().contains("27.25"));
  QTest::mouseClick(button("Copy as LaTeX"), Qt::LeftButton);
  const QString latex = QApplication::clipboard()->text();
  QVERIFY2(latex.contains("\\textbf{27.25}") && latex.contains("\\toprule"), qPrintable(latex));
}

void ComparePageTest::storePredictions(const std::string& name, bool right) const {
  const QString folder = m_paths[fromUtf8(name)] + "/predictions";
  QVERIFY(QDir().mkpath(folder));
  QFile file(folder + "/set.jsonl");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"format\":1,\"split\":\"validation\",\"decoding\":{\"predict.beam\":5}}\n");
  for (int i = 0; i < 30; ++i) {
    const QByteArray word = i % 3 == 0 && !right ? "wrong" : "right";
    file.write("{\"example\":" + QByteArray::number(i) + ",\"reference\":\"one two three right " +
               QByteArray::number(i) + "\",\"prediction\":\"one two three " + word + " " +
               QByteArray::number(i) + "\"}\n");
  }
}

void ComparePageTest::storedPredictionsAreTested() {
  for (const char* name : {"post a", "post b", "admin a", "admin b"})
    storePredictions(name, std::string(name).starts_with("admin"));
  QVERIFY(openPage());
  QTest::mouseClick(page()->findChild<QPushButton*>("comparePredictions"), Qt::LeftButton);
  QVERIFY(waitUntil([this] { return rowOf("95 % interval") > 0; }));
  std::vector<std::string> uuids;
  for (const QString& uuid : m_window->train()->runs()->selectedRuns()) uuids.push_back(toUtf8(uuid));
  const Json pairs = shell(m_fixture->project(), uuids, false, true)["test"]["pairs"];
  const QStringList text = model()->asText().split('\n').filter("p, paired bootstrap");
  QCOMPARE(text.size(), 1);
  for (int column = 2; column < 5; ++column)
    QCOMPARE(text[0].section('\t', column, column).toDouble(),
             pairs[std::size_t(column - 2)]["p_value"].get<double>());
  auto* note = page()->findChild<QLabel*>("compareNote");
  QVERIFY2(note->text().contains("predict.beam=5"), qPrintable(note->text()));
  // It was against this base.
  auto* base = page()->findChild<QComboBox*>("compareBase");
  base->setFocus();
  QTest::keyClick(base, Qt::Key_Down);
  QCOMPARE(rowOf("95 % interval"), -1);
  QVERIFY(!note->isVisible());
}

void ComparePageTest::whatCannotBeTestedIsSaid() {
  QVERIFY(openPage());
  QTest::mouseClick(page()->findChild<QPushButton*>("comparePredictions"), Qt::LeftButton);
  auto* note = page()->findChild<QLabel*>("compareNote");
  // The engine of the test makes none, and says so in one way or another.
  QVERIFY(waitUntil([this] { return page()->findChild<QPushButton*>("comparePredictions")->isEnabled(); }));
  QVERIFY(note->isVisible() && !note->text().isEmpty());
  QCOMPARE(rowOf("95 % interval"), -1);
}

// Another base while the predictions are tested: what was asked is not what is shown any more.
void ComparePageTest::aTestGoesWithItsBase() {
  for (const char* name : {"post a", "post b", "admin a", "admin b"}) storePredictions(name, true);
  QVERIFY(openPage());
  auto* testing = page()->findChild<QPushButton*>("comparePredictions");
  auto* base = page()->findChild<QComboBox*>("compareBase");
  base->setFocus();
  QTest::mouseClick(testing, Qt::LeftButton);
  QVERIFY(!testing->isEnabled());
  QTest::keyClick(base, Qt::Key_Down);
  QVERIFY(testing->isEnabled());
  QVERIFY(waitUntil([this] { return m_window->jobs()->count() == 0; }));
  QCOMPARE(rowOf("95 % interval"), -1);
}

void ComparePageTest::columnsOfSeedsHaveNoPredictions() {
  QVERIFY(openPage());
  auto* testing = page()->findChild<QPushButton*>("comparePredictions");
  const QString what = testing->toolTip();
  QVERIFY(testing->isEnabled());
  auto* seeds = page()->findChild<QCheckBox*>();
  seeds->setFocus();
  QTest::keyClick(seeds, Qt::Key_Space);
  QVERIFY(!testing->isEnabled());
  QVERIFY(testing->toolTip().contains("Seeds together"));
  QTest::keyClick(seeds, Qt::Key_Space);
  QVERIFY(testing->isEnabled());
  QCOMPARE(testing->toolTip(), what);
}

void ComparePageTest::deletedRunsLeave() {
  QVERIFY(openPage());
  m_window->service()->trashRuns({m_window->train()->runs()->selectedRuns().first()});
  QVERIFY(waitUntil([this] { return model()->columnCount() == 4; }));
}

// Looked at again it has what changed meanwhile.
void ComparePageTest::outOfSightItRests() {
  QVERIFY(openPage());
  m_window->action("view.figures")->trigger();
  QVERIFY(!page()->isVisible());
  const QSignalSpy tables(model(), &QAbstractItemModel::modelReset);
  m_window->service()->trashRuns({m_window->train()->runs()->selectedRuns().first()});
  QVERIFY(waitUntil([this] { return m_window->train()->runModel()->rowCount() == 3; }));
  QVERIFY(test::staysSo([&] { return tables.isEmpty(); }, 400));
  QCOMPARE(model()->columnCount(), 5);
  m_window->action("view.train")->trigger();
  QVERIFY(openPage());
  QCOMPARE(model()->columnCount(), 4);
}

void ComparePageTest::fiftyRunsAreCompared() {
  for (int i = 0; i < 56; ++i) addRun("more " + std::to_string(i), "rezero", i, 20 + i);
  QVERIFY(waitUntil([this] { return m_window->train()->runModel()->rowCount() == 60; }));
  const auto* left = [&]() -> QLabel* {
    return openPage() ? page()->findChild<QLabel*>("compareLeft") : nullptr;
  }();
  QVERIFY(left != nullptr);
  QCOMPARE(model()->columnCount(), 51);
  QVERIFY(left->isVisible());
  QVERIFY2(left->text().contains("50") && left->text().contains("60"), qPrintable(left->text()));
  QTest::keyClick(page(), Qt::Key_Escape);
  for (int row : {0, 1})
    QTest::mouseClick(runTable()->viewport(), Qt::LeftButton, row == 0 ? Qt::NoModifier : Qt::ControlModifier,
                      runTable()->visualRect(runTable()->model()->index(row, RunTableModel::Name)).center());
  QVERIFY(waitUntil([this] { return m_window->train()->runs()->selectedRuns().size() == 2; }));
  QTest::keyClick(m_window, Qt::Key_M, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return page()->isVisible() && !left->isVisible(); }));
}

// A line between columns is dragged; other values change no columns.
void ComparePageTest::chosenWidthsStay() {
  QVERIFY(openPage());
  auto* table = page()->findChild<QTableView*>("compareTable");
  QHeaderView* head = table->horizontalHeader();
  const int width = head->sectionSize(1), line = head->sectionViewportPosition(2),
            middle = head->height() / 2;
  test::Hand hand(head->viewport());
  hand.press({line, middle});
  hand.moveTo(head->viewport(), {line + 60, middle});
  hand.letGo();
  QCOMPARE(head->sectionSize(1), width + 60);
  QComboBox* values = nullptr;
  for (auto* each : page()->findChildren<QComboBox*>())
    if (each->findText("best value") >= 0) values = each;
  QVERIFY(values != nullptr);
  const QSignalSpy tables(model(), &QAbstractItemModel::modelReset);
  values->setFocus();
  QTest::keyClick(values, Qt::Key_Down);
  QCOMPARE(tables.size(), 1);
  QCOMPARE(head->sectionSize(1), width + 60);
}

void ComparePageTest::listsAreWords() {
  addRun("list a", "admin", 5, 21, Json{{"words", {"cut", "mixed"}}});
  addRun("list b", "admin", 5, 21, Json{{"words", Json::array()}});
  QVERIFY(waitUntil([this] { return m_window->train()->runModel()->rowCount() == 6; }));
  QVERIFY(openPage());
  QStringList shown;
  for (int column = 1; column < model()->columnCount(); ++column) shown.append(cell("words", column));
  QVERIFY2(shown.contains("cut, mixed"), qPrintable(shown.join('|')));
  QVERIFY2(!shown.join(QString()).contains('['), qPrintable(shown.join('|')));
}

QTEST_MAIN(ComparePageTest)
#include "tst_compare_page.moc"
