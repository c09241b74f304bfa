// SPDX-License-Identifier: Apache-2.0
// Every kind of figure has the same marks in the renderer's files and in those for LaTeX: points, lines,
// dashes, areas, thresholds and texts, in one place, colour and size.
#include <QApplication>
#include <QRegularExpression>
#include <QTest>
#include <cmath>

#include "support_figure_gallery.h"
#include "support_kinds_gallery.h"
#include "support_latex_page.h"
#include "views/figures/figure_height.h"

using namespace fathom;

namespace {

FigureStyle lookOf(const QString& id) {
  return figureStyle(id).value();
}

QString differenceOf(const FigureSpec& spec, const FigureStyle& style, const PgfFigure& figure) {
  QString unread;
  const test::DrawnPage latex = test::pageOfLatex(figure, unread);
  if (!unread.isEmpty()) return QStringLiteral("not understood: ") + unread;
  return test::pageDifference(test::pageOfRenderer(spec, style), latex);
}

QString differenceOf(const FigureSpec& spec, const FigureStyle& style) {
  return differenceOf(spec, style, pgfFigure(spec, style, "figure"));
}

// Marks that end outside of their frame, points that stand alone, pale colours.
FigureSpec pastTheFrame() {
  FigureSpec spec = gallery::onePoint();
  FigurePanel& panel = spec.panels[0];
  panel.marks.clear();
  panel.legend = LegendPlace::Below;
  panel.x.minimum = panel.y.minimum = 0;
  panel.x.maximum = panel.y.maximum = 1;
  const auto add = [&panel](MarkShape shape, const char* label = "") {
    FigureMark mark;
    mark.shape = std::move(shape);
    mark.style.fill = 0.5;
    mark.style.opacity = 0.4;
    mark.style.colour = "series:" + std::to_string(panel.marks.size());
    if (label[0] != 0) mark.label = Phrase::words(label);
    panel.marks.push_back(std::move(mark));
  };
  const double gap = std::nan("");
  add(LineMark{{-1, 0.2, 0.3, 0.4, 0.5, 0.6}, {-1, 0.5, gap, 0.3, gap, 4}}, "line");
  add(PointsMark{{0.1, 0.9, 1.4, 1}, {0.1, 0.9, 0.5, 1}}, "points");
  add(BandMark{{0, 1}, {0.5, 0.5}, {9, 9}}, "band");
  add(SegmentsMark{{0.5, 0.7}, {0.5, 0.2}, {0.5, 0.9}, {-9, 0.2}, {1, 0.5}});
  add(PolygonMark{{0.2, 0.4, 0.4}, {0.2, 7, 0.2}});
  add(BoxMark{0.8, 0.1, -1, 0.2, 0.4, 3, 5, {0.95, 6}});
  add(ViolinMark{0.3, 0.2, {-1, 0.5, 2}, {0.2, 1, 0.3}, 0.2, 0.6, 3});
  add(BarsMark{{0.1, 0.6}, {0.8, 2}, {0.5, 0.1}, 0.1, 0}, "bars");
  add(RuleMark{0.25, true});
  add(RuleMark{1.5, false});
  add(TextMark{0.99, 0.5, Phrase::words("words at the edge"), TextAnchor::Left});
  add(TextMark{2, 0.5, Phrase::words("words outside"), TextAnchor::Left});
  for (const MarkerShape shape :
       {MarkerShape::Square, MarkerShape::Diamond, MarkerShape::Triangle, MarkerShape::Cross}) {
    add(PointsMark{{0.05 * static_cast<double>(panel.marks.size())}, {0.7}});
    panel.marks.back().style.marker = shape;
  }
  for (const LineDash dash : {LineDash::Dash, LineDash::Dot, LineDash::DashDot}) {
    add(LineMark{{0, 1}, {0.1 * static_cast<double>(panel.marks.size() - 12), 0.1}}, "dashed");
    panel.marks.back().style.dash = dash;
  }
  return spec;
}

}  // namespace

class BothWriters : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyKind_data();
  void everyKind();
  void everyMark_data();
  void everyMark();
  void differencesAreFound_data();
  void differencesAreFound();
  void anotherOrderOfCurvesIsFound();
};

void BothWriters::everyKind_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("style");
  for (const QString& name : gallery::everyFigure())
    for (const char* style : {"acl", "acl_wide", "slide"})
      QTest::newRow(qPrintable(name + u' ' + QLatin1String(style))) << name << QString::fromLatin1(style);
}

void BothWriters::everyKind() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  Result<FigureSpec> spec = gallery::namedFigure(name);
  QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
  spec->heightMm = heightFor(*spec, lookOf(style));
  const QString difference = differenceOf(*spec, lookOf(style));
  QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void BothWriters::everyMark_data() {
  QTest::addColumn<QString>("style");
  for (const char* style : {"acl_wide", "slide", "screen_dark"})
    QTest::newRow(style) << QString::fromLatin1(style);
}

