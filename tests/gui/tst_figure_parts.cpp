// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QTest>
#include <cmath>
#include <limits>

#include "views/figure/axis_scale.h"
#include "views/figure/distinct_text.h"
#include "views/figure/figure_renderer.h"
#include "views/figure/figure_text.h"
#include "views/figure/mark_painter.h"
#include "views/figures/attention/attention_view.h"
#include "views/figures/figure_entry.h"
#include "views/files/latex_table.h"

using namespace fathom;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

FigureSpec oneLine(std::vector<double> x, std::vector<double> y) {
  FigureSpec spec;
  FigurePanel panel;
  FigureMark mark;
  mark.label = Phrase::words("line");
  mark.selection = "run:a";
  mark.shape = LineMark{std::move(x), std::move(y)};
  panel.marks.push_back(mark);
  spec.panels.push_back(panel);
  return spec;
}

QStringList labels(const std::vector<AxisTick>& ticks) {
  QStringList list;
  for (const AxisTick& tick : ticks)
    if (!tick.minor) list << plainText(tick.label);
  return list;
}

}  // namespace

class FigureParts : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void markup_data();
  void markup();
  void longTextIsCutInTheMiddle();
  void shortWordsHaveWholeCharacters();
  void dates_data();
  void dates();
  void datesOfAnyLengthHaveTicks();
  void ticks_data();
  void ticks();
  void shortAxesHaveTwoTicks();
  void rangesOfOddData();
  void logarithmHidesAndSaysSo();
  void badFigures();
  void hitFindsThePoint();
  void hitNamesRowAndColumn();
  void tables();
  void unknownFigure();
  void screenLinesEndAtThePanel();
};

// However far a line goes beyond the panel, only what crosses it is drawn, at the same place.
void FigureParts::screenLinesEndAtThePanel() {
  MarkCanvas canvas;
  canvas.rangeX = {0, 10};
  canvas.rangeY = {0, 1};
  canvas.area = QRectF(100, 50, 400, 200);
  const QRectF near = canvas.area.adjusted(-20, -20, 20, 20);
  const auto inside = [&near](const DrawnLine& line) {
    for (const auto& piece : line.pieces)
      for (const QPointF& point : piece)
        if (!near.contains(point)) return false;
    return true;
  };
  // From far left and below to far right and above, through the middle of the panel.
  const DrawnLine steep = drawnLine({-1000, 1010}, {-100, 101}, canvas);
  QCOMPARE(steep.pieces.size(), std::size_t{1});
  QCOMPARE(steep.pieces[0].size(), std::size_t{2});
  QVERIFY(inside(steep));
  const QPointF from = steep.pieces[0][0], to = steep.pieces[0][1];
  const QPointF middle = canvas.pixel(5, 0.5);
  const double share = (middle.x() - from.x()) / (to.x() - from.x());
  QVERIFY(std::abs(from.y() + share * (to.y() - from.y()) - middle.y()) < 1e-6);
  // Out above and in again: two pieces, both corners outside left out.
  const DrawnLine arch = drawnLine({1, 4, 6, 9}, {0.5, 50, 50, 0.5}, canvas);
  QCOMPARE(arch.pieces.size(), std::size_t{2});
  QVERIFY(inside(arch));
  QCOMPARE(arch.pieces[0].front(), canvas.pixel(1, 0.5));
  QCOMPARE(arch.pieces[1].back(), canvas.pixel(9, 0.5));
  QVERIFY(drawnLine({1, 4, 9}, {50, 60, 50}, canvas).pieces.empty());
  // What is inside stays as it is; a gap stays a gap; a lone point is kept.
  const DrawnLine plain = drawnLine({1, 2, 3, 4, 5}, {0.1, 0.2, kNaN, 0.4, kNaN}, canvas);
  QCOMPARE(plain.pieces.size(), std::size_t{2});
  QCOMPARE(plain.pieces[0].size(), std::size_t{2});
  QCOMPARE(plain.pieces[1], std::vector<QPointF>{canvas.pixel(4, 0.4)});
  canvas.vector = true;  // a file keeps its points
  QCOMPARE(drawnLine({1, 4, 6, 9}, {0.5, 50, 50, 0.5}, canvas).pieces[0].size(), std::size_t{4});
}

