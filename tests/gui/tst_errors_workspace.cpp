// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>
#include <QWindow>
#include <algorithm>
#include <fstream>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/sql_review_page.h"
#include "core/spider/data/made_spider.h"
#include "tests/gui/support_errors_window.h"
#include "views/figures/review_tables.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/reason_list.h"
#include "views/panels/errors/results_panel.h"
#include "views/panels/errors/sql_editor.h"
#include "views/tables/prediction_table_model.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;
using test::waitUntil;

// The Errors workspace in the whole window, with real keys and clicks, on the sample.
class ErrorsWorkspaceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void workspaceIsMadeWhenItIsFirstShown();
  void openingFromTrainBringsErrorsIntoView();
  void emptyStateOffersTheSample();
  void reviewOfTwentyWithKeysSurvivesARestart();
  void undoAndRedoWithKeys();
  void undoLeavesOneRowHighlighted();
  void categoriesAreWhole();
  void keysTypedIntoTheFilterStayThere();
  void keysOfAnOpenMenuAreTheMenus();
  void filterAndFacets();
  void editedTextIsJudgedAndKept();
  void resultsAreComparedSideBySide();
  void resultsWithoutDatabaseSayWhy();
  void comparisonLeadsToExamples();
  void tableAndFigureAreExported();
  void wrongFilesAreExplained();
  void csvOffersItsColumns();
  void tabReachesThePanels();

 private:
  MainWindow* open() { return m_errors->open(); }
  bool loadSample() { return m_errors->loadSample(); }
  MainWindow* window() const { return m_errors->window(); }
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  ReviewedPredictions* review() const { return m_errors->review(); }
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    test::ErrorsWindow::press(key, modifiers);
  }
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void ErrorsWorkspaceTest::workspaceIsMadeWhenItIsFirstShown() {
  QVERIFY(m_errors->openWindow() != nullptr);
  QVERIFY(window()->findChild<ErrorsWorkspace*>() == nullptr);
  // Its actions stand in the menus all the same, those that need a review disabled.
  QVERIFY(window()->action("errors.open")->isEnabled());
  QVERIFY(!window()->action("errors.next")->isEnabled());
  window()->action("view.errors")->trigger();
  QVERIFY(window()->findChild<ErrorsWorkspace*>() != nullptr);
  QVERIFY(errors()->widget()->isVisible());
}

void ErrorsWorkspaceTest::openingFromTrainBringsErrorsIntoView() {
  QVERIFY(m_errors->openWindow() != nullptr);
  QVERIFY(window()->action("view.train")->isChecked());
  window()->action("errors.open")->trigger();
  QVERIFY(errors()->openPage()->isVisible());
  QVERIFY(window()->action("view.errors")->isChecked());
  window()->action("view.train")->trigger();
  QVERIFY(!errors()->widget()->isVisible());
  window()->action("errors.open")->trigger();
  QVERIFY(errors()->openPage()->isVisible());
}

void ErrorsWorkspaceTest::emptyStateOffersTheSample() {
  QVERIFY(open() != nullptr);
  QCOMPARE(errors()->page(), ErrorsWorkspace::kEmpty);
  QPushButton* sample = nullptr;
  for (QPushButton* button : errors()->pages()->currentWidget()->findChildren<QPushButton*>())
    if (button->isVisible() && button->text().contains(QStringLiteral("sample"))) sample = button;
  QVERIFY(sample != nullptr);
  QTest::mouseClick(sample, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return !review()->empty(); }));
  QCOMPARE(errors()->page(), ErrorsWorkspace::kReview);
  QCOMPARE(review()->models(), 2);
  QVERIFY(review()->progress(0).wrong > 0);
}

