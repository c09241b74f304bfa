// SPDX-License-Identifier: Apache-2.0
#include <QComboBox>
#include <QTest>

#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_figures_window.h"
#include "views/figure/figure_style.h"
#include "views/panels/figures/page_view.h"

using namespace fathom;

// Four figures of the list as they come, of four runs: a page of every venue in its full width. One column of
// a page is half of that.
class FourFiguresTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void fitOnePageOfEveryVenue_data();
  void fitOnePageOfEveryVenue();
};

void FourFiguresTest::fitOnePageOfEveryVenue_data() {
  QTest::addColumn<int>("layers");
  for (const int layers : {2, 6}) QTest::addRow("%d layers", layers) << layers;
}

void FourFiguresTest::fitOnePageOfEveryVenue() {
  QFETCH(int, layers);
  constexpr int kHeads = 4;
  QStringList runs;
  for (const char* name : {"Post-LN", "Pre-LN", "Admin", "DT-Fixup"}) {
    const std::string run = m_fixture->addRun(name);
    test::storeResult(run, "attention_entropy", "init", test::madeEntropy(layers, kHeads, 0.01));
    test::storeResult(run, "beta_dependency", "init", test::madeDependency(2 * layers, 0));
    test::storeResult(run, "gradient_norm", "init", test::madeNorms(layers));
    runs.append(QString::fromStdString(RunFolder(run).identity()->uuid));
  }
  QVERIFY(open());
  m_window->selection()->set(Dimension::Run, runs, runs.first(), nullptr);
  for (const char* kind : {"training_curve", "attention_entropy", "beta_dependency", "gradient_norm"})
    QVERIFY(add(kind));
  QCOMPARE(page().panels.size(), std::size_t{4});
  for (const CompositionPanel& panel : page().panels) QCOMPARE(panel.recipe.runs.size(), std::size_t{4});
  auto* styles = figures()->form()->findChild<QComboBox*>("pageStyle");
  QStringList problems;
  int venues = 0;
  constexpr double kFullWidthMm = 130;
  for (const FigureStyle& style : figureStyles()) {
    if (style.widthMm < kFullWidthMm || style.id.startsWith(QLatin1String("screen")) ||
        style.pageHeightMm > 0)
      continue;
    const int index = styles->findData(style.id);
    QVERIFY2(index >= 0, qPrintable(style.id));
    styles->setFocus();
    while (styles->currentIndex() != index)
      QTest::keyClick(styles, styles->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    QVERIFY(settled());
    const FigureChecks& checks = figures()->page()->checks();
    if (checks.tooHighMm > 0) problems.append(style.id + QStringLiteral(": %1 mm").arg(checks.tooHighMm));
    for (const QStringList& list : {checks.outside, checks.overlapping})
      if (!list.isEmpty()) problems.append(style.id + QStringLiteral(": ") + list.join(u'|'));
    ++venues;
  }
  QVERIFY(venues >= 7);
  QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

QTEST_MAIN(FourFiguresTest)
#include "tst_four_figures.moc"
