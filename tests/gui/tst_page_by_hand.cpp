// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "tests/gui/support_figures_window.h"
#include "tests/gui/support_hand.h"
#include "views/panels/figures/divider_line.h"
#include "views/panels/figures/drop_target.h"
#include "views/panels/figures/page_grid.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;

// A page composed with the mouse: figures and panels dragged to places, rows and columns resized.
class PageByHandTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void fourDragsMakeATwoByTwoPage();
  void aFigureOnAPanelPushesItAway();
  void panelsChangePlaces();
  void escapeLeavesThePageAsItWas();
  void otherButtonsLeaveADragAlone();
  void aReleaseElsewhereEndsADrag();
  void panelsDroppedOnThemselvesOrBesideThePageStay();
  void rowsAndColumnsAreResized();
  void bordersAreEvenedAndForgotten();
  void sharesAreTyped();
  void equalHeightsTakeOneClick();
  void readOnlyPagesStay();
  void aFullPageSaysSo();
  void draggingIsFast();

 private:
  PageView* view() const { return figures()->page(); }
  // With the whole page in view.
  bool openFitted() {
    if (!open()) return false;
    view()->setZoom(0);
    return true;
  }
  QWidget* pages() const { return view()->parentWidget()->parentWidget(); }
  DropTarget* target() const { return m_window->findChild<DropTarget*>(); }
  QPoint boxMiddle(int figure) const { return view()->figureBox(figure).center().toPoint(); }
  // A kind of figure from the list to a place of the page; `word`: what was said there.
  bool dragKind(const char* kind, const QWidget* over, const QPoint& place, QString* word = nullptr) {
    figures()->list()->setCurrent(QLatin1String(kind));
    QTreeWidget* tree = figures()->list()->tree();
    tree->scrollToItem(tree->currentItem());
    test::Hand hand(tree->viewport());
    hand.press(tree->visualItemRect(tree->currentItem()).center());
    hand.moveTo(over, place);
    if (!target()->isVisible() || target()->target().isEmpty()) return false;
    if (word != nullptr) *word = target()->word();
    hand.letGo();
    return !target()->isVisible() && settled();
  }
  bool dragPanel(int panel, const QPoint& place, QString* word = nullptr) {
    test::Hand hand(view()->viewport());
    hand.press(boxMiddle(panel));
    hand.moveTo(view()->viewport(), place);
    if (!target()->isVisible()) return false;
    if (word != nullptr) *word = target()->word();
    hand.letGo();
    return !target()->isVisible() && settled();
  }
  QVector<QPoint> places() const {
    QVector<QPoint> all;  // column, row
    for (const CompositionPanel& panel : page().panels) all.append({panel.column, panel.row});
    return all;
  }
};

