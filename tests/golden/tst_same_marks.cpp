// SPDX-License-Identifier: Apache-2.0
// What every writer of a figure draws is the same: marks inside of their frames, dashes, points that stand
// alone, finite limits; and text taken out of a PDF is the text that was drawn.
#include <QApplication>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <limits>

#include "support_figure_gallery.h"
#include "support_page_inspection.h"
#include "views/figure/axis_scale.h"
#include "views/figure/figure_picture.h"
#include "views/figure/legend_layout.h"
#include "views/figure/pgf_writer.h"
#include "views/figure/value_axis.h"
#include "views/files/figure_export.h"
#include "views/files/latex_table.h"

using namespace fathom;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

FigureStyle styleOf(const char* id) {
  return figureStyle(QLatin1String(id)).value();
}

QString texOf(const FigureSpec& spec, const char* style) {
  return QString::fromStdString(pgfFigure(spec, styleOf(style), "figure").tex);
}

FigureSpec lineFigure(std::vector<double> x, std::vector<double> y) {
  FigureSpec spec = gallery::onePoint();
  std::get<LineMark>(spec.panels[0].marks[0].shape) = {std::move(x), std::move(y)};
  return spec;
}

// Two rows of violins up to 2.8 nats, as a small model has them.
FigureSpec lowEntropies() {
  FigureSpec spec = gallery::violinGrid();
  auto& grid = std::get<GridMark>(spec.panels[0].marks[0].shape);
  grid.maximum = 2.8;
  for (GridCell& cell : grid.cells) cell.x.clear(), cell.y.clear(), cell.median = 1;
  return spec;
}

}  // namespace

class SameMarks : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void thresholdsStayInTheirRow();
  void rulesOutsideAreNotDrawn();
  void nothingOfAnSvgLeavesTheFrame();
  void pointsAloneAreDotsForLatex();
  void dashesAreTheSame();
  void samplesShowTheDashes_data();
  void samplesShowTheDashes();
  void wordsOfALegendShrinkTogether();
  void limitsAreFinite_data();
  void limitsAreFinite();
  void textComesOutAsItWasDrawn();
  void filesBesideHavePlainNames();
  void tablesDefineTheirLetters();
  void everyKindCompilesAlone();
};

void SameMarks::thresholdsStayInTheirRow() {
  const QString thin = QStringLiteral("line width=0.5pt, line cap=rect] (axis description cs:");
  QCOMPARE(std::get<GridMark>(lowEntropies().panels[0].marks[0].shape).thresholds.size(), std::size_t{2});
  QCOMPARE(shownThresholds(std::get<GridMark>(lowEntropies().panels[0].marks[0].shape)),
           (std::vector<double>{1.5}));
  FigureSpec none = lowEntropies();
  std::get<GridMark>(none.panels[0].marks[0].shape).thresholds.clear();
  const auto count = [&](const FigureSpec& spec) { return texOf(spec, "acl_wide").count(thin); };
  QCOMPARE(count(lowEntropies()) - count(none), qsizetype{144});  // one for each head, not two
  // The picture is that of the threshold which is there.
  FigureSpec one = lowEntropies();
  std::get<GridMark>(one.panels[0].marks[0].shape).thresholds = {1.5};
  const auto picture = [](const FigureSpec& spec) {
    return figureBytes(spec, styleOf("acl_wide"), FigureFormat::Png, {0, 100}).value();
  };
  QCOMPARE(picture(lowEntropies()), picture(one));
}

void SameMarks::rulesOutsideAreNotDrawn() {
  FigureSpec spec = lineFigure({0, 1}, {0, 1});
  spec.panels[0].y.minimum = 0;
  spec.panels[0].y.maximum = 1;
  const QString before = texOf(spec, "acl");
  const QByteArray svg = figureBytes(spec, styleOf("acl"), FigureFormat::Svg).value();
  FigureMark rule;
  rule.shape = RuleMark{1.5, false};
  spec.panels[0].marks.push_back(rule);
  QCOMPARE(texOf(spec, "acl"), before);
  const auto paths = [](const QByteArray& bytes) { return bytes.count("<path") + bytes.count("<polyline"); };
  QCOMPARE(paths(figureBytes(spec, styleOf("acl"), FigureFormat::Svg).value()), paths(svg));
  std::get<RuleMark>(spec.panels[0].marks.back().shape).position = 1;  // on the frame
  QVERIFY(texOf(spec, "acl") != before);
}

