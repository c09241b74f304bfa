// SPDX-License-Identifier: Apache-2.0
// Systems whose predictions are no SQL beside each other, with real keys and clicks: figures, pairs, tables.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QProcess>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/recipes/figure_builder.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/jobs/job_center.h"
#include "tests/gui/support_text_review.h"
#include "views/figures/review_tables.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/figure_list_panel.h"
#include "views/panels/widgets/mark_canvas_view.h"

using namespace fathom;
using test::waitUntil;

class TextComparisonTest : public test::TextReviewTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void figuresHaveChoices();
  void systemsOfTheDiagram();
  void optionsAreOfModels();
  void comparisonLeadsToExamples();
  void peopleCountInPairs();
  void cellsOfTheMatrixSelectExamples();
  void figuresHaveRecipes();
};

// By what examples are grouped and what is averaged is chosen beside the figure, and kept in its recipe.
void TextComparisonTest::figuresHaveChoices() {
  QVERIFY(openSmall("span"));
  QVERIFY(compare());
  ComparisonPanel* comparison = page()->comparison();
  comparison->showFigure(QStringLiteral("facet_scores"));
  QVERIFY(waitUntil([this] { return choice(QStringLiteral("Number")) != nullptr; }));
  QComboBox *facets = choice(QStringLiteral("Facet")), *numbers = choice(QStringLiteral("Number"));
  QVERIFY(facets != nullptr && numbers != nullptr);
  QCOMPARE(facets->currentText(), QStringLiteral("Question word"));
  QCOMPARE(numbers->currentText(), QStringLiteral("right, %"));
  QVERIFY(comparison->recipe().options.empty());
  facets->setCurrentIndex(facets->findText(QStringLiteral("Words of the answer")));
  numbers->setCurrentIndex(numbers->findText(QStringLiteral("F1")));
  QCOMPARE(comparison->recipe().options.dump(), Json({{"facet", "words"}, {"number", "f1"}}).dump());
  QCOMPARE(phraseText(comparison->canvas()->spec().panels[0].x.label), QStringLiteral("Words of the answer"));
  QVERIFY(comparison->canvas()->isVisible());
  // Another figure has its own.
  comparison->showFigure(QStringLiteral("failure_venn"));
  QVERIFY(comparison->recipe().options.empty());
  QVERIFY(choice(QStringLiteral("Facet")) == nullptr);
}

// Of more systems than a diagram of sets can show, those that are ticked.
void TextComparisonTest::systemsOfTheDiagram() {
  ReviewSources sources = classes();
  for (const char* name : {"c", "d", "e"}) {
    sources.predictions.push_back(sources.predictions.back());
    sources.predictions.back().name = name;
  }
  QVERIFY(openKind(sources));
  QVERIFY(compare());
  ComparisonPanel* comparison = page()->comparison();
  comparison->showFigure(QStringLiteral("failure_venn"));
  QMenu* menu = nullptr;
  for (QToolButton* button : comparison->findChildren<QToolButton*>())
    if (button->menu() != nullptr && button->text() == QStringLiteral("Systems")) menu = button->menu();
  QVERIFY(menu != nullptr);
  QCOMPARE(menu->actions().size(), qsizetype{5});
  QVERIFY(menu->actions()[3]->isChecked() && !menu->actions()[4]->isChecked());
  for (const int each : {1, 2, 3, 4}) menu->actions()[each]->trigger();
  QCOMPARE(comparison->recipe().options.dump(), Json({{"systems", {"good", "e"}}}).dump());
  QVERIFY(comparison->canvas()->isVisible());
}

// A table of options says whose choice a column is, not by colour alone.
void TextComparisonTest::optionsAreOfModels() {
  QVERIFY(openSmall("choice"));
  const QString html = page()->example()->html(1);
  const qsizetype options = html.indexOf(QStringLiteral("Options"));
  QVERIFY(options > 0);
  const QString head = html.mid(options, html.indexOf(QStringLiteral("</tr>"), options) - options);
  QVERIFY2(head.contains(QStringLiteral("&nbsp;A</td>")) && head.contains(QStringLiteral("&nbsp;B</td>")),
           qPrintable(head));
}