void PageByHandTest::fourDragsMakeATwoByTwoPage() {
  QVERIFY(openFitted());
  m_window->action("figures.new")->trigger();
  QVERIFY(settled());
  QString word;
  QVERIFY(dragKind("training_curve", pages(), pages()->rect().center(), &word));
  QCOMPARE(word, QStringLiteral("row 1, column 1"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}}));
  const QRectF paper = view()->paper();
  QVERIFY(dragKind("training_curve", view()->viewport(),
                   QPoint(int(paper.right()) - 4, int(view()->figureBox(0).center().y())), &word));
  QCOMPARE(word, QStringLiteral("new column"));
  QVERIFY(dragKind("training_curve", view()->viewport(),
                   QPoint(int(view()->figureBox(0).center().x()), int(view()->paper().bottom()) - 3), &word));
  QCOMPARE(word, QStringLiteral("new row"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {1, 0}, {0, 1}}));
  const QPoint last(int(view()->figureBox(1).center().x()), int(view()->figureBox(2).center().y()));
  QVERIFY(dragKind("training_curve", view()->viewport(), last, &word));
  QCOMPARE(word, QStringLiteral("row 2, column 2"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
  QCOMPARE(selectedPanel(), 3);
  // Each drag is one step.
  view()->setFocus();
  for (std::size_t left = 4; left-- > 0;) {
    QTest::keyClick(view(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(page().panels.size(), left);
    QVERIFY(settled());
    if (left > 0) view()->setFocus();
  }
}

void PageByHandTest::aFigureOnAPanelPushesItAway() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  QString word;
  QVERIFY(dragKind("training_curve", view()->viewport(), boxMiddle(0), &word));
  QCOMPARE(word, QStringLiteral("here; (a) moves on"));
  QCOMPARE(places(), (QVector<QPoint>{{0, 1}, {1, 0}, {0, 0}}));
}

void PageByHandTest::panelsChangePlaces() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve") && add("training_curve"));
  QString word;
  QVERIFY(dragPanel(0, boxMiddle(1), &word));
  QCOMPARE(word, QStringLiteral("changes places with (b)"));
  QCOMPARE(places(), (QVector<QPoint>{{1, 0}, {0, 0}, {0, 1}}));
  QCOMPARE(selectedPanel(), 0);
  // To the place that is free.
  const QPoint free(boxMiddle(0).x(), boxMiddle(2).y());
  QVERIFY(dragPanel(1, free, &word));
  QCOMPARE(word, QStringLiteral("row 2, column 2"));
  QCOMPARE(places(), (QVector<QPoint>{{1, 0}, {1, 1}, {0, 1}}));
  m_window->action("edit.undo")->trigger();
  m_window->action("edit.undo")->trigger();
  QCOMPARE(places(), (QVector<QPoint>{{0, 0}, {1, 0}, {0, 1}}));
  QVERIFY(settled());
  const auto library = ProjectLibrary::open(projectPath()).value();
  QCOMPARE(figureCompositions(*library).value().at(0).panels[1].column, 1);
}

void PageByHandTest::escapeLeavesThePageAsItWas() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  const std::string before = page().toJson().dump();
  test::Hand hand(view()->viewport());
  hand.press(boxMiddle(0));
  hand.moveTo(view()->viewport(), boxMiddle(1));
  QVERIFY(target()->isVisible());
  QVERIFY(QApplication::overrideCursor() != nullptr);
  QTest::keyClick(view(), Qt::Key_Escape);
  QVERIFY(!target()->isVisible());
  QVERIFY(QApplication::overrideCursor() == nullptr);
  hand.letGo();
  QVERIFY(settled());
  QCOMPARE(page().toJson().dump(), before);
}

void PageByHandTest::otherButtonsLeaveADragAlone() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  const std::string before = page().toJson().dump();
  test::Hand hand(view()->viewport());
  hand.press(boxMiddle(0));
  hand.moveTo(view()->viewport(), boxMiddle(1));
  QVERIFY(target()->isVisible());
  QTest::mouseClick(view()->viewport(), Qt::RightButton, {}, boxMiddle(1));
  QVERIFY(target()->isVisible());
  QVERIFY(QApplication::activePopupWidget() == nullptr);
  QCOMPARE(page().toJson().dump(), before);
  hand.letGo();
  QVERIFY(!target()->isVisible() && QApplication::overrideCursor() == nullptr);
  QVERIFY(settled());
  QCOMPARE(places(), (QVector<QPoint>{{1, 0}, {0, 0}}));
}

// The window system took the release for itself: the pointer comes back with no button down.
void PageByHandTest::aReleaseElsewhereEndsADrag() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  const std::string before = page().toJson().dump();
  test::Hand hand(view()->viewport());
  hand.press(boxMiddle(0));
  hand.moveTo(view()->viewport(), boxMiddle(1));
  QVERIFY(target()->isVisible());
  const QPointF place = boxMiddle(1);
  QMouseEvent back(QEvent::MouseMove, place, view()->viewport()->mapToGlobal(place), Qt::NoButton,
                   Qt::NoButton, Qt::NoModifier);
  QApplication::sendEvent(view()->viewport(), &back);
  QVERIFY(!target()->isVisible() && QApplication::overrideCursor() == nullptr);
  hand.letGo();
  QVERIFY(settled());
  QCOMPARE(page().toJson().dump(), before);
}