// Twenty wrong predictions by keys alone, with undo and redo on the way and a restart after twelve.
void ErrorsWorkspaceTest::reviewOfTwentyWithKeysSurvivesARestart() {
  QVERIFY(loadSample());
  const int hasty = 1, all = 20, beforeRestart = 12;
  QCOMPARE(review()->modelName(hasty), QStringLiteral("hasty"));
  QVERIFY(review()->progress(hasty).wrong > all);
  review()->choose(hasty, 0, nullptr);
  press(Qt::Key_P);
  if (!review()->isWrong(hasty, review()->currentExample())) press(Qt::Key_N);
  const Qt::Key keys[] = {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4};
  QVector<QPair<int, ErrorCategory>> given;
  const auto judge = [&](int upTo) {
    while (given.size() < upTo) {
      const int example = review()->currentExample(), which = int(given.size()) % 4;
      QVERIFY(review()->isWrong(hasty, example));
      press(keys[which]);
      given.append({example, kReviewCategories[std::size_t(which)]});
      QCOMPARE(ErrorCategory(review()->category(hasty, example)), given.last().second);
      QVERIFY(review()->currentExample() != example);  // it goes on
    }
  };
  const auto check = [&] {
    QCOMPARE(review()->progress(hasty).reviewed, int(given.size()));
    for (const auto& [example, category] : given) {
      QCOMPARE(ErrorCategory(review()->category(hasty, example)), category);
      QVERIFY(review()->isHuman(hasty, example));
    }
    const QString said = QStringLiteral("%1 of %2 reviewed").arg(given.size());
    QCOMPARE(errors()->sqlPage()->predictions()->progressText(), said.arg(review()->progress(hasty).wrong));
  };
  judge(beforeRestart);
  for (int i = 0; i < 3; ++i) press(Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(review()->progress(hasty).reviewed, beforeRestart - 3);
  for (int i = 0; i < 3; ++i)
    QTest::keySequence(QApplication::focusWidget(), QKeySequence(QKeySequence::Redo));
  check();
  // The session comes back into Errors, and the predictions with it.
  QVERIFY(m_errors->restart());
  check();
  errors()->sqlPage()->predictions()->table()->setFocus();
  review()->choose(hasty, given.last().first, nullptr);
  press(Qt::Key_N);
  judge(all);
  check();
}

void ErrorsWorkspaceTest::undoAndRedoWithKeys() {
  QVERIFY(loadSample());
  press(Qt::Key_N);
  const int model = review()->currentModel(), first = review()->currentExample();
  QVERIFY(review()->isWrong(model, first));
  const ErrorCategory program = ErrorCategory(review()->category(model, first));
  press(Qt::Key_3);
  const int second = review()->currentExample();
  press(Qt::Key_4);
  QCOMPARE(review()->progress(model).reviewed, 2);
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!review()->isHuman(model, second));
  QCOMPARE(review()->currentExample(), second);  // one sees what was undone
  press(Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(!review()->isHuman(model, first));
  QCOMPARE(ErrorCategory(review()->category(model, first)), program);
  QTest::keySequence(QApplication::focusWidget(), QKeySequence(QKeySequence::Redo));
  QCOMPARE(ErrorCategory(review()->category(model, first)), ErrorCategory::Sketch);
  press(Qt::Key_0);
  QVERIFY(!review()->isHuman(model, first));
  QCOMPARE(review()->progress(model).reviewed, 0);
}

// Ctrl is held down while the table follows what was undone.
void ErrorsWorkspaceTest::undoLeavesOneRowHighlighted() {
  QVERIFY(loadSample());
  press(Qt::Key_N);
  press(Qt::Key_3);
  press(Qt::Key_4);
  const int after = review()->currentExample();
  QTest::keyClick(window()->windowHandle(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(review()->currentExample() != after);
  const auto* table = errors()->sqlPage()->predictions()->findChild<QTableView*>();
  QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
  QCOMPARE(table->selectionModel()->selectedRows().first().row(), table->currentIndex().row());
}

void ErrorsWorkspaceTest::categoriesAreWhole() {
  QVERIFY(loadSample());
  const auto* table = errors()->sqlPage()->predictions()->findChild<QTableView*>();
  const auto titleOf = [table](int column) {
    return table->model()->headerData(column, Qt::Horizontal).toString();
  };
  int column = 0;
  while (column < table->model()->columnCount() && titleOf(column) != QStringLiteral("Category")) ++column;
  QVERIFY(column < table->model()->columnCount());
  const int square = 24;  // with what is beside it
  QVERIFY(table->columnWidth(column) >=
          square + table->fontMetrics().horizontalAdvance(QStringLiteral("False negative")));
}

void ErrorsWorkspaceTest::keysTypedIntoTheFilterStayThere() {
  QVERIFY(loadSample());
  press(Qt::Key_F, Qt::ControlModifier);
  QLineEdit* box = errors()->sqlPage()->predictions()->filterBox();
  QVERIFY(box->hasFocus());
  QTest::keyClicks(box, "1n0p");
  QCOMPARE(box->text(), QStringLiteral("1n0p"));
  for (int m = 0; m < review()->models(); ++m) QCOMPARE(review()->progress(m).reviewed, 0);
}

// The keys of Errors are single letters: with a menu opened by Alt they are the menu's, in every workspace.
// What the window system does is done here by hand: it asks the widget with the keyboard before it looks for
// actions.
void ErrorsWorkspaceTest::keysOfAnOpenMenuAreTheMenus() {
  MainWindow* window = m_errors->open();
  QVERIFY(window != nullptr && m_errors->loadSample());
  const auto belongsToTheWidget = [](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QKeyEvent question(QEvent::ShortcutOverride, key, modifiers);
    question.ignore();
    QCoreApplication::sendEvent(QApplication::focusWidget(), &question);
    return question.isAccepted();
  };
  QVERIFY(!belongsToTheWidget(Qt::Key_4));
  for (const char* workspace : {"view.errors", "view.train"}) {
    window->action(workspace)->trigger();
    QTest::keyClick(window->windowHandle(), Qt::Key_V, Qt::AltModifier);
    QVERIFY(waitUntil([] { return QApplication::activePopupWidget() != nullptr; }));
    for (const Qt::Key key : {Qt::Key_N, Qt::Key_4, Qt::Key_T, Qt::Key_Delete})
      QVERIFY(belongsToTheWidget(key));
    QVERIFY(!belongsToTheWidget(Qt::Key_P, Qt::ControlModifier));
    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
  }
}

void ErrorsWorkspaceTest::filterAndFacets() {
  QVERIFY(loadSample());
  PredictionTableModel* model = errors()->sqlPage()->model();
  QLineEdit* box = errors()->sqlPage()->predictions()->filterBox();
  const int all = model->rowCount();
  QCOMPARE(all, review()->examples());
  QTest::keyClicks(box, "count");
  int expected = 0;
  const auto mentions = [this](int i) {
    return (goldSqlOf(*review(), i) + questionOf(*review(), i) + databaseOf(*review(), i) +
            review()->predicted(review()->currentModel(), i))
        .contains(QStringLiteral("count"), Qt::CaseInsensitive);
  };
  for (int i = 0; i < all; ++i) expected += mentions(i);
  QVERIFY(expected > 0 && expected < all);
  QCOMPARE(model->rowCount(), expected);
  box->setText(QStringLiteral("category:sketch"));
  for (int row = 0; row < model->rowCount(); ++row)
    QCOMPARE(ErrorCategory(review()->category(review()->currentModel(), model->exampleOfRow(row))),
             ErrorCategory::Sketch);
  box->setText(QStringLiteral("/order\\s+by.*desc/"));
  QVERIFY(model->rowCount() > 0 && model->rowCount() < all);
  box->setText(QStringLiteral("/(/"));
  const auto problemIsSaid = [this] {
    const auto labels = errors()->sqlPage()->predictions()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("regular expression"));
    });
  };
  QVERIFY(!problemIsSaid());  // not before typing pauses
  QVERIFY(waitUntil(problemIsSaid));
  box->setText(QStringLiteral("nothing has this"));
  QVERIFY(!problemIsSaid());
  QCOMPARE(model->rowCount(), 0);
  QPushButton* clear = nullptr;
  for (QPushButton* button : errors()->sqlPage()->predictions()->findChildren<QPushButton*>())
    if (button->isVisible()) clear = button;
  QVERIFY(clear != nullptr);
  QTest::mouseClick(clear, Qt::LeftButton);
  QCOMPARE(model->rowCount(), all);
  QVERIFY(box->text().isEmpty());
  // Counts of a facet add up to what ticking it shows.
  QCOMPARE(model->filter().facets()[ReviewFacets::kOwn].id, QStringLiteral("hardness"));
  const int easy = model->filter().facets()[ReviewFacets::kOwn].values[0].count;
  model->filter().tick(ReviewFacets::kOwn, 0, true);
  model->refresh();
  QCOMPARE(model->rowCount(), easy);
}