void BothWriters::everyMark() {
  QFETCH(QString, style);
  for (const FigureSpec& spec : {gallery::everyMark(), gallery::violinGrid(), gallery::onePoint(),
                                 gallery::trainingCurves(7, true), pastTheFrame()}) {
    const QString difference = differenceOf(spec, lookOf(style));
    QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(spec.id) + u'\n' + difference));
  }
  const FigureStyle gray = grayscaleStyle(lookOf(style));
  const QString difference = differenceOf(pastTheFrame(), gray);
  QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void BothWriters::differencesAreFound_data() {
  QTest::addColumn<QString>("pattern");
  QTest::addColumn<QString>("instead");
  QTest::newRow("a line is gone") << "\\\\addplot\\[draw=[^\\n]*no marks\\] table[^\\n]*\\n"
                                  << "";
  QTest::newRow("points are gone") << "\\\\addplot\\[only marks[^\\n]*\\n"
                                   << "";
  QTest::newRow("another dash") << "dash pattern=on 5pt"
                                << "dash pattern=on 4pt";
  QTest::newRow("a solid line") << "dash pattern=on 5pt off 3pt\\]"
                                << "solid]";
  QTest::newRow("another width") << "line width=1pt"
                                 << "line width=1.2pt";
  QTest::newRow("a text is gone") << "\\\\node[^\\n]*words at the edge[^\\n]*\\n"
                                  << "";
  QTest::newRow("other words") << "words at the edge"
                               << "words at an edge";
  QTest::newRow("a smaller text") << "font=\\\\fontsize\\{7\\}"
                                  << "font=\\fontsize{6}";
  QTest::newRow("another colour") << "fill=\\{rgb,255:red,\\d+"
                                  << "fill={rgb,255:red,77";
  QTest::newRow("another opacity") << "fill opacity=0.5"
                                   << "fill opacity=0.8";
  QTest::newRow("a rectangle elsewhere") << "\\(axis description cs:0.05,0\\) rectangle"
                                         << "(axis description cs:0.07,0) rectangle";
  QTest::newRow("a rule is gone") << "\\\\draw[^\\n]*cs:0.25,1[^\\n]*\\n"
                                  << "";
  QTest::newRow("markers in front") << "clip mode=individual"
                                    << "clip marker paths=false";
  QTest::newRow("another order") << "(\\\\addplot\\[only marks[^\\n]*\\n)(\\\\addplot\\[draw=none[^\\n]*\\n)"
                                 << "\\2\\1";
  QTest::newRow("a larger dot") << "mark size=1.5pt"
                                << "mark size=2pt";
  QTest::newRow("another axis") << "ymax=1,"
                                << "ymax=1.1,";
  QTest::newRow("what nobody reads") << "\\\\end\\{axis\\}"
                                     << "\\shade (0,0) circle (1);\n\\end{axis}";
}

void BothWriters::differencesAreFound() {
  QFETCH(QString, pattern);
  QFETCH(QString, instead);
  const FigureSpec spec = pastTheFrame();
  PgfFigure figure = pgfFigure(spec, lookOf(QStringLiteral("acl")), "figure");
  const QString whole = QString::fromStdString(figure.tex);
  const auto found = QRegularExpression(pattern).match(whole);
  QVERIFY2(found.hasMatch(), qPrintable(whole));
  instead.replace(QLatin1String("\\1"), found.captured(1)).replace(QLatin1String("\\2"), found.captured(2));
  figure.tex = (whole.left(found.capturedStart()) + instead + whole.mid(found.capturedEnd())).toStdString();
  QVERIFY(!differenceOf(spec, lookOf(QStringLiteral("acl")), figure).isEmpty());
}

// What was recorded lies pale below what was smoothed, of every run before the next one.
void BothWriters::anotherOrderOfCurvesIsFound() {
  const FigureSpec spec = gallery::trainingCurves(7, true);
  PgfFigure figure = pgfFigure(spec, lookOf(QStringLiteral("slide")), "figure");
  QStringList lines = QString::fromStdString(figure.tex).split(u'\n');
  const QStringList curves =
      lines.filter(QRegularExpression(QStringLiteral("^\\\\addplot\\[draw=.*no marks")));
  QCOMPARE(curves.size(), qsizetype{14});
  lines.swapItemsAt(lines.indexOf(curves[0]), lines.indexOf(curves[1]));
  figure.tex = lines.join(u'\n').toStdString();
  const QString found = differenceOf(spec, lookOf(QStringLiteral("slide")), figure);
  QVERIFY2(found.startsWith(QStringLiteral("something hides something else")), qPrintable(found));
}

QTEST_MAIN(BothWriters)
#include "tst_both_writers.moc"