void SameMarks::nothingOfAnSvgLeavesTheFrame() {
  FigureSpec spec = lineFigure({0, 1}, {0, 1});
  spec.panels[0].y.minimum = 0;
  spec.panels[0].y.maximum = 1;
  spec.panels[0].legend = LegendPlace::None;
  const auto add = [&spec](MarkShape shape) {
    FigureMark mark;
    mark.shape = std::move(shape);
    mark.style.fill = 0.5;
    spec.panels[0].marks.push_back(std::move(mark));
  };
  add(BandMark{{0, 1}, {0.5, 0.5}, {900, 900}});
  add(SegmentsMark{{0.5}, {0.5}, {0.5}, {-900}, {}});
  add(PolygonMark{{0.2, 0.4, 0.4}, {0.2, 700, 0.2}});
  const QString svg = QString::fromUtf8(figureBytes(spec, styleOf("acl"), FigureFormat::Svg).value());
  const double high = unitsOfMm(figureSize(spec, styleOf("acl")).heightMm);
  auto found = QRegularExpression(QStringLiteral("[ML,]-?[\\d.]+,(-?[\\d.]+)")).globalMatch(svg);
  QVERIFY(found.hasNext());
  while (found.hasNext()) {
    const double y = found.next().captured(1).toDouble();
    // Letters are outlines about their own origin.
    constexpr double kLetter = 40;
    QVERIFY2(y > -kLetter && y < high + kLetter, qPrintable(QString::number(y)));
  }
}

void SameMarks::pointsAloneAreDotsForLatex() {
  const QString tex = texOf(lineFigure({1, 2, 3, 4, 5}, {1, kNaN, 2, kNaN, 3}), "acl");
  QCOMPARE(tex.count(QStringLiteral("only marks")), qsizetype{1});
  const std::string data =
      pgfFigure(lineFigure({1, 2, 3, 4, 5}, {1, kNaN, 2, kNaN, 3}), styleOf("acl"), "f").data;
  QVERIFY2(data.find("m0x m0y m1x m1y\n1 1 1 1\n2 nan 3 2\n3 2 5 3\n") == 0, data.c_str());
  QVERIFY(!texOf(lineFigure({1, 2, 3}, {1, 2, 3}), "acl").contains(QStringLiteral("only marks")));
}

void SameMarks::dashesAreTheSame() {
  FigureSpec spec = lineFigure({1, 2}, {1, 2});
  spec.panels[0].marks[0].style.dash = LineDash::Dash;
  QVERIFY(texOf(spec, "acl").contains(QStringLiteral("dash pattern=on 5pt off 3pt")));
  QVERIFY(texOf(spec, "slide").contains(QStringLiteral("dash pattern=on 12.5pt off 7.5pt")));
}

void SameMarks::samplesShowTheDashes_data() {
  QTest::addColumn<QString>("style");
  for (const FigureStyle& style : figureStyles()) QTest::newRow(qPrintable(style.id)) << style.id;
}

// A dash, a gap and a part of the next dash.
void SameMarks::samplesShowTheDashes() {
  QFETCH(QString, style);
  const FigureStyle look = figureStyle(style).value();
  FigureSpec spec = lineFigure({1, 2}, {1, 2});
  spec.panels[0].legend = LegendPlace::Below;
  FigureRenderer renderer;
  QVERIFY(renderer.setFigure(spec, look).ok());
  figurePicture(renderer, figureSize(spec, look), 0.1);  // lays out
  const double sample = renderer.layout().panels[0].legend.at(0).sample.width();
  QVERIFY2(sample >= 10 * unitsOf(look.linePoints), qPrintable(QString::number(sample)));
}