void FigureParts::markup_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("plain");
  QTest::addColumn<QString>("latex");
  QTest::newRow("sub and sup") << "x<sub>i</sub><sup>2</sup>"
                               << "x_i^2"
                               << "x\\textsubscript{i}\\textsuperscript{2}";
  QTest::newRow("Greek") << "&beta; &mu;" << QStringLiteral("β μ")
                         << "\\ensuremath{\\beta} \\ensuremath{\\mu}";
  QTest::newRow("nested") << "<i>a<b>b</b></i>"
                          << "ab"
                          << "\\textit{a}\\textit{\\textbf{b}}";
  QTest::newRow("entities") << "a &lt; b &amp; c"
                            << "a < b & c"
                            << "a \\ensuremath{<} b \\& c";
  QTest::newRow("not ours") << "<u>&nosuch; 3 < 4"
                            << "<u>&nosuch; 3 < 4"
                            << "\\ensuremath{<}u\\ensuremath{>}\\&nosuch; 3 \\ensuremath{<} 4";
  QTest::newRow("open end") << "<i>never closed"
                            << "never closed"
                            << "\\textit{never closed}";
  QTest::newRow("close only") << "x</sup>"
                              << "x</sup>"
                              << "x\\ensuremath{<}/sup\\ensuremath{>}";
  QTest::newRow("path") << "C:\\a_b#1 50%"
                        << "C:\\a_b#1 50%"
                        << "C:\\textbackslash{}a\\_b\\#1 50\\%";
}

void FigureParts::markup() {
  QFETCH(QString, text);
  QFETCH(QString, plain);
  QFETCH(QString, latex);
  QCOMPARE(plainText(text), plain);
  QCOMPARE(latexText(text), latex);
  QCOMPARE(plainText(escapeMarkup(text)), text);
}

void FigureParts::longTextIsCutInTheMiddle() {
  const TextFont font{{QStringLiteral("DejaVu Sans")}, 9, false};
  const auto cutTo = [&](const QString& markup, double width) {
    return linesApart({markup}, font, {width}).front();
  };
  const TextLine whole(QStringLiteral("a long name that ends in seed 12"), font);
  const TextLine cut = cutTo(QStringLiteral("a long name that ends in seed 12"), whole.width() / 2);
  QVERIFY(cut.elided() && cut.width() <= whole.width() / 2);
  QVERIFY2(cut.plain().startsWith("a long") && cut.plain().endsWith("12") && cut.plain().contains(u'…'),
           qPrintable(cut.plain()));
  QVERIFY(!cutTo(QStringLiteral("x"), 100).elided());
  QVERIFY(cutTo(QStringLiteral("x"), 0.1).width() >= 0);
}

// Characters beyond the first plane have two halves in a QString.
void FigureParts::shortWordsHaveWholeCharacters() {
  QCOMPARE(shortWord("ninechars"), std::string("ninechars"));
  QCOMPARE(shortWord("tencharact"), std::string("tenc\u2026act"));
  QCOMPARE(shortWord("abc\U0001F600defgh\U0001F600ab"), std::string("abc\u2026ab"));
  QCOMPARE(shortWord("ab\U0001F600defgh\U0001F600a"), std::string("ab\U0001F600\u2026\U0001F600a"));
}

