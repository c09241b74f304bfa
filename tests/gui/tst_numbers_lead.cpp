// SPDX-License-Identifier: Apache-2.0
// Every number and region of the comparison leads to its examples: clicks on figures and on cells of tables.
#include <QAction>
#include <QComboBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "tests/gui/support_text_review.h"
#include "views/panels/widgets/mark_canvas_view.h"
#include "views/tables/paper/paper_table_model.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

class NumbersLeadTest : public test::TextReviewTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void everyRegionOfTheVennDiagram();
  void everyPartOfTheUpsetPlot();
  void everyCellOfTheConfusionMatrix();
  void theMatrixNamesItsSystemAndShowsAnother();
  void theDrawnTableOfErrors();
  void partsOfStackedBars();
  void everyCellOfTheTables();
  void everyNumberOfThePairs();

 private:
  ReviewPage* shown() const { return errors()->shown(); }
  ComparisonPanel* comparison() const { return shown()->comparison(); }
  MarkCanvasView* canvas() const { return comparison()->canvas(); }
  bool showFigure(const char* id) {
    m_errors->window()->resize(1280, 800);
    m_errors->window()->action("errors.compare")->trigger();
    if (!waitUntil([this] { return comparison()->hasPairs(); }) || !settled(m_errors->window())) return false;
    comparison()->showFigure(QLatin1String(id));
    return waitUntil([this] { return !canvas()->spec().panels.empty(); }) && settled(m_errors->window());
  }
  QPoint pixel(std::size_t panel, double x, double y) const {
    return canvas()->canvas(panel).pixel(x, y).toPoint();
  }
  // Examples that a click shows; the comparison comes back.
  std::vector<int> behind(const QPoint& at) {
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, at);
    if (shown()->part() != ReviewPage::kReview) return {};
    const std::vector<int> rows = shown()->model()->filter().rows();
    m_errors->window()->action("errors.compare")->trigger();
    return rows;
  }
  static int number(const FigureMark& mark) {
    const auto* text = std::get_if<TextMark>(&mark.shape);
    return text == nullptr ? -1 : QString::fromStdString(text->text.english()).toInt();
  }
  bool wrong(int model, int example) const { return shown()->review()->isWrong(model, example); }
};

void NumbersLeadTest::everyRegionOfTheVennDiagram() {
  QVERIFY(openClasses());
  QVERIFY(showFigure("failure_venn"));
  // "good" errs in 7, 8, 9 and "poor" in 4 to 9: only both, and only "poor".
  int regions = 0;
  for (const FigureMark& mark : canvas()->spec().panels[0].marks) {
    const auto* text = std::get_if<TextMark>(&mark.shape);
    if (text == nullptr) continue;
    const QPoint at = pixel(0, text->x, text->y);
    const std::vector<int> rows = behind(at);
    QCOMPARE(int(rows.size()), number(mark));
    if (rows.empty()) continue;
    ++regions;
    // Away from the number, in the same region.
    QCOMPARE(behind(at + QPoint(0, 40)), rows);
  }
  QCOMPARE(regions, 2);
  // The whole of a set is named in the legend.
  for (const LegendEntry& entry : canvas()->layout().panels[0].legend) {
    const int model = int(*entry.mark);
    const std::vector<int> rows = behind(entry.text.box().center().toPoint());
    QCOMPARE(int(rows.size()), model == 0 ? 3 : 6);
    for (const int each : rows) QVERIFY(wrong(model, each));
  }
}

void NumbersLeadTest::everyPartOfTheUpsetPlot() {
  QVERIFY(openClasses());
  QVERIFY(showFigure("failure_upset"));
  const auto& panels = canvas()->spec().panels;
  int bars = 0;
  for (const FigureMark& mark : panels[0].marks) {
    QPoint at;
    int count = number(mark);
    if (const auto* bar = std::get_if<BarsMark>(&mark.shape)) {
      count = int(bar->height[0]);
      at = pixel(0, bar->x[0], bar->height[0] / 2);
    } else if (const auto* text = std::get_if<TextMark>(&mark.shape)) {
      at = pixel(0, text->x, text->y);
    }
    QCOMPARE(int(behind(at).size()), count);
    ++bars;
  }
  QCOMPARE(bars, 4);  // two bars and their numbers
  for (const FigureMark& mark : panels[1].marks) {
    const auto* discs = std::get_if<PointsMark>(&mark.shape);
    if (discs == nullptr) continue;
    for (std::size_t i = 0; i < discs->x.size(); ++i)
      QCOMPARE(behind(pixel(1, discs->x[i], discs->y[i])).size(), std::size_t{3});
  }
  // Names with totals at the axis.
  const PanelLayout& laid = canvas()->layout().panels[1];
  for (const int model : {0, 1}) {
    const QPoint name(qRound(laid.area.left()) - 20, pixel(1, 0, model).y());
    QCOMPARE(int(behind(name).size()), model == 0 ? 3 : 6);
  }
}

void NumbersLeadTest::everyCellOfTheConfusionMatrix() {
  QVERIFY(openClasses());
  QVERIFY(showFigure("confusion_matrix"));
  int all = 0;
  const auto marks = canvas()->spec().panels[0].marks;
  for (const FigureMark& mark : marks) {
    const auto* text = std::get_if<TextMark>(&mark.shape);
    if (text == nullptr) continue;
    const QPoint at = pixel(0, text->x, text->y);
    const std::vector<int> rows = behind(at);
    QCOMPARE(int(rows.size()), number(mark));
    QCOMPARE(behind(at + QPoint(24, 18)), rows);  // a corner of the cell
    all += number(mark);
  }
  QCOMPARE(all, review()->examples());
}

