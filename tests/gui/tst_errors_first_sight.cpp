// SPDX-License-Identifier: Apache-2.0
// Errors at first sight: where it opens, what stays in view and in its place, what explains itself.
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "core/review/reviewed_sql.h"
#include "tests/gui/support_errors_window.h"
#include "views/look/theme.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/facet_panel.h"
#include "views/panels/errors/judgement_bar.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/reason_list.h"
#include "views/panels/widgets/frozen_columns.h"
#include "views/tables/prediction_table_model.h"

using namespace fathom;
using test::settled;

class ErrorsFirstSightTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void itOpensAtTheFirstWrongExample();
  void noButtonMovesFromExampleToExample();
  void oneButtonJudgesTenTimesWhereItIs();
  void goldIsWrongStandsBesideTheOthers();
  void numberQuestionAndMarksStayAtTheLeft();
  void marksMakeRoomForTheQuestion();
  void facetsAreFoldedUntilSomebodyLooks();
  void rulesAreExplainedBelowTheirReasons();
  void bothFormsAreCalledByTheirPredictions();
  void aMissingFileIsRedWhileItIsTyped();

 private:
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  ReviewedPredictions* review() const { return m_errors->review(); }
  PredictionPanel* predictions() const { return errors()->sqlPage()->predictions(); }
  ExamplePanel* example() const { return errors()->sqlPage()->example(); }
  QToolButton* button(const char* action) const {
    return example()->judgementBar()->findChild<QToolButton*>(QLatin1String(action));
  }
  // Every button of the bar on the screen, and those beside the heading.
  QList<QRect> places() const {
    QList<QRect> places;
    for (const QToolButton* each : example()->findChildren<QToolButton*>()) {
      if (each->defaultAction() == nullptr || !each->isVisible()) continue;
      places.append(QRect(each->mapToGlobal(QPoint()), each->size()));
    }
    return places;
  }
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

void ErrorsFirstSightTest::itOpensAtTheFirstWrongExample() {
  QVERIFY(m_errors->loadSample());
  const int first = review()->currentExample();
  QCOMPARE(review()->currentModel(), 0);
  QVERIFY(review()->isWrong(0, first));
  for (int i = 0; i < first; ++i) QVERIFY(!review()->isWrong(0, i));
  QVERIFY(first > 0);  // or this test says nothing
  QCOMPARE(predictions()->table()->currentIndex().row(), first);
  // The next start finds the place that somebody went to.
  test::ErrorsWindow::press(Qt::Key_N);
  const int left = review()->currentExample();
  QVERIFY(left > first);
  QVERIFY(m_errors->restart());
  QCOMPARE(review()->currentExample(), left);
}

// Questions of one and of three lines, queries of any length: what is clicked stays below the pointer.
void ErrorsFirstSightTest::noButtonMovesFromExampleToExample() {
  QVERIFY(m_errors->loadSample());
  m_errors->window()->resize(1280, 800);
  QVERIFY(settled(m_errors->window()));
  const QList<QRect> before = places();
  QVERIFY(before.size() >= 9);  // five categories, clear, previous, next, edit
  QSet<int> heights;
  for (int i = 0; i < 12; ++i) {
    test::ErrorsWindow::press(Qt::Key_N);
    QVERIFY(settled(m_errors->window()));
    QCOMPARE(places(), before);
    heights.insert(example()->naturalHeight());
  }
  QVERIFY(heights.size() > 2);
}

void ErrorsFirstSightTest::oneButtonJudgesTenTimesWhereItIs() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(settled(m_errors->window()));
  QToolButton* sketch = button("errors.category3");
  const QPoint pointer = sketch->mapTo(m_errors->window(), sketch->rect().center());
  const int model = review()->currentModel();
  QList<int> judged;
  for (int i = 0; i < 10; ++i) {
    judged.append(review()->currentExample());
    QCOMPARE(m_errors->window()->childAt(pointer), sketch);
    QTest::mouseClick(sketch, Qt::LeftButton);
    QVERIFY(settled(m_errors->window()));
  }
  for (const int each : judged)
    QCOMPARE(ErrorCategory(review()->category(model, each)), ErrorCategory::Sketch);
  QCOMPARE(review()->progress(model).reviewed, 10);
}