void FigureParts::ticks_data() {
  QTest::addColumn<int>("scale");
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  QTest::addColumn<QString>("expected");
  const int linear = int(AxisScale::Linear), log = int(AxisScale::Log), symlog = int(AxisScale::Symlog);
  QTest::newRow("unit") << linear << 0.0 << 1.0 << "0 0.2 0.4 0.6 0.8 1.0";
  QTest::newRow("negative") << linear << -1.0 << 1.0 << QStringLiteral("−1.0 −0.5 0 0.5 1.0");
  QTest::newRow("thousands") << linear << 0.0 << 10000.0 << "0 2k 4k 6k 8k 10k";
  QTest::newRow("below thousands") << linear << 0.0 << 4000.0 << "0 1000 2000 3000 4000";
  QTest::newRow("millions") << linear << 0.0 << 5e6 << "0 1M 2M 3M 4M 5M";
  QTest::newRow("tiny") << linear << 0.0 << 2e-5 << QStringLiteral("0 5·10^−6 10^−5 1.5·10^−5 2·10^−5");
  QTest::newRow("decades") << log << 0.0 << 3.0 << "1 10 100 1000";
  QTest::newRow("powers") << log << -6.0 << 0.0 << QStringLiteral("10^−6 10^−4 10^−2 10^0");
  QTest::newRow("within a decade") << log << std::log10(2.0) << std::log10(8.0) << "2 3 4 5 6 7 8";
  QTest::newRow("symlog") << symlog << -2.0044 << 2.0044 << QStringLiteral("0 1 −1 10 −10 100 −100");
}

void FigureParts::ticks() {
  QFETCH(int, scale);
  QFETCH(double, low);
  QFETCH(double, high);
  QFETCH(QString, expected);
  FigureAxis axis;
  axis.scale = static_cast<AxisScale>(scale);
  QCOMPARE(labels(axisTicks(axis, {low, high}, scale == int(AxisScale::Symlog) ? 7 : 5)).join(u' '),
           expected);
  const AxisMap map(axis);
  for (const double unit : {low, (low + high) / 2, high})
    QVERIFY(std::abs(map.toUnit(map.fromUnit(unit)) - unit) < 1e-9);
}

// From 2026-11-30 10:00:00 UTC on: whole steps of the clock and of the calendar, each day named once.
void FigureParts::dates_data() {
  QTest::addColumn<double>("seconds");
  QTest::addColumn<QString>("expected");
  QTest::newRow("seconds") << 10.0 << "11-30 10:00:00|10:00:02|10:00:04|10:00:06|10:00:08|10:00:10";
  QTest::newRow("hour") << 3600.0 << "11-30 10:00|10:15|10:30|10:45|11:00";
  QTest::newRow("over midnight") << 86400.0 << "11-30 12:00|18:00|12-01 00:00|06:00";
  QTest::newRow("days") << 5 * 86400.0 << "2026-12-01|2026-12-02|2026-12-03|2026-12-04|2026-12-05";
  QTest::newRow("weeks") << 30 * 86400.0 << "2026-12-07|2026-12-14|2026-12-21|2026-12-28";
  QTest::newRow("months") << 300 * 86400.0 << "2027-01|2027-04|2027-07";
  QTest::newRow("years") << 4.9 * 365 * 86400.0 << "2027|2028|2029|2030|2031";
}

void FigureParts::dates() {
  QFETCH(double, seconds);
  QFETCH(QString, expected);
  FigureAxis axis;
  axis.datesFrom = 1796032800;
  QCOMPARE(labels(axisTicks(axis, {0, seconds}, 5)).join(u'|'), expected);
  axis.datesFrom = 0;  // as the window counts them
  QCOMPARE(labels(axisTicks(axis, {1796032800, 1796032800 + seconds}, 5)).join(u'|'), expected);
}

void FigureParts::datesOfAnyLengthHaveTicks() {
  FigureAxis axis;
  axis.datesFrom = 0;
  for (double size = 0.01; size < 1e10; size *= 1.7)
    for (int wanted = 2; wanted < 12; wanted += 3) {
      const auto ticks = axisTicks(axis, {1796032800.5, 1796032800.5 + size}, wanted);
      QVERIFY2(ticks.size() >= 2 && ticks.size() < 40, qPrintable(QString::number(size)));
      for (std::size_t i = 1; i < ticks.size(); ++i) QVERIFY(ticks[i].unit > ticks[i - 1].unit);
      QVERIFY(ticks.front().unit >= 1796032800.4 && ticks.back().unit <= 1796032800.6 + size);
    }
  QVERIFY(axisTicks(axis, {0, std::numeric_limits<double>::infinity()}, 5).empty());
  QVERIFY(axisTicks(axis, {-1, 1}, 5).empty());
  QCOMPARE(momentText(1796032800.25), QStringLiteral("2026-11-30 10:00:00.250"));
  QCOMPARE(momentText(kNaN), QString());
}