void PageByHandTest::panelsDroppedOnThemselvesOrBesideThePageStay() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  const std::string before = page().toJson().dump();
  QString word;
  QVERIFY(dragPanel(0, boxMiddle(0) + QPoint(30, 20), &word));
  QCOMPARE(word, QStringLiteral("stays here"));
  QCOMPARE(page().toJson().dump(), before);
  // Let go over the form: nowhere.
  test::Hand hand(view()->viewport());
  hand.press(boxMiddle(0));
  hand.moveTo(figures()->form(), figures()->form()->rect().center());
  QVERIFY(!target()->isVisible());
  hand.letGo();
  QVERIFY(settled());
  QCOMPARE(page().toJson().dump(), before);
}

void PageByHandTest::rowsAndColumnsAreResized() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve") && add("training_curve"));
  const QRectF upper = view()->figureBox(0);
  const auto* line = m_window->findChild<DividerLine*>();
  test::Hand hand(view()->viewport());
  hand.press(QPoint(int(upper.center().x()), int(std::lround(upper.bottom()))));
  QVERIFY(line->isVisible());
  hand.moveTo(view()->viewport(), QPoint(int(upper.center().x()), int(upper.bottom()) - 40));
  QVERIFY2(line->sizes().contains(QStringLiteral(" mm")), qPrintable(line->sizes()));
  hand.letGo();
  QVERIFY(!line->isVisible());
  QVERIFY(settled());
  QCOMPARE(page().rowShares.size(), std::size_t{2});
  QVERIFY(std::abs(view()->figureBox(0).height() - (upper.height() - 40)) < 4);
  QVERIFY(page().columnShares.empty());
  // The page may get higher, and so smaller on screen.
  const QRectF left = view()->figureBox(0);
  const double share = (left.width() + 50) / view()->paper().width();
  hand.press(QPoint(int(std::lround(left.right())), int(left.center().y())));
  hand.moveTo(view()->viewport(), QPoint(int(left.right()) + 50, int(left.center().y())));
  hand.letGo();
  QVERIFY(settled());
  QCOMPARE(page().columnShares.size(), std::size_t{2});
  QVERIFY(std::abs(view()->figureBox(0).width() / view()->paper().width() - share) < 0.01);
  m_window->action("edit.undo")->trigger();
  m_window->action("edit.undo")->trigger();
  QVERIFY(page().columnShares.empty() && page().rowShares.empty());
  QVERIFY(settled());
  QVERIFY(std::abs(view()->figureBox(0).height() - upper.height()) < 1);
}

void PageByHandTest::bordersAreEvenedAndForgotten() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  m_window->action("figures.in_column")->trigger();
  QVERIFY(settled());
  QAction* own = m_window->action("figures.own_sizes");
  QVERIFY(!own->isEnabled());
  const QRectF box = view()->figureBox(0);
  test::Hand hand(view()->viewport());
  hand.press(QPoint(int(box.center().x()), int(std::lround(box.bottom()))));
  hand.moveTo(view()->viewport(), QPoint(int(box.center().x()), int(box.bottom()) + 60));
  hand.letGo();
  QVERIFY(settled());
  const QRectF higher = view()->figureBox(0);
  QVERIFY(higher.height() > box.height() + 30);
  QTest::mouseDClick(view()->viewport(), Qt::LeftButton, {},
                     QPoint(int(higher.center().x()), int(std::lround(higher.bottom()))));
  QVERIFY(settled());
  QCOMPARE(page().rowShares, (std::vector<double>{1, 1}));
  QVERIFY(std::abs(view()->figureBox(0).height() - view()->figureBox(1).height()) < 12);
  QVERIFY(own->isEnabled());
  own->trigger();
  QVERIFY(page().rowShares.empty());
  QVERIFY(settled());
}

// The keyboard's way, and what is no list of numbers.
void PageByHandTest::sharesAreTyped() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  auto* columns = figures()->form()->findChild<QLineEdit*>("columnShares");
  columns->setFocus();
  QTest::keyClicks(columns, "3 : 1");
  QTest::keyClick(columns, Qt::Key_Return);
  QCOMPARE(page().columnShares, (std::vector<double>{3, 1}));
  QVERIFY(settled());
  QVERIFY(std::abs(view()->figureBox(0).width() - 3 * view()->figureBox(1).width()) < 6);
  columns->selectAll();
  QTest::keyClicks(columns, "wide");
  QTest::keyClick(columns, Qt::Key_Return);
  QCOMPARE(page().columnShares, (std::vector<double>{3, 1}));
  QCOMPARE(columns->text(), QStringLiteral("3 : 1"));
  columns->clear();
  QTest::keyClick(columns, Qt::Key_Return);
  QVERIFY(page().columnShares.empty());
  QVERIFY(settled());
}

