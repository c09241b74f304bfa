// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QTest>

#include "tests/golden/support_figure_gallery.h"
#include "tests/golden/support_probe_gallery.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_picture.h"
#include "views/figures/composition_page.h"

using namespace fathom;

// Four figures as they come, of four runs, on one page of a venue: two by two where a column of the page has
// room for a figure, else below each other; and with the holes that a hand may leave.
class PageOfFourTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fitsThePageOfTheVenue_data();
  void fitsThePageOfTheVenue();
  void lowFiguresAreNotPressed();
};

namespace {

enum class Order { TwoByTwo, OneColumn, WithHoles };

FigureComposition pageOfFour(const char* style, Order order) {
  FigureComposition page;
  page.style = style;
  const char* const ids[] = {"training_curve", "attention_entropy", "gradient_norm", "beta_dependency"};
  const PanelPlace holes[] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}};
  for (int i = 0; i < 4; ++i) {
    CompositionPanel panel;
    panel.recipe.figure = ids[i];
    const PanelPlace place = order == Order::TwoByTwo    ? PanelPlace{i / 2, i % 2}
                             : order == Order::OneColumn ? PanelPlace{i, 0}
                                                         : holes[i];
    panel.row = place.row;
    panel.column = place.column;
    page.panels.push_back(panel);
  }
  return page;
}

std::vector<FigureSpec> fourFigures(int layers) {
  std::vector<FigureSpec> specs = {gallery::trainingCurves(4, false)};
  for (const char* figure : {"attention_entropy", "gradient_norm", "beta_dependency"})
    specs.push_back(gallery::probeFigure(figure, {}, 4, layers));
  return specs;
}

}  // namespace

void PageOfFourTest::fitsThePageOfTheVenue_data() {
  QTest::addColumn<QString>("style");
  QTest::addColumn<int>("layers");
  QTest::addColumn<int>("order");
  QTest::addColumn<double>("pageMm");
  struct {
    const char* style;
    double pageMm;  // that the venue's template leaves
    bool wide;
  } constexpr kVenues[] = {{"acl", 240, false},       {"acl_wide", 240, true}, {"neurips", 228.6, true},
                           {"iclr", 228.6, true},     {"icml", 228.6, false},  {"icml_wide", 228.6, true},
                           {"aistats", 228.6, false}, {"aaai", 228.6, false},  {"aaai_wide", 228.6, true},
                           {"cvpr", 225.4, false},    {"jmlr", 215.9, true},   {"tmlr", 228.6, true},
                           {"ieee", 234.9, false},    {"nature", 240, false}};
  for (const auto& venue : kVenues)
    for (const int layers : {4, 6, 12})
      for (const Order order : {Order::TwoByTwo, Order::OneColumn, Order::WithHoles})
        if ((order == Order::OneColumn) != venue.wide)
          QTest::addRow("%s, %d layers, order %d", venue.style, layers, int(order))
              << QString::fromLatin1(venue.style) << layers << int(order) << venue.pageMm;
}

void PageOfFourTest::fitsThePageOfTheVenue() {
  QFETCH(QString, style);
  QFETCH(int, layers);
  QFETCH(int, order);
  QFETCH(double, pageMm);
  const FigureComposition page = pageOfFour(qPrintable(style), Order(order));
  const FigureStyle look = compositionStyle(page).value();
  const ComposedPage composed = composePage(compositionPage(page, fourFigures(layers), look), look).value();
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(composed.spec, look).ok());
  const FigureSize size = figureSize(composed.spec, look);
  (void)figurePicture(renderer, size, 1);
  QVERIFY2(size.heightMm <= pageMm + 1e-6, qPrintable(QString::number(size.heightMm)));
  const FigureChecks checks = figureChecks(renderer, size);
  QCOMPARE(checks.pageMm, pageMm);
  QVERIFY2(checks.tooHighMm <= 1e-6, qPrintable(QString::number(checks.tooHighMm)));
  const QStringList misplaced = checks.outside + checks.overlapping;
  QVERIFY2(misplaced.isEmpty(), qPrintable(misplaced.join(QStringLiteral("; "))));
  // Plots, too, lie beside each other, and are high enough to be read.
  constexpr double kLowestMm = 11.5;
  const std::vector<PanelLayout>& panels = renderer.layout().panels;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double plotMm = panels[i].room.height() / unitsOfMm(1);
    QVERIFY2(plotMm >= kLowestMm, qPrintable(QStringLiteral("%1: %2 mm").arg(i).arg(plotMm)));
    for (std::size_t k = 0; k < i; ++k)
      QVERIFY2(!panels[i].slot.adjusted(1, 1, -1, -1).intersects(panels[k].slot.adjusted(1, 1, -1, -1)),
               qPrintable(QStringLiteral("%1 on %2").arg(i).arg(k)));
  }
}

// A page that needs less than there is has the height that its figures like.
void PageOfFourTest::lowFiguresAreNotPressed() {
  const FigureComposition page = pageOfFour("acl_wide", Order::TwoByTwo);
  const FigureStyle look = compositionStyle(page).value();
  const FigurePage low = compositionPage(page, fourFigures(2), look);
  const double natural = naturalHeightMm(low, look);
  QVERIFY2(natural < look.mostHeightMm, qPrintable(QString::number(natural)));
  QCOMPARE(composePage(low, look).value().spec.heightMm, natural);
}

QTEST_MAIN(PageOfFourTest)
#include "tst_page_of_four.moc"