void ErrorsWorkspaceTest::editedTextIsJudgedAndKept() {
  QVERIFY(loadSample());
  press(Qt::Key_N);
  const int model = review()->currentModel(), example = review()->currentExample();
  const QString file = review()->predicted(model, example);
  press(Qt::Key_E, Qt::ControlModifier);
  QVERIFY(errors()->sqlPage()->example()->editing());
  SqlEditor* editor = errors()->sqlPage()->example()->findChild<SqlEditor*>("predictedSql");
  QVERIFY(editor->hasFocus());
  editor->selectAll();
  QTest::keyClick(editor, Qt::Key_Delete);
  QTest::keyClicks(editor, goldSqlOf(*review(), example));
  QVERIFY(waitUntil([&] { return errors()->sqlPage()->example()->judged().match.match.exact; }));
  QCOMPARE(review()->predicted(model, example), file);  // the file's text stays
  QTest::keyClick(editor, Qt::Key_Escape);
  QVERIFY(!editor->hasFocus());
  QVERIFY(m_errors->restart());
  review()->choose(model, example, nullptr);
  QVERIFY(errors()->sqlPage()->example()->judged().match.match.exact);
  window()->action(QStringLiteral("errors.revert"))->trigger();
  QVERIFY(!errors()->sqlPage()->example()->judged().match.match.exact);
}