// However narrow: a length cannot be read with one number.
void FigureParts::shortAxesHaveTwoTicks() {
  for (const AxisScale scale : {AxisScale::Linear, AxisScale::Log}) {
    FigureAxis axis;
    axis.scale = scale;
    for (double low = -4; low < 4; low += 0.13)
      for (double size = 0.05; size < 9; size *= 1.13) {
        const QStringList texts = labels(axisTicks(axis, {low, low + size}, 2));
        const auto named = texts.size() - texts.count(QString());
        QVERIFY2(named >= 2 && named <= 12,
                 qPrintable(QStringLiteral("%1 %2: ").arg(low).arg(size) + texts.join(u' ')));
      }
  }
}

void FigureParts::rangesOfOddData() {
  const FigureSpec nothing = oneLine({}, {});
  QCOMPARE(panelRange(nothing.panels[0], true).low, 0.0);
  const FigureSpec point = oneLine({5}, {7});
  QVERIFY(panelRange(point.panels[0], false).low < 7 && panelRange(point.panels[0], false).high > 7);
  const FigureSpec mixed = oneLine({1, 2, 3}, {kNaN, 4, std::numeric_limits<double>::infinity()});
  QVERIFY(std::isfinite(panelRange(mixed.panels[0], false).high));
  QCOMPARE(panelRange(mixed.panels[0], true).low, 1.0);
  FigureSpec limited = oneLine({1, 2}, {1, 2});
  limited.panels[0].y.minimum = 50;
  QVERIFY(panelRange(limited.panels[0], false).low < panelRange(limited.panels[0], false).high);
  QVERIFY(axisTicks(FigureAxis{}, {0, std::numeric_limits<double>::infinity()}, 5).size() < 500);
}

void FigureParts::logarithmHidesAndSaysSo() {
  FigureSpec spec = oneLine({1, 2, 3}, {-1, 0, 10});
  QVERIFY(figureWarnings(spec).empty());
  spec.panels[0].y.scale = AxisScale::Log;
  QCOMPARE(figureWarnings(spec).size(), std::size_t{1});
  QVERIFY2(figureWarnings(spec)[0].english().starts_with("2 values are not above 0"),
           figureWarnings(spec)[0].english().c_str());
}

// What no figure may be: refused with the place.
void FigureParts::badFigures() {
  const auto refused = [](const FigureSpec& spec, const char* place) {
    const Status checked = checkFigure(spec);
    return !checked.ok() && checked.error().text().find(place) != std::string::npos;
  };
  const FigureSpec good = oneLine({1}, {1});
  QVERIFY(checkFigure(good).ok());
  QVERIFY(refused({}, "no panel"));
  QVERIFY(refused(oneLine({1}, {1, 2}), "panels[0].marks[0] (line)"));
  FigureSpec spec = good;
  spec.panels.push_back(good.panels[0]);
  QVERIFY(refused(spec, "row 0, column 0"));
  spec = good;
  spec.panels[0].rowSpan = 900000;
  QVERIFY(refused(spec, "64"));
  spec = good;
  spec.panels[0].y.scale = AxisScale::Log;
  spec.panels[0].y.minimum = 0;
  QVERIFY(refused(spec, "panels[0].y"));
  spec = good;
  spec.widthMm = 1e9;
  QVERIFY(refused(spec, "mm"));
  CellsMark cells;
  cells.rows = cells.columns = 1000;
  cells.values = {1};
  spec = good;
  spec.panels[0].marks[0].shape = cells;
  QVERIFY(refused(spec, "1000 x 1000"));
}