void SameMarks::wordsOfALegendShrinkTogether() {
  const QString tex = texOf(gallery::trainingCurves(7, true), "acl_wide");
  QCOMPARE(tex.count(QStringLiteral("\\fathommeasure{")),
           tex.count(QStringLiteral("{\\scalebox{\\csname fathomscale0\\endcsname}")));
  QVERIFY(tex.count(QStringLiteral("\\fathommeasure{")) >= 7);
}

void SameMarks::limitsAreFinite_data() {
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  constexpr double kMost = std::numeric_limits<double>::max();
  QTest::newRow("largest") << 0.0 << kMost;
  QTest::newRow("both ends") << -kMost << kMost;
  QTest::newRow("near") << 0.97 * kMost << kMost;
}

void SameMarks::limitsAreFinite() {
  QFETCH(double, low);
  QFETCH(double, high);
  FigureSpec spec = lineFigure({1, 2}, {low, high});
  for (const AxisScale scale : {AxisScale::Linear, AxisScale::Log, AxisScale::Symlog}) {
    spec.panels[0].y.scale = scale;
    const AxisRange range = panelRange(spec.panels[0], false);
    QVERIFY(std::isfinite(range.low) && std::isfinite(range.high) && std::isfinite(range.size()));
    QVERIFY(range.low < range.high);
    const QString tex = texOf(spec, "acl");
    QVERIFY2(!tex.contains(QStringLiteral("=inf")) && !tex.contains(QStringLiteral("=nan")), qPrintable(tex));
    QVERIFY(figureBytes(spec, styleOf("acl"), FigureFormat::Pdf).ok());
  }
}

void SameMarks::textComesOutAsItWasDrawn() {
  const QString words = QString::fromUtf8("\u4e2d\u6587\u65e5\u672c\u8a9e");
  if (!familyCovers(QStringLiteral("Noto Serif CJK SC"), U'\u6587')) QSKIP("fonts-noto-cjk is not installed");
  FigureSpec spec = gallery::onePoint();
  spec.panels[0].x.label = Phrase::words(words.toStdString());
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("f.pdf"));
  QVERIFY(exportFigure(spec, styleOf("acl"), path.toStdString()).ok());
  if (!test::installed({"pdftotext"})) QSKIP("poppler-utils is not installed");
  QProcess reader;
  reader.start(QStringLiteral("pdftotext"), {path, QStringLiteral("-")});
  QVERIFY(reader.waitForFinished(60000));
  const QString text = QString::fromUtf8(reader.readAllStandardOutput());
  QVERIFY2(text.contains(words), qPrintable(text));
}

void SameMarks::filesBesideHavePlainNames() {
  QCOMPARE(pgfStem("curve"), std::string("curve"));
  QCOMPARE(pgfStem("my fig_1"), std::string("my fig_1"));
  QCOMPARE(pgfStem("a%b#c{d}~"), std::string("ax25bx23cx7bdx7dx7e"));
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("a%b.tex"));
  QVERIFY(exportFigure(gallery::everyMark(), styleOf("acl_wide"), path.toStdString()).ok());
  QVERIFY(QFile::exists(folder.filePath(QStringLiteral("ax25b.dat"))));
  QVERIFY(QFile::exists(folder.filePath(QStringLiteral("ax25b-1.png"))));
}

namespace {

PaperTable foreignTable() {
  PaperTable table;
  table.label = "tab:scores";
  table.columns = {{"model"}, {"score", 2}};
  table.rows = {{std::string("\u6a21\u578b"), 1.0}, {std::string("\u0394 model"), 2.0}};
  return table;
}

}  // namespace

