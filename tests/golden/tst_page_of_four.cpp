// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QTest>

#include "tests/golden/support_figure_gallery.h"
#include "tests/golden/support_probe_gallery.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_picture.h"
#include "views/figures/composition_page.h"

using namespace fathom;

// Four figures as they come, of four runs, on one page of a venue.
class PageOfFourTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void fitsThePageOfTheVenue_data();
  void fitsThePageOfTheVenue();
};

void PageOfFourTest::fitsThePageOfTheVenue_data() {
  QTest::addColumn<QString>("style");
  QTest::addColumn<int>("layers");
  for (const char* style : {"acl_wide", "icml_wide", "aaai_wide", "neurips"})
    for (const int layers : {4, 6, 12})
      QTest::addRow("%s, %d layers", style, layers) << QString::fromLatin1(style) << layers;
}

void PageOfFourTest::fitsThePageOfTheVenue() {
  QFETCH(QString, style);
  QFETCH(int, layers);
  std::vector<FigureSpec> specs = {gallery::trainingCurves(4, false)};
  for (const char* figure : {"attention_entropy", "gradient_norm", "beta_dependency"})
    specs.push_back(gallery::probeFigure(figure, {}, 4, layers));
  FigureComposition page;
  page.style = style.toStdString();
  const char* const ids[] = {"training_curve", "attention_entropy", "gradient_norm", "beta_dependency"};
  for (int i = 0; i < 4; ++i) {
    CompositionPanel panel;
    panel.recipe.figure = ids[i];
    panel.row = i / 2;
    panel.column = i % 2;
    page.panels.push_back(panel);
  }
  const FigureStyle look = compositionStyle(page).value();
  const ComposedPage composed = composePage(compositionPage(page, specs, look), look).value();
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(composed.spec, look).ok());
  const FigureSize size = figureSize(composed.spec, look);
  (void)figurePicture(renderer, size, 1);
  QVERIFY2(size.heightMm <= look.mostHeightMm + 1e-6, qPrintable(QString::number(size.heightMm)));
  const FigureChecks checks = figureChecks(renderer, size);
  QVERIFY2(checks.tooHighMm <= 0, qPrintable(QString::number(checks.tooHighMm)));
  const QStringList misplaced = checks.outside + checks.overlapping;
  QVERIFY2(misplaced.isEmpty(), qPrintable(misplaced.join(QStringLiteral("; "))));
}

QTEST_MAIN(PageOfFourTest)
#include "tst_page_of_four.moc"