void ErrorsFirstSightTest::goldIsWrongStandsBesideTheOthers() {
  QVERIFY(m_errors->loadSample());
  QToolButton* gold = button("errors.category5");
  QVERIFY(gold != nullptr && gold->isVisible());
  QCOMPARE(gold->parentWidget(), button("errors.category1")->parentWidget());
  QCOMPARE(gold->y(), button("errors.category1")->y());
  QVERIFY2(gold->text().contains(QStringLiteral("5")), qPrintable(gold->text()));
  const int model = review()->currentModel(), judged = review()->currentExample();
  QTest::mouseClick(gold, Qt::LeftButton);
  QCOMPARE(ErrorCategory(review()->category(model, judged)), ErrorCategory::GoldError);
  test::ErrorsWindow::press(Qt::Key_P);
  QCOMPARE(review()->currentExample(), judged);
  QVERIFY(gold->isChecked());
  QTest::mouseClick(button("errors.clear"), Qt::LeftButton);
  QVERIFY(!review()->isHuman(model, judged) && !gold->isChecked());
}

void ErrorsFirstSightTest::numberQuestionAndMarksStayAtTheLeft() {
  QVERIFY(m_errors->loadSample());
  m_errors->window()->resize(1280, 800);
  QVERIFY(settled(m_errors->window()));
  QTableView* table = predictions()->table();
  const auto* frozen = table->findChild<FrozenColumns*>();
  QStringList titles;
  for (int column = 0; column < 4; ++column)
    titles.append(table->model()->headerData(column, Qt::Horizontal).toString());
  QCOMPARE(titles, (QStringList{"#", "Question", "A", "B"}));
  const int right = table->columnViewportPosition(3) + table->columnWidth(3);
  QVERIFY2(right <= table->viewport()->width(), "all four are in view");
  QVERIFY(!frozen->isVisible());
  QScrollBar* bar = table->horizontalScrollBar();
  QVERIFY(bar->maximum() > 0);
  bar->setValue(bar->maximum());
  QVERIFY(frozen->isVisible());
  QCOMPARE(frozen->coveredWidth(), right);
  for (int column = 0; column < 4; ++column) QVERIFY(!frozen->isColumnHidden(column));
  QVERIFY(frozen->isColumnHidden(4));
  // A click there goes to the example, and the scrolled columns stay.
  const int scrolled = bar->value();
  const QModelIndex question = frozen->model()->index(3, PredictionTableModel::kText);
  QTest::mouseClick(frozen->viewport(), Qt::LeftButton, {}, frozen->visualRect(question).center());
  QCOMPARE(review()->currentExample(), errors()->sqlPage()->model()->exampleOfRow(3));
  table->setFocus();
  test::ErrorsWindow::press(Qt::Key_N);
  QCOMPARE(bar->value(), scrolled);
}

// Eight models: the question is still read, and as many marks as fit stay beside it.
void ErrorsFirstSightTest::marksMakeRoomForTheQuestion() {
  QVERIFY(m_errors->loadSample());
  ReviewSources sources = review()->review().sources;
  while (sources.predictions.size() < 8) {
    sources.predictions.push_back(sources.predictions.back());
    sources.predictions.back().name = "m" + std::to_string(sources.predictions.size());
  }
  errors()->open(sources);
  QTRY_COMPARE(review()->models(), 8);
  m_errors->window()->resize(1280, 800);
  QVERIFY(settled(m_errors->window()));
  QTableView* table = predictions()->table();
  const int letter = table->fontMetrics().averageCharWidth();
  QVERIFY(table->columnWidth(PredictionTableModel::kText) >= 12 * letter);
  table->horizontalScrollBar()->setValue(table->horizontalScrollBar()->maximum());
  const auto* frozen = table->findChild<FrozenColumns*>();
  QVERIFY(frozen->isVisible());
  QVERIFY(!frozen->isColumnHidden(PredictionTableModel::kFirstModel));
  QVERIFY(frozen->coveredWidth() < table->viewport()->width() * 3 / 4);
}

void ErrorsFirstSightTest::facetsAreFoldedUntilSomebodyLooks() {
  QVERIFY(m_errors->loadSample());
  FacetPanel* facets = predictions()->facets();
  QToolButton* fold = predictions()->facetButton();
  QVERIFY(!facets->isVisible());
  const int folded = predictions()->table()->height();
  QTest::mouseClick(fold, Qt::LeftButton);
  QVERIFY(facets->isVisible());
  QTRY_VERIFY(predictions()->table()->height() < folded);
  QTreeWidgetItem* value = nullptr;
  for (int f = 0; f < facets->topLevelItemCount() && value == nullptr; ++f)
    for (int v = 0; v < facets->topLevelItem(f)->childCount(); ++v)
      if (!facets->topLevelItem(f)->child(v)->isHidden()) value = facets->topLevelItem(f)->child(v);
  QVERIFY(value != nullptr);
  facets->setCurrentItem(value);
  QTest::keyClick(facets, Qt::Key_Space);
  QCOMPARE(fold->text(), QStringLiteral("Facets · 1 ticked"));
  const int rows = errors()->sqlPage()->model()->rowCount();
  QVERIFY(rows < review()->examples());
  QTest::mouseClick(fold, Qt::LeftButton);
  QVERIFY(!facets->isVisible());
  QCOMPARE(errors()->sqlPage()->model()->rowCount(), rows);
  QTest::mouseClick(fold, Qt::LeftButton);
  QVERIFY(m_errors->restart());
  QTRY_VERIFY(predictions()->facets()->isVisible());  // as it was left
}