void NumbersLeadTest::theMatrixNamesItsSystemAndShowsAnother() {
  QVERIFY(openClasses());
  QVERIFY(showFigure("confusion_matrix"));
  QComboBox* system = choice(QStringLiteral("System"));
  QVERIFY(system != nullptr);
  QCOMPARE(system->currentText(), QStringLiteral("A  good"));
  QCOMPARE(canvas()->spec().panels[0].title.english(), std::string("good"));
  system->setFocus();
  QTest::keyClick(system, Qt::Key_Down);
  QVERIFY(waitUntil([this] { return canvas()->spec().panels[0].title.english() == "poor"; }));
  QCOMPARE(review()->currentModel(), 1);  // looked at everywhere
  QCOMPARE(comparison()->recipe().options.at("system").get<std::string>(), std::string("poor"));
  review()->choose(0, review()->currentExample(), nullptr);
  QTRY_COMPARE(system->currentText(), QStringLiteral("A  good"));
}

void NumbersLeadTest::theDrawnTableOfErrors() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(showFigure("error_table"));
  int numbers = 0, sum = 0;
  const auto marks = canvas()->spec().panels[0].marks;
  for (const FigureMark& mark : marks) {
    const auto* text = std::get_if<TextMark>(&mark.shape);
    if (text == nullptr || number(mark) <= 0) continue;
    QCOMPARE(int(behind(pixel(0, text->x, text->y)).size()), number(mark));
    ++numbers;
    sum += number(mark);
  }
  QVERIFY(numbers >= 4);
  const int wrongs = m_errors->review()->progress(0).wrong + m_errors->review()->progress(1).wrong;
  QCOMPARE(sum, 2 * wrongs);  // the categories, and their sums
}

void NumbersLeadTest::partsOfStackedBars() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(showFigure("category_breakdown"));
  const auto marks = canvas()->spec().panels[0].marks;
  for (const FigureMark& mark : marks) {
    const auto& bar = std::get<BarsMark>(mark.shape);
    const double count = bar.height[0] - bar.base;
    if (count < 2) continue;  // too thin for a pointer
    QCOMPARE(behind(pixel(0, bar.x[0], bar.base + count / 2)).size(), std::size_t(count));
  }
}

// Counts lead to what they count, everything else to the examples that it is of.
void NumbersLeadTest::everyCellOfTheTables() {
  QVERIFY(m_errors->loadSample());
  QVERIFY(showFigure("exact_match"));
  auto* tabs = comparison()->findChild<QTabWidget*>();
  const auto behindCell = [this](QTableView* table, int row, int column) -> int {
    const QModelIndex cell = table->model()->index(row, column);
    table->scrollTo(cell);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
    if (shown()->part() != ReviewPage::kReview) return -1;
    const int rows = shown()->model()->rowCount();
    m_errors->window()->action("errors.compare")->trigger();
    return rows;
  };
  tabs->setCurrentIndex(0);  // scores
  auto* table = tabs->currentWidget()->findChild<QTableView*>();
  if (table == nullptr) table = qobject_cast<QTableView*>(tabs->currentWidget());
  const int columns = table->model()->columnCount();
  QCOMPARE(behindCell(table, 1, columns - 2), m_errors->review()->progress(1).wrong);
  QCOMPARE(m_errors->review()->currentModel(), 1);
  QCOMPARE(behindCell(table, 0, 1), m_errors->review()->examples());
  QCOMPARE(behindCell(table, 0, columns - 1), -1);  // none is missing
  tabs->setCurrentIndex(1);  // numbers of the figure: model, level, examples, right, ...
  table = qobject_cast<QTableView*>(tabs->currentWidget());
  for (int row = 0; row < table->model()->rowCount(); ++row)
    for (const int column : {2, 3}) {
      const int count = table->model()->index(row, column).data().toInt();
      QCOMPARE(behindCell(table, row, column), count == 0 ? -1 : count);
    }
  // By the keyboard, too.
  table->setFocus();
  table->setCurrentIndex(table->model()->index(0, 2));
  QTest::keyClick(table, Qt::Key_Return);
  QVERIFY((shown()->part() == ReviewPage::kReview));
}

void NumbersLeadTest::everyNumberOfThePairs() {
  QVERIFY(openClasses());
  QVERIFY(showFigure("failure_venn"));
  auto* pairs = comparison()->findChild<QTableView*>("modelPairs");
  auto* tabs = comparison()->findChild<QTabWidget*>();
  tabs->setCurrentWidget(pairs->parentWidget());
  const auto* model = qobject_cast<const PaperTableModel*>(pairs->model());
  // Only "good" has 4, 5, 6; nobody but "good" is right alone; they differ in three.
  const QMap<int, std::vector<int>> expected = {
      {2, {4, 5, 6}}, {3, {}}, {4, {4, 5, 6}}, {5, {4, 5, 6}}, {6, {4, 5, 6}}};
  for (auto each = expected.begin(); each != expected.end(); ++each) {
    const QModelIndex cell = model->index(0, each.key());
    QCOMPARE(model->selectionAt(cell).isEmpty(), each.value().empty());
    if (each.value().empty()) continue;
    pairs->scrollTo(cell);
    QTest::mouseClick(pairs->viewport(), Qt::LeftButton, {}, pairs->visualRect(cell).center());
    QCOMPARE(page()->model()->filter().rows(), each.value());
    m_errors->window()->action("errors.compare")->trigger();
  }
}

QTEST_MAIN(NumbersLeadTest)
#include "tst_numbers_lead.moc"
