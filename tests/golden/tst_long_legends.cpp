// SPDX-License-Identifier: Apache-2.0
// Legends of figures with more curves than anybody can tell apart.
#include <QApplication>
#include <QTest>

#include "core/analysis/training/training_curve.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_golden_text.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_csv.h"
#include "views/figure/figure_picture.h"
#include "views/figure/legend_layout.h"
#include "views/figure/pgf_writer.h"
#include "views/figures/training_curve_figure.h"

using namespace fathom;

class LongLegends : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void figureIsDumped();
  void legendIsDumped();
  void asManyAsFit();
  void paperSaysItToo();

 private:
  static FigureSpec curves(std::size_t runs);
  static std::vector<std::string> legend(const FigureSpec& spec, const char* style);
};

// Two points each, one above the other.
FigureSpec LongLegends::curves(std::size_t runs) {
  TrainingCurveResult result;
  for (std::size_t i = 0; i < runs; ++i) {
    TrainingCurve curve;
    curve.name = "run " + std::to_string(i + 1);
    curve.runs = {"uuid-" + std::to_string(i + 1)};
    curve.outcomes = {RunState::Finished};
    curve.x = {100, 200};
    curve.value = {double(i) + 2, double(i) + 1};
    result.curves.push_back(std::move(curve));
  }
  return trainingCurveFigure(result, {});
}

std::vector<std::string> LongLegends::legend(const FigureSpec& spec, const char* style) {
  const FigureStyle look = figureStyle(QLatin1String(style)).value();
  FigureRenderer renderer;
  renderer.setFigure(spec, look).value();
  (void)figurePicture(renderer, figureSize(spec, look), 1);
  std::vector<std::string> lines;
  for (const LegendEntry& entry : renderer.layout().panels.front().legend)
    lines.push_back(entry.text.line.plain().toStdString());
  return lines;
}

void LongLegends::figureIsDumped() {
  const QString problem = test::goldenProblem(figureDump(curves(18)), "long_legend.txt");
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

// The same on screen and on paper.
void LongLegends::legendIsDumped() {
  std::string text;
  for (const std::string& line : legend(curves(500), "acl")) text += line + "\n";
  const QString problem = test::goldenProblem(text, "long_legend_lines.txt");
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
  for (const char* style : {"screen_light", "slide"})
    QCOMPARE(legend(curves(500), style), legend(curves(500), "acl"));
}

void LongLegends::asManyAsFit() {
  const std::vector<std::string> all = legend(curves(kMostLegendLines), "acl");
  QCOMPARE(all.size(), kMostLegendLines);
  QCOMPARE(all.back(), "run " + std::to_string(kMostLegendLines));
  const std::vector<std::string> cut = legend(curves(kMostLegendLines + 1), "acl");
  QCOMPARE(cut.size(), kMostLegendLines);
  QCOMPARE(cut.back(), std::string("and 2 more"));
  QVERIFY(curves(kMostLegendLines).notes.empty());
  QCOMPARE(curves(500).notes.size(), std::size_t{1});
}

// The file, its numbers and the checks of a page.
void LongLegends::paperSaysItToo() {
  const FigureSpec spec = curves(500);
  const FigureStyle style = figureStyle(QStringLiteral("acl")).value();
  const std::string tex = pgfFigure(spec, style, "long").tex;
  QVERIFY(tex.find("{and 485 more}") != std::string::npos);
  QVERIFY(tex.find("{run 15}") != std::string::npos && tex.find("{run 16}") == std::string::npos);
  QVERIFY(figureCsv(spec).find(",run 500,") != std::string::npos);
  FigureRenderer renderer;
  renderer.setFigure(spec, style).value();
  const FigureSize size = figureSize(spec, style);
  QVERIFY(!figurePicture(renderer, size, 1).isNull());
  QVERIFY(size.heightMm < 120);
  const FigureChecks checks = figureChecks(renderer, size);
  QVERIFY(checks.cut.isEmpty() && checks.outside.isEmpty() && checks.overlapping.isEmpty());
  for (const QString& pair : checks.alikeInGray) QVERIFY(!pair.contains(QLatin1String("run 16")));
}

QTEST_MAIN(LongLegends)
#include "tst_long_legends.moc"