void FigureParts::hitFindsThePoint() {
  FigureRenderer renderer;
  renderer.resize(500, 300);
  QVERIFY(renderer.setFigure(oneLine({0, 10, 20}, {1, 5, 2}), screenStyle(false)).ok());
  renderer.replot();
  const MarkCanvas view = renderer.canvas(0);
  const auto hit = renderer.hitAt(view.pixel(10, 5) + QPointF(2, 1));
  QVERIFY(hit.has_value());
  QCOMPARE(hit->index, std::size_t{1});
  QCOMPARE(hit->selection, QString("run:a"));
  QVERIFY2(hit->text.contains("line: x 10, y 5"), qPrintable(hit->text));
  QVERIFY(renderer.hitAt(view.pixel(5, 3)).has_value());  // on the line between two points
  QVERIFY(!renderer.hitAt(view.pixel(10, 1.2)).has_value());
  QVERIFY(!renderer.hitAt(QPointF(-5, -5)).has_value());
}

// A cell says where it lies in the words of the axes, counted on where only some are written, and what it
// stands for.
void FigureParts::hitNamesRowAndColumn() {
  FigureSpec spec = oneLine({}, {});
  FigurePanel& panel = spec.panels.front();
  panel.x.label = Phrase::words("head");
  panel.y.label = Phrase::words("token");
  panel.x.scale = panel.y.scale = AxisScale::Category;
  panel.x.categories = {"1", "", "", "4"};
  panel.y.categories = {"the", "house"};
  panel.y.reversed = true;
  FigureMark& mark = panel.marks.front();
  mark.shape = CellsMark{2, 4, {0, 1, 2, 3, 4, 5, 6.5, kNaN}, "viridis", {}, {}, {}, {}, {}};
  mark.rowParts = {"q:0", "q:1"};
  mark.columnParts = {"H0", "H1", "H2", "H3"};
  FigureRenderer renderer;
  renderer.resize(500, 300);
  QVERIFY(renderer.setFigure(spec, screenStyle(false)).ok());
  renderer.replot();
  const MarkCanvas view = renderer.canvas(0);
  const auto hit = renderer.hitAt(view.pixel(2.4, 0.6));
  QVERIFY(hit.has_value());
  QVERIFY2(hit->text.contains("token house, head 3: 6.5"), qPrintable(hit->text));
  QCOMPARE(hit->selection, QString("run:a/q:1/H2"));
  const auto nan = renderer.hitAt(view.pixel(3, 1));
  QVERIFY(nan.has_value());
  QVERIFY2(nan->text.contains("NaN"), qPrintable(nan->text));
  QCOMPARE(renderer.hitAt(view.pixel(0, 0))->selection, QString("run:a/q:0/H0"));
}

void FigureParts::tables() {
  PaperTable table;
  table.caption = "BLEU & more";
  table.columns = {
      {"model", 0}, {"BLEU", 2, TableColumn::Best::Highest}, {"ppl", 1, TableColumn::Best::Lowest}};
  SeedSummary good;
  good.runs = 3, good.finished = 2, good.mean = 28.456, good.deviation = 0.12;
  SeedSummary single;
  single.runs = single.finished = 1, single.mean = 27, single.deviation = kNaN;
  table.rows = {{"Post_LN", good, 5.04}, {"Admin, 12L", single, 4.9}, {"none", kNaN, kNaN}};
  const std::string latex = latexTable(table).value();
  for (const char* part : {"\\textbf{28.46} $\\pm$ 0.12 (failed 1/3)", "Post\\_LN", "\\textbf{4.9}",
                           "27.00 & ", "-- & --", "\\caption{BLEU \\& more}", "\\toprule"})
    QVERIFY2(latex.find(part) != std::string::npos, (std::string(part) + "\n" + latex).c_str());
  QCOMPARE(QString::fromStdString(csvTable(table).value()).split("\r\n").at(2),
           QString("\"Admin, 12L\",27,,1,0,4.9"));
  QVERIFY(markdownTable(table).value().find("| **28.46** ± 0.12 (failed 1/3) |") != std::string::npos);
  table.rows.push_back({"short"});
  QVERIFY(!latexTable(table).ok());
}

void FigureParts::unknownFigure() {
  QCOMPARE(figures().front().id, std::string("training_curve"));
  const Result<FigureEntry> entry = findFigure("training_curves");
  QVERIFY(!entry.ok());
  QVERIFY(entry.error().hint.find("training_curve") != std::string::npos);
}

QTEST_MAIN(FigureParts)
#include "tst_figure_parts.moc"