void TextComparisonTest::comparisonLeadsToExamples() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  QVERIFY((page()->part() == ReviewPage::kCompare));
  QVERIFY(waitUntil([this] { return page()->comparison()->hasPairs(); }));
  QTableView* pairs = page()->comparison()->findChild<QTableView*>("modelPairs");
  QCOMPARE(pairs->model()->index(0, 2).data().toString(), QStringLiteral("3"));
  Q_EMIT pairs->clicked(pairs->model()->index(0, 2));
  QVERIFY(!(page()->part() == ReviewPage::kCompare));
  QCOMPARE(page()->model()->filter().rows(), (std::vector<int>{4, 5, 6}));
  const QString figure = m_folder.filePath(QStringLiteral("m.svg"));
  page()->exportFigure(figure);
  QVERIFY(QFile(figure).size() > 1000);
  const QString table = m_folder.filePath(QStringLiteral("t.csv"));
  page()->exportTable(table);
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("good"));
}

// Of ten examples "good" errs in 7, 8, 9 and "poor" in 4 and 5 and 6 too.
void TextComparisonTest::peopleCountInPairs() {
  QVERIFY(openClasses());
  review()->choose(1, 4, this);
  page()->predictions()->table()->setFocus();
  press(Qt::Key_6);  // right after all; then the next one
  QCOMPARE(review()->category(1, 4), int(*categoryIndex(review()->kind(), "after_all")));
  QCOMPARE(review()->currentExample(), 5);
  press(Qt::Key_5);  // gold is wrong
  QVERIFY(compare());
  QTableView* pairs = page()->comparison()->findChild<QTableView*>("modelPairs");
  const QAbstractItemModel* cells = pairs->model();
  QCOMPARE(cells->rowCount(), 2);
  QCOMPARE(pairs->horizontalHeader()->visualIndex(kPairVerdicts), 2);
  QCOMPARE(cells->index(0, kPairOnlyFirst).data().toString(), QStringLiteral("3"));
  QCOMPARE(cells->index(1, kPairOnlyFirst).data().toString(), QStringLiteral("1"));
  const auto words = page()->comparison()->findChildren<QLabel*>();
  QVERIFY(std::any_of(words.begin(), words.end(), [](const QLabel* label) {
    return label->text().contains(QStringLiteral("judged by people: 2;"));
  }));
  // The shell says the same digits.
  QProcess shell;
  const ReviewSources files = classes();
  shell.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"),
              {"review", "--kind", "class", "--gold", fromUtf8(files.gold), "--predictions",
               fromUtf8("good=" + files.predictions[0].path), fromUtf8("poor=" + files.predictions[1].path),
               "--judgements", m_errors->project()});
  QVERIFY(shell.waitForFinished(60000));
  const QString said = QString::fromUtf8(shell.readAllStandardOutput()).simplified();
  for (const int row : {0, 1}) {
    const auto cell = [&](int column) { return cells->index(row, column).data().toString(); };
    const QString digits = QStringLiteral("good poor %1 %2 %3 %4 %5")
                               .arg(cell(2), cell(3), cell(4), cell(5),
                                    cell(6).replace(QStringLiteral("…"), QStringLiteral("to")));
    QVERIFY2(said.contains(digits), qPrintable(digits + '\n' + said));
  }
  // A key on the number by people shows the example that is behind it, a click that of the metric.
  pairs->setCurrentIndex(cells->index(1, kPairOnlyFirst));
  Q_EMIT pairs->activated(pairs->currentIndex());
  QCOMPARE(page()->model()->filter().rows(), std::vector<int>{6});
  // What is judged now counts when the comparison is looked at again.
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!page()->comparison()->hasPairs());
  QVERIFY(compare());
  QCOMPARE(cells->index(1, kPairOnlyFirst).data().toString(), QStringLiteral("2"));
  // The figure with intervals counts by people's verdicts by a choice beside it.
  page()->comparison()->showFigure(QStringLiteral("facet_scores"));
  QVERIFY(waitUntil([this] { return choice(QStringLiteral("Verdicts")) != nullptr; }));
  QComboBox* verdicts = choice(QStringLiteral("Verdicts"));
  verdicts->setFocus();
  press(Qt::Key_Down);
  QCOMPARE(page()->comparison()->recipe().options["verdicts"], Json("people"));
  QVERIFY(waitUntil([this] {
    const auto& notes = page()->comparison()->canvas()->spec().notes;
    return std::any_of(notes.begin(), notes.end(), [](const Phrase& note) {
      return phraseText(note).contains(QStringLiteral("judged by people: 1;"));
    });
  }));
}