void ErrorsWorkspaceTest::resultsAreComparedSideBySide() {
  QVERIFY(loadSample());
  ResultsPanel* results = errors()->sqlPage()->results();
  const auto ran = [&] {
    return results->findChild<QTableView*>("goldResult")->isVisible() && window()->jobs()->count() == 0;
  };
  QTabWidget* tabs = errors()->sqlPage()->example()->tabs();
  QVERIFY(tabs->indexOf(results) >= 0);  // unless the window is large
  QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {},
                    tabs->tabBar()->tabRect(tabs->indexOf(results)).center());
  QVERIFY(waitUntil(ran));
  for (int i = 0; i < review()->examples(); ++i)
    if (review()->isRight(0, i) && review()->predicted(0, i) == goldSqlOf(*review(), i)) {
      review()->choose(0, i, nullptr);
      break;
    }
  QVERIFY(waitUntil([&] {
    return results->findChild<QLabel*>("resultsVerdict")->text().contains(QStringLiteral("same"));
  }));
  QCOMPARE(results->findChild<QTableView*>("goldResult")->model()->rowCount(),
           results->findChild<QTableView*>("predictedResult")->model()->rowCount());
}

void ErrorsWorkspaceTest::resultsWithoutDatabaseSayWhy() {
  QVERIFY(loadSample());
  ReviewSources sources = review()->review().sources;
  sources.files.erase("databases");
  errors()->open(sources);
  QVERIFY(waitUntil(
      [&] { return errors()->page() != ErrorsWorkspace::kLoading && window()->jobs()->count() == 0; }));
  const QString verdict = errors()->sqlPage()->results()->findChild<QLabel*>("resultsVerdict")->text();
  QVERIFY2(verdict.contains(QStringLiteral("databases")), qPrintable(verdict));
  QVERIFY(!errors()->sqlPage()->results()->findChild<QTableView*>("goldResult")->isVisible());
}

void ErrorsWorkspaceTest::comparisonLeadsToExamples() {
  QVERIFY(loadSample());
  window()->action("errors.compare")->trigger();
  ComparisonPanel* comparison = errors()->sqlPage()->comparison();
  QVERIFY(waitUntil([&] { return comparison->hasPairs(); }));
  for (const QString& id : comparison->figureIds()) {
    comparison->showFigure(id);
    QVERIFY2(comparison->shownTable().rows.size() > 0, qPrintable(id));
  }
  QTableView* pairs = comparison->findChild<QTableView*>("modelPairs");
  // What tells whether a difference is one stands before what is clicked, in view.
  const QHeaderView* header = pairs->horizontalHeader();
  for (int column = 0; column < header->count(); ++column)
    QCOMPARE(header->visualIndex(column) < header->count() - 2,
             column != kPairOnlyFirst && column != kPairOnlySecond);
  const QModelIndex cell = pairs->model()->index(0, kPairOnlyFirst);
  const int expected = int(onlyFirstRight(review()->review(), 0, 1).size());
  QVERIFY(expected > 0);
  QCOMPARE(cell.data().toString(), QString::number(expected));
  Q_EMIT pairs->activated(cell);
  QCOMPARE(errors()->page(), ErrorsWorkspace::kReview);
  QCOMPARE(errors()->sqlPage()->model()->rowCount(), expected);
  for (int row = 0; row < expected; ++row) {
    QVERIFY(review()->isRight(0, errors()->sqlPage()->model()->exampleOfRow(row)));
    QVERIFY(review()->isWrong(1, errors()->sqlPage()->model()->exampleOfRow(row)));
  }
  // A mark of a figure names its examples.
  Q_EMIT comparison->selectionClicked(QStringLiteral("set:hasty/ex:2,5,7"));
  QCOMPARE(errors()->sqlPage()->model()->rowCount(), 3);
  QCOMPARE(review()->modelName(review()->currentModel()), QStringLiteral("hasty"));
}