void ErrorsFirstSightTest::rulesAreExplainedBelowTheirReasons() {
  QVERIFY(m_errors->loadSample());
  ReasonList* reasons = example()->reasons();
  QTreeWidgetItem* first = reasons->topLevelItem(0);
  QVERIFY(first != nullptr && first->childCount() == 1 && !first->isExpanded());
  const QString rule = first->text(3);
  QTest::mouseClick(reasons->viewport(), Qt::LeftButton, {}, reasons->visualItemRect(first).center());
  QVERIFY(first->isExpanded());
  const QTreeWidgetItem* meaning = reasons->itemBelow(first);
  QCOMPARE(meaning, first->child(0));
  QVERIFY2(meaning->text(0).startsWith(QStringLiteral("Rule %1: ").arg(rule)), qPrintable(meaning->text(0)));
  QVERIFY(meaning->text(0).size() > 60);
  // As wide as the list, in as many lines as that takes.
  QVERIFY(reasons->visualItemRect(meaning).height() > reasons->fontMetrics().lineSpacing());
  // Every reason of the sample names a rule that is explained.
  for (int e = 0; e < review()->examples(); ++e) {
    if (!review()->isWrong(0, e)) continue;
    review()->choose(0, e, nullptr);
    for (int i = 0; i < reasons->topLevelItemCount(); ++i)
      QVERIFY2(reasons->topLevelItem(i)->childCount() == 1, qPrintable(reasons->topLevelItem(i)->text(3)));
  }
}

void ErrorsFirstSightTest::bothFormsAreCalledByTheirPredictions() {
  QVERIFY(m_errors->open() != nullptr);
  const auto shown = [this] {
    QStringList texts;
    for (const QLabel* each : errors()->openPage()->findChildren<QLabel*>())
      if (each->isVisible()) texts.append(each->text());
    return texts;
  };
  QAction* sql = m_errors->window()->action("errors.open");
  QCOMPARE(sql->text().remove(u'&'), QStringLiteral("Open SQL predictions…"));
  sql->trigger();
  QVERIFY(shown().contains(QStringLiteral("Open SQL predictions")));
  QAction* other = m_errors->window()->action("errors.open_kind");
  QCOMPARE(other->text().remove(u'&'), QStringLiteral("Open predictions of another task…"));
  other->trigger();
  QVERIFY(shown().contains(QStringLiteral("Open predictions of another task")));
}

void ErrorsFirstSightTest::aMissingFileIsRedWhileItIsTyped() {
  QVERIFY(m_errors->loadSample());
  const QString gold = QString::fromStdString(review()->review().sources.gold);
  m_errors->window()->action("errors.open_kind")->trigger();
  OpenPage* page = errors()->openPage();
  page->setKind(QLatin1String(kSqlReviewId));
  QLineEdit* field = page->field(QStringLiteral("gold"));
  const QColor usual = field->palette().color(QPalette::Text);
  const QColor red = Theme::of(field->palette()).readable(Theme::of(field->palette()).failed);
  field->selectAll();
  QTest::keyClicks(field, gold.chopped(1));
  QTRY_COMPARE(field->palette().color(QPalette::Text), red);
  const auto* problem = page->findChild<QLabel*>(QStringLiteral("openProblem"));
  QTRY_VERIFY(problem->isVisible());
  QVERIFY2(problem->text().contains(gold.chopped(1)), qPrintable(problem->text()));
  QVERIFY(field->toolTip().contains(gold.chopped(1)) && field->accessibleDescription() == field->toolTip());
  QTest::keyClicks(field, gold.right(1));
  QTRY_COMPARE(field->palette().color(QPalette::Text), usual);
  QVERIFY(!problem->isVisible());
  // A file of predictions that went away is red in the list.
  page->addPredictions({gold, QStringLiteral("/nowhere/at_all.sql")});
  QTreeWidgetItem* row = page->files()->topLevelItem(1);
  QTRY_COMPARE(row->foreground(1).color(), red);
  QVERIFY(page->files()->topLevelItem(0)->foreground(1).color() != red);
}

QTEST_MAIN(ErrorsFirstSightTest)
#include "tst_errors_first_sight.moc"