// A click on a cell of the confusion matrix shows the examples that are in it.
void TextComparisonTest::cellsOfTheMatrixSelectExamples() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  ComparisonPanel* comparison = page()->comparison();
  QVERIFY(waitUntil([&] { return comparison->hasPairs() && !comparison->canvas()->spec().panels.empty(); }));
  QCOMPARE(comparison->recipe().figure, std::string("confusion_matrix"));
  // Gold "no" (0, 2, 4, 6, 8), predicted "yes" by "good": number 8.
  std::string cell;
  for (const FigureMark& mark : comparison->canvas()->spec().panels[0].marks)
    if (mark.selection.ends_with("/ex:8")) cell = mark.selection;
  QVERIFY(!cell.empty());
  Q_EMIT comparison->canvas()->clicked(QString::fromStdString(cell));
  QVERIFY(!(page()->part() == ReviewPage::kCompare));
  QCOMPARE(page()->model()->filter().rows(), std::vector<int>{8});
  QCOMPARE(review()->currentExample(), 8);
  // Every figure of the kind can be drawn, the groups of the gold label among them.
  m_errors->window()->action("errors.compare")->trigger();
  QStringList drawn;
  for (int i = 0; i < comparison->figureBox()->count(); ++i) {
    comparison->figureBox()->setCurrentIndex(i);
    if (comparison->canvas()->isVisible()) drawn.append(comparison->figureBox()->itemData(i).toString());
  }
  for (const char* id : {"confusion_matrix", "facet_scores", "failure_venn", "failure_upset"})
    QVERIFY2(drawn.contains(QLatin1String(id)), id);
  QVERIFY(!drawn.contains(QStringLiteral("calibration_curve")));  // no probabilities: the panel says so
}

// A figure of the window is kept in the project: it is made again byte for byte, alone or on a page.
void TextComparisonTest::figuresHaveRecipes() {
  QVERIFY(openClasses());
  m_errors->window()->action("errors.compare")->trigger();
  page()->comparison()->showFigure(QStringLiteral("confusion_matrix"));
  const QString file = m_folder.filePath(QStringLiteral("matrix.svg"));
  page()->exportFigure(file);
  QFile written(file);
  QVERIFY(written.open(QIODevice::ReadOnly));
  const QByteArray bytes = written.readAll();
  const std::string project = m_errors->project().toStdString();
  const auto builder = FigureBuilder::open(project).value();
  const FigureRecipe recipe = figureRecipe(builder->library(), "matrix").value();
  QCOMPARE(recipe.figure, std::string("confusion_matrix"));
  Progress progress;
  const FigureReview* opened = builder->review(recipe, progress, {}).value();
  const QString again = m_folder.filePath(QStringLiteral("again.svg"));
  QVERIFY(exportReviewRecipe(recipe, opened->input(), again.toStdString()).ok());
  QFile second(again);
  QVERIFY(second.open(QIODevice::ReadOnly));
  QCOMPARE(second.readAll(), bytes);
  // On a page: from the list of kinds it takes the predictions that were opened last.
  MainWindow* window = m_errors->window();
  window->action("view.figures")->trigger();
  FiguresWorkspace* figures = window->figures();
  QVERIFY(waitUntil([&] { return figures->settled() && window->jobs()->count() == 0; }));
  figures->editor()->create();
  figures->list()->setCurrent(QStringLiteral("facet_scores"));
  figures->addChosen();
  figures->editor()->add(recipe);
  QVERIFY(waitUntil([&] { return figures->settled() && window->jobs()->count() == 0; }));
  QCOMPARE(figures->composition()->panels.size(), std::size_t{2});
  const QString pageFile = m_folder.filePath(QStringLiteral("page.svg"));
  figures->exportPage(pageFile);
  QVERIFY(waitUntil([&] { return window->jobs()->count() == 0 && QFile::exists(pageFile); }));
  QVERIFY(waitUntil([&] { return QFile::exists(m_folder.filePath(QStringLiteral("page.csv"))); }));
  QFile numbers(m_folder.filePath(QStringLiteral("page.csv")));
  QVERIFY(numbers.open(QIODevice::ReadOnly));
  const QByteArray text = numbers.readAll();
  QVERIFY2(text.contains("good") && text.contains("poor"), text.constData());
}

QTEST_MAIN(TextComparisonTest)
#include "tst_text_review_comparison.moc"
