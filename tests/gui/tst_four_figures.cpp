// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QTest>

#include "app/window/figures/fresh_row.h"
#include "core/library/figures/panel_places.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_analysis_results.h"
#include "tests/gui/support_figures_window.h"
#include "views/figure/figure_style.h"
#include "views/panels/figures/check_strip.h"
#include "views/panels/figures/page_view.h"

using namespace fathom;

// Four figures of the list as they come, of four runs: a page of every venue. Where one column of it is too
// narrow for two figures beside each other, one click puts them below each other.
class FourFiguresTest : public test::FiguresWindowTest {
  Q_OBJECT
 private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }
  void fitOnePageOfEveryVenue_data();
  void fitOnePageOfEveryVenue();
  void oneColumnHasThemBelowEachOther();

 private:
  bool openWithFour(int layers);
  bool addFour() {
    for (const char* kind : {"training_curve", "attention_entropy", "beta_dependency", "gradient_norm"})
      if (!add(kind)) return false;
    return true;
  }
  bool choose(const QString& style);
  // Of the page as it is drawn; empty: it fits.
  QStringList faults(const FigureStyle& style) const;
};

void FourFiguresTest::fitOnePageOfEveryVenue_data() {
  QTest::addColumn<int>("layers");
  for (const int layers : {2, 6, 12}) QTest::addRow("%d layers", layers) << layers;
}

bool FourFiguresTest::openWithFour(int layers) {
  constexpr int kHeads = 4;
  QStringList runs;
  for (const char* name : {"Post-LN", "Pre-LN", "Admin", "DT-Fixup"}) {
    const std::string run = m_fixture->addRun(name);
    test::storeResult(run, "attention_entropy", "init", test::madeEntropy(layers, kHeads, 0.01));
    test::storeResult(run, "beta_dependency", "init", test::madeDependency(2 * layers, 0));
    test::storeResult(run, "gradient_norm", "init", test::madeNorms(layers));
    runs.append(QString::fromStdString(RunFolder(run).identity()->uuid));
  }
  if (!open()) return false;
  m_window->selection()->set(Dimension::Run, runs, runs.first(), nullptr);
  return true;
}

bool FourFiguresTest::choose(const QString& style) {
  auto* styles = figures()->form()->findChild<QComboBox*>("pageStyle");
  const int index = styles->findData(style);
  if (index < 0) return false;
  styles->setFocus();
  while (styles->currentIndex() != index)
    QTest::keyClick(styles, styles->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
  return settled();
}

QStringList FourFiguresTest::faults(const FigureStyle& style) const {
  const PageView* view = figures()->page();
  QStringList found;
  if (const double high = view->pageSize().heightMm - style.mostHeightMm; high > 1e-6)
    found.append(QStringLiteral("%1 mm too high").arg(high));
  const FigureChecks& checks = view->checks();
  for (const QStringList& list : {checks.outside, checks.overlapping}) found += list;
  const QSizeF paper = view->paper().size();
  for (int figure = 0; figure < 4; ++figure) {
    const QRectF box = view->figureBox(figure);
    if (box.isEmpty() || box.width() > paper.width() + 1 || box.height() > paper.height() + 1)
      found.append(QStringLiteral("figure %1 is no part of the page").arg(figure));
    for (int other = 0; other < figure; ++other)
      if (box.adjusted(1, 1, -1, -1).intersects(view->figureBox(other).adjusted(1, 1, -1, -1)))
        found.append(QStringLiteral("figure %1 on %2").arg(figure).arg(other));
  }
  return found;
}

void FourFiguresTest::fitOnePageOfEveryVenue() {
  QFETCH(int, layers);
  QVERIFY(openWithFour(layers) && addFour());
  QCOMPARE(page().panels.size(), std::size_t{4});
  for (const CompositionPanel& panel : page().panels) QCOMPARE(panel.recipe.runs.size(), std::size_t{4});
  // No place of the page is left empty.
  QCOMPARE(rowsOf(page()) * columnsOf(page()), 4);
  auto* fit = figures()->widget()->findChild<CheckStrip*>()->findChild<QPushButton*>("fitPage");
  QStringList problems;
  int wide = 0, narrow = 0;
  for (const FigureStyle& style : figureStyles()) {
    if (style.id.startsWith(QLatin1String("screen")) || style.pageHeightMm > 0) continue;
    QVERIFY2(choose(style.id), qPrintable(style.id));
    const bool pressed = fit->isVisible();
    if (pressed) {
      QTest::mouseClick(fit, Qt::LeftButton);
      QVERIFY(settled());
    }
    ++(style.widthMm < 2 * kLeastColumnMm ? narrow : wide);
    if (pressed && style.widthMm >= 2 * kLeastColumnMm) problems.append(style.id + ": had to be made to fit");
    for (const QString& fault : faults(style)) problems.append(style.id + QStringLiteral(": ") + fault);
    if (fit->isVisible()) problems.append(style.id + ": still offers to fit");
    if (!pressed) continue;
    if (columnsOf(page()) != 1) problems.append(style.id + ": more than one column");
    m_window->action("edit.undo")->trigger();
    QVERIFY(settled());
  }
  QVERIFY(wide >= 7 && narrow >= 7);
  QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

// On a page that is a column of a paper from the start nobody has to press anything.
void FourFiguresTest::oneColumnHasThemBelowEachOther() {
  QVERIFY(openWithFour(12));
  m_window->action("figures.new")->trigger();
  QVERIFY(settled() && choose(QStringLiteral("acl")) && addFour());
  QCOMPARE(columnsOf(page()), 1);
  QCOMPARE(rowsOf(page()), 4);
  const QStringList found = faults(figureStyle(QStringLiteral("acl")).value());
  QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

QTEST_MAIN(FourFiguresTest)
#include "tst_four_figures.moc"