void PageByHandTest::equalHeightsTakeOneClick() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  m_window->action("figures.in_column")->trigger();
  QVERIFY(settled());
  for (QToolButton* button : figures()->form()->findChildren<QToolButton*>())
    if (button->defaultAction() == m_window->action("figures.equal_heights"))
      QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(page().rowShares, (std::vector<double>{1, 1}));
  QVERIFY(settled());
  const FigureLayout& layout = view()->pageLayout();
  // Axes stand at whole units.
  QVERIFY(std::abs(layout.panels[0].area.height() - layout.panels[1].area.height()) <= 1);
}

void PageByHandTest::readOnlyPagesStay() {
  QVERIFY(openFitted());
  QVERIFY(add("training_curve") && add("training_curve"));
  FigureShelf shelf = figures()->editor()->shelf();
  shelf.readOnly = true;
  figures()->editor()->setShelf(shelf);
  const std::string before = page().toJson().dump();
  test::Hand hand(view()->viewport());
  hand.press(boxMiddle(0));
  hand.moveTo(view()->viewport(), boxMiddle(1));
  QVERIFY(!target()->isVisible());
  hand.letGo();
  QVERIFY(settled());
  QCOMPARE(page().toJson().dump(), before);
}

// Two columns of as many rows as a page may have: what comes next is refused in words, and nothing is lost.
void PageByHandTest::aFullPageSaysSo() {
  QVERIFY(openFitted());
  constexpr std::size_t kFull = 2 * FigureComposition::kMostTracks;
  for (std::size_t i = 0; i < kFull; ++i) QVERIFY(add("training_curve"));
  QCOMPARE(page().panels.size(), kFull);
  const std::string before = page().toJson().dump();
  QVERIFY(add("training_curve"));
  QCOMPARE(page().toJson().dump(), before);
  QVERIFY2(m_window->messages()->currentText().contains(QStringLiteral("The page is full: 8 rows")),
           qPrintable(m_window->messages()->currentText()));
  m_window->action("figures.in_column")->trigger();
  QVERIFY(settled());
  QCOMPARE(page().toJson().dump(), before);
  QVERIFY2(m_window->messages()->currentText().contains(QStringLiteral("16 panels do not fit")),
           qPrintable(m_window->messages()->currentText()));
  // A hundred of them, as another program might have written them, are refused with the panel's number.
  FigureComposition hundred = page();
  while (hundred.panels.size() < 100) hundred.panels.push_back(hundred.panels.front());
  for (int i = 0; i < 100; ++i) {
    CompositionPanel& panel = hundred.panels[std::size_t(i)];
    panel.row = i / 10;
    panel.column = i % 10;
  }
  const auto refused = figureCompositionFromJson(hundred.toJson());
  QVERIFY(!refused.ok());
  QVERIFY2(
      refused.error().text().find("panel 9 lies outside the grid of 8 rows and columns") != std::string::npos,
      refused.error().text().c_str());
}

// A frame of a drag, its picture included, takes no longer than the screen needs; processor time, since
// others may use the machine.
void PageByHandTest::draggingIsFast() {
  QVERIFY(openFitted());
  for (int i = 0; i < 4; ++i) QVERIFY(add("training_curve"));
  test::Hand hand(view()->viewport());
  hand.press(boxMiddle(0));
  hand.moveTo(view()->viewport(), boxMiddle(3));
  std::vector<double> frames;
  for (int i = 0; i < 60; ++i) {
    const std::clock_t begin = std::clock();
    QTest::mouseMove(view()->viewport(), boxMiddle(i % 4) + QPoint(i % 7, i % 5));
    target()->repaint();
    frames.push_back(1e3 * double(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  hand.letGo();
  QVERIFY(settled());
  std::sort(frames.begin(), frames.end());
  QVERIFY2(frames[frames.size() / 2] <= 16, qPrintable(QString::number(frames[frames.size() / 2])));
}

QTEST_MAIN(PageByHandTest)
#include "tst_page_by_hand.moc"