void SameMarks::tablesDefineTheirLetters() {
  PaperTable table = foreignTable();
  const std::string tex = latexTable(table).value();
  QVERIFY(tex.find("\\def\\fathomletter") < tex.find("\\fathomletter{"));
  // Alone it would be the number of the section.
  QVERIFY(tex.find("\\ifdefined\\fathomcaption\\caption{\\fathomcaption}\\label{tab:scores}") !=
          std::string::npos);
  table.caption = "Scores.";
  const std::string numbered = latexTable(table).value();
  QVERIFY(numbered.find("\\caption{Scores.}\n  \\label{tab:scores}") != std::string::npos);
  table.rows.erase(table.rows.begin());
  QVERIFY(latexTable(table).value().find("fathomletter") == std::string::npos);
  QVERIFY(numbered.find("fathomcaption") == std::string::npos);
}

// With the packages that its head names, from another folder, whatever its name is.
void SameMarks::everyKindCompilesAlone() {
  if (!test::installed({"pdflatex"}) || !test::installedTexFile("pgfplots.sty") ||
      !test::installedTexFile("booktabs.sty"))
    QSKIP("pdflatex with pgfplots and booktabs is not installed");
  QTemporaryDir folder;
  QDir(folder.path()).mkdir(QStringLiteral("figures"));
  const auto write = [&folder](const QString& name, const QByteArray& text) {
    QFile file(folder.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
  };
  const auto compile = [&](const QByteArray& packages, const QByteArray& input) {
    write(QStringLiteral("main.tex"),
          "\\documentclass{article}" + packages + "\\begin{document}\\input{" + input + "}\\end{document}\n");
    QProcess latex;
    latex.setWorkingDirectory(folder.path());
    latex.start(QStringLiteral("pdflatex"), {QStringLiteral("-interaction=nonstopmode"),
                                             QStringLiteral("-halt-on-error"), QStringLiteral("main.tex")});
    const bool done = latex.waitForFinished(120000) && latex.exitCode() == 0;
    return done ? QString()
                : QString::fromUtf8(latex.readAllStandardOutput()).section(QStringLiteral("\n!"), 1);
  };
  const QByteArray plots = "\\usepackage{pgfplots}\\pgfplotsset{compat=1.17}";
  const auto exported = [&](const char* name, const FigureSpec& spec) {
    return exportFigure(spec, styleOf("acl_wide"), folder.filePath(QLatin1String(name)).toStdString()).ok();
  };
  QVERIFY(exported("figures/curves.tex", gallery::trainingCurves(7, true)));
  QCOMPARE(compile(plots, "figures/curves.tex"), QString());
  QVERIFY(exported("figures/all.tex", gallery::everyMark()));
  QCOMPARE(compile(plots, "figures/all.tex"), QString());
  QVERIFY(exported("low.tex", lowEntropies()));
  QCOMPARE(compile(plots, "low.tex"), QString());
  QVERIFY(exported("a%b#c.tex", gallery::everyMark()));
  QVERIFY(
      QFile::copy(folder.filePath(QStringLiteral("a%b#c.tex")), folder.filePath(QStringLiteral("body.tex"))));
  QCOMPARE(compile(plots, "body.tex"), QString());
  PaperTable table = foreignTable();
  table.caption = "\u6a21\u578b of &Delta;.";
  QVERIFY(write(QStringLiteral("table.tex"), QByteArray::fromStdString(latexTable(table).value())));
  QCOMPARE(compile("\\usepackage{booktabs}", "table.tex"), QString());
  // The number of the table where the document gives a caption, and no stray number where it gives none.
  table.caption.clear();
  QVERIFY(write(QStringLiteral("open.tex"), QByteArray::fromStdString(latexTable(table).value())));
  QCOMPARE(compile("\\usepackage{booktabs}", "open.tex"), QString());
  const QByteArray packages = "\\usepackage{booktabs}\\newcommand\\fathomcaption{Scores.}";
  QCOMPARE(compile(packages, "open.tex}\\input{open.tex"), QString());
  QFile numbers(folder.filePath(QStringLiteral("main.aux")));
  QVERIFY(numbers.open(QIODevice::ReadOnly));
  const QByteArray aux = numbers.readAll();
  QCOMPARE(aux.count("\\newlabel{tab:scores}{{1}"), qsizetype{1});
}

QTEST_MAIN(SameMarks)
#include "tst_same_marks.moc"