void ErrorsWorkspaceTest::tableAndFigureAreExported() {
  QVERIFY(loadSample());
  window()->action("errors.compare")->trigger();
  QVERIFY(waitUntil([&] { return errors()->sqlPage()->comparison()->hasPairs(); }));
  errors()->sqlPage()->comparison()->showFigure(errors()->sqlPage()->comparison()->figureIds().first());
  const QString folder = m_errors->project();
  const QString figure = folder + QStringLiteral("/f.pdf"), table = folder + QStringLiteral("/t.tex");
  errors()->shown()->exportFigure(figure);
  QFile pdf(figure);
  QVERIFY(pdf.open(QIODevice::ReadOnly));
  QVERIFY(pdf.readAll().startsWith("%PDF"));
  errors()->shown()->exportTable(table);
  QFile tex(table);
  QVERIFY(tex.open(QIODevice::ReadOnly));
  QVERIFY(tex.readAll().contains("\\toprule"));
  auto library = ProjectLibrary::open(folder.toStdString()).value();
  const auto recipes = figureRecipes(*library).value();
  QCOMPARE(recipes.size(), std::size_t(1));
  QVERIFY(!recipes[0].review.is_null());
}

void ErrorsWorkspaceTest::wrongFilesAreExplained() {
  QVERIFY(loadSample());
  const std::string shorter = m_errors->project().toStdString() + "/short.sql";
  std::ofstream(shorter) << "SELECT 1\nSELECT 2\n";
  ReviewSources sources = review()->review().sources;
  sources.predictions.push_back(reviewPredictions(shorter));
  window()->action("errors.open")->trigger();
  errors()->openPage()->setSources(sources);
  QTest::mouseClick(errors()->openPage()->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  const auto problem = [&] {
    return errors()->openPage()->findChild<QLabel*>(QStringLiteral("openProblem"));
  };
  QVERIFY(waitUntil([&] { return problem()->isVisible(); }));
  QVERIFY2(problem()->text().contains(QStringLiteral("short.sql")), qPrintable(problem()->text()));
  // What was open stays open behind it.
  QCOMPARE(review()->models(), 2);
  sources.predictions.pop_back();
  sources.gold = "/nowhere/gold.sql";
  errors()->openPage()->setSources(sources);
  QTest::mouseClick(errors()->openPage()->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return problem()->text().contains(QStringLiteral("/nowhere/gold.sql")); }));
}

void ErrorsWorkspaceTest::csvOffersItsColumns() {
  QVERIFY(loadSample());
  const std::string csv = m_errors->project().toStdString() + "/system.csv";
  {
    std::ofstream out(csv);
    out << "id,first guess,final\n";
    for (int i = 0; i < review()->examples(); ++i)
      out << i << ",SELECT 1,\"" << goldSqlOf(*review(), i).toStdString() << "\"\n";
  }
  window()->action("errors.open")->trigger();
  OpenPage* page = errors()->openPage();
  page->addPredictions({QString::fromStdString(csv)});
  QComboBox* columns = nullptr;
  QVERIFY(waitUntil([&] {
    for (QComboBox* box : page->files()->findChildren<QComboBox*>())
      if (box->findText(QStringLiteral("final")) >= 0) columns = box;
    return columns != nullptr;
  }));
  columns->setCurrentText(QStringLiteral("final"));
  QTest::mouseClick(page->findChild<QPushButton*>("openFiles"), Qt::LeftButton);
  QVERIFY(
      waitUntil([&] { return review()->models() == 3 && errors()->page() != ErrorsWorkspace::kLoading; }));
  QCOMPARE(review()->progress(2).wrong, 0);  // gold against itself
}

void ErrorsWorkspaceTest::tabReachesThePanels() {
  QVERIFY(loadSample());
  QSet<QWidget*> reached;
  for (int i = 0; i < 60; ++i) {
    reached.insert(QApplication::focusWidget());
    press(Qt::Key_Tab);
  }
  QVERIFY(reached.contains(errors()->sqlPage()->predictions()->table()));
  QVERIFY(reached.contains(errors()->sqlPage()->predictions()->filterBox()));
  QVERIFY(reached.contains(errors()->sqlPage()->example()->findChild<SqlEditor*>("goldSql")));
  QVERIFY(reached.contains(errors()->sqlPage()->example()->reasons()));
}

QTEST_MAIN(ErrorsWorkspaceTest)
#include "tst_errors_workspace.moc"
