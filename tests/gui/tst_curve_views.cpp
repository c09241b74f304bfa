// SPDX-License-Identifier: Apache-2.0
#include <QAction>
#include <QFontInfo>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "tests/gui/support_made_curves.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figure/figure_style.h"
#include "views/figures/outlier_range.h"
#include "views/figures/training_curve_figure.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/curve_readings.h"

using namespace fathom;
using test::makeSeries;

// What the panel of the curves tells by itself: values by height, outliers, what is missing; and what a
// person puts together in it.
class CurveViewsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void hoverListsByValue();
  void hoverShowsThoseAroundThePointer();
  void outliersAreFound_data();
  void outliersAreFound();
  void spikeIsClippedWithAMark();
  void figureClipsWhereAsked();
  void metricsShareAPanel();
  void whatSelectedRunsLackIsSaid();
  void smallCurveBecomesLargeAndGoesBack();
  void curvesHaveTheTypefaceOfTheWindow();
  void aHundredMetricsAreDrawn_data();
  void aHundredMetricsAreDrawn();

 private:
  void level(int run, double value, const char* metric = "loss");
  void draw();
  QPoint middleOf(std::size_t panel) const;
  QString note() const;
  std::unique_ptr<CurvePanel> m_panel;
};

void CurveViewsTest::init() {
  m_panel = std::make_unique<CurvePanel>();
  m_panel->resize(900, 600);
  m_panel->show();
  m_panel->setMetrics({"loss"});
}

// A run whose values are all the same.
void CurveViewsTest::level(int run, double value, const char* metric) {
  CurveSeries series = makeSeries(run, QString::fromLatin1(metric), 100);
  series.values.assign(series.values.size(), value);
  m_panel->setSeries(std::move(series));
}

void CurveViewsTest::draw() {
  m_panel->drawNow();
  m_panel->canvas()->replot();
}

QPoint CurveViewsTest::middleOf(std::size_t panel) const {
  return m_panel->canvas()->canvas(panel).area.center().toPoint();
}

QString CurveViewsTest::note() const {
  const auto* label = m_panel->findChild<QLabel*>(QStringLiteral("curveNote"));
  return label->isHidden() ? QString() : label->text();
}

void CurveViewsTest::hoverListsByValue() {
  for (const auto& [run, value] :
       {std::pair{0, 2.0}, std::pair{1, 5.0}, std::pair{2, std::nan("")}, std::pair{3, 3.0}})
    level(run, value);
  draw();
  QTest::mouseMove(m_panel->canvas(), middleOf(0));
  const CurveReadings& read = m_panel->canvas()->readings();
  QStringList names;
  for (const CurveReading& line : read.lines) names.append(line.name);
  QStringList expected;
  for (const int run : {1, 3, 0, 2}) expected.append(makeSeries(run, "loss", 1).name);
  QCOMPARE(names, expected);
  QVERIFY(!read.title.isEmpty());
}

void CurveViewsTest::hoverShowsThoseAroundThePointer() {
  for (int run = 0; run < 40; ++run) level(run < 4 ? run : run + 1, run);  // 4 is cut short
  draw();
  const MarkCanvas view = m_panel->canvas()->canvas(0);
  QTest::mouseMove(m_panel->canvas(), QPoint(middleOf(0).x(), qRound(view.pixelY(7.2))));
  const CurveReadings& read = m_panel->canvas()->readings();
  QCOMPARE(int(read.lines.size()), 40);
  QCOMPARE(read.lines[read.nearest].number, 7.0);
}

void CurveViewsTest::outliersAreFound_data() {
  QTest::addColumn<QVector<QVector<double>>>("curves");
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  QVector<double> plain, falling, spike, exploded, elsewhere;
  for (int i = 0; i < 200; ++i) {
    plain.append(2 + 0.01 * (i % 10));
    falling.append(2 + 7 * std::exp(-i / 20.0));
    spike.append(i == 100 ? 1e4 : 2 + 0.01 * (i % 10));
    exploded.append(i < 120 ? 2 + 0.01 * (i % 10) : 1e6);
    elsewhere.append(500 + 0.01 * (i % 10));
  }
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  QTest::newRow("none") << QVector<QVector<double>>{plain} << 2.0 << 2.09;
  QTest::newRow("the fall at the start is none")
      << QVector<QVector<double>>{falling} << falling.last() << 9.0;
  QTest::newRow("a spike") << QVector<QVector<double>>{spike} << 2.0 << 2.09;
  QTest::newRow("one of two explodes") << QVector<QVector<double>>{plain, exploded} << 2.0 << 2.09;
  QTest::newRow("another scale altogether") << QVector<QVector<double>>{plain, elsewhere} << 2.0 << 500.09;
  QVector<double> rate(200, 1e-4);
  for (int i = 195; i < 200; ++i) rate[i] = 0;
  QTest::newRow("a schedule") << QVector<QVector<double>>{rate} << 0.0 << 1e-4;
  QTest::newRow("few points") << QVector<QVector<double>>{{1, 2, 1e6}} << 1.0 << 1e6;
  QTest::newRow("not finite") << QVector<QVector<double>>{{1, inf, nan, 3}, {nan}} << 1.0 << 3.0;
  QTest::newRow("nothing") << QVector<QVector<double>>{} << 0.0 << 0.0;
}

void CurveViewsTest::outliersAreFound() {
  QFETCH(QVector<QVector<double>>, curves);
  QFETCH(double, low);
  QFETCH(double, high);
  OutlierRange outliers;
  double least = 1e300, most = -1e300;
  for (const QVector<double>& curve : curves) {
    outliers.add({curve.cbegin(), curve.cend()});
    for (const double value : curve)
      if (std::isfinite(value)) least = std::min(least, value), most = std::max(most, value);
  }
  QVERIFY(std::abs(outliers.kept().low - low) < 1e-9);
  QVERIFY(std::abs(outliers.kept().high - high) < 1e-9);
  QCOMPARE(outliers.any(), !curves.isEmpty() && (most > high + 1e-9 || least < low - 1e-9));
}

void CurveViewsTest::spikeIsClippedWithAMark() {
  CurveSeries series = makeSeries(0, "loss", 400);
  for (std::size_t i = 0; i < series.values.size(); ++i) series.values[i] = 2 + 0.01 * double(i % 10);
  series.values[200] = 1e4;
  series.values[300] = std::numeric_limits<double>::quiet_NaN();  // its cross is no line
  m_panel->setSeries(series);
  draw();
  const auto triangles = [this] {
    int count = 0;
    for (const FigureMark& mark : m_panel->canvas()->spec().panels.front().marks)
      if (mark.style.marker == MarkerShape::Triangle) count += int(std::get<PointsMark>(mark.shape).x.size());
    return count;
  };
  QVERIFY(m_panel->canvas()->ranges(0).y.high < 3);
  QCOMPARE(triangles(), 1);
  QVERIFY2(note().contains(QStringLiteral("▲ 1")), qPrintable(note()));
  // Off by the menu, and remembered.
  auto* clip = m_panel->bar()->menu()->findChild<QAction*>(QStringLiteral("clipOutliers"));
  m_panel->bar()->menu()->popup(m_panel->mapToGlobal(QPoint()));
  QTest::mouseClick(m_panel->bar()->menu(), Qt::LeftButton, {},
                    m_panel->bar()->menu()->actionGeometry(clip).center());
  draw();
  QVERIFY(m_panel->canvas()->ranges(0).y.high > 9e3);
  QCOMPARE(triangles(), 0);
  QVERIFY2(!note().contains(QStringLiteral("▲")), qPrintable(note()));
  CurvePanel later;
  later.restoreView(m_panel->saveView());
  QVERIFY(!later.bar()->choices().clip);
  for (const QString& option : m_panel->figureOptions()) QVERIFY(!option.startsWith(QLatin1String("clip")));
}

void CurveViewsTest::figureClipsWhereAsked() {
  TrainingCurveResult result;
  result.request.metric = "loss";
  TrainingCurve curve;
  curve.name = "run";
  curve.runs = {"run"};
  curve.outcomes = {RunState::Finished};
  for (int i = 0; i < 100; ++i) {
    curve.x.push_back(i);
    curve.value.push_back(i == 50 ? 1e5 : 2 + 0.01 * (i % 10));
  }
  result.curves.push_back(curve);
  TrainingCurveLook look;
  QVERIFY(!trainingCurveFigure(result, look).panels.front().y.maximum);
  look.clipOutliers = true;
  const FigureSpec spec = trainingCurveFigure(result, look);
  QVERIFY(*spec.panels.front().y.maximum < 3);
  QCOMPARE(spec.panels.front().marks.back().style.marker, MarkerShape::Triangle);
  QVERIFY(!spec.notes.empty());
  look.maximumY = 10;  // what was asked for by hand counts
  QCOMPARE(*trainingCurveFigure(result, look).panels.front().y.maximum, 10.0);
}

void CurveViewsTest::metricsShareAPanel() {
  level(0, 2);
  level(1, 3, "train/loss");
  m_panel->setMetrics({"loss", "train/loss"});
  draw();
  QCOMPARE(m_panel->canvas()->panelCount(), std::size_t{2});
  const auto choose = [this] {
    auto* join = m_panel->bar()->findChild<QMenu*>(QStringLiteral("joinMetrics"));
    join->popup(m_panel->mapToGlobal(QPoint()));
    QAction* entry = nullptr;
    for (QAction* each : join->actions())
      if (each->data() == QStringLiteral("train/loss")) entry = each;
    QTest::mouseClick(join, Qt::LeftButton, {}, join->actionGeometry(entry).center());
    draw();
  };
  choose();
  QCOMPARE(m_panel->canvas()->panelCount(), std::size_t{1});
  int lines = 0;
  for (const FigureMark& mark : m_panel->canvas()->spec().panels.front().marks)
    if (!mark.label.empty()) ++lines;
  QCOMPARE(lines, 2);
  QTest::mouseMove(m_panel->canvas(), middleOf(0));
  QCOMPARE(int(m_panel->canvas()->readings().lines.size()), 2);
  CurvePanel later;
  later.restoreView(m_panel->saveView());
  QCOMPARE(later.saveView(), m_panel->saveView());
  choose();
  QCOMPARE(m_panel->canvas()->panelCount(), std::size_t{2});
}

void CurveViewsTest::whatSelectedRunsLackIsSaid() {
  level(0, 2);
  level(1, 3);
  level(1, 30, "valid.bleu");
  m_panel->setMetrics({"loss", "valid.bleu"});
  m_panel->setNames({{QStringLiteral("run-0"), QStringLiteral("first")},
                     {QStringLiteral("run-1"), QStringLiteral("second")}});
  for (const char* run : {"run-0", "run-1"}) m_panel->setRead(QString::fromLatin1(run));
  draw();
  QCOMPARE(note(), QString());  // nothing is selected: nobody asked
  m_panel->setSelectedRuns({QStringLiteral("run-0"), QStringLiteral("run-1")});
  draw();
  QVERIFY2(note().contains(QStringLiteral("first")) && !note().contains(QStringLiteral("second")),
           qPrintable(note()));
  m_panel->setUndrawn({QStringLiteral("third")}, 7);
  draw();
  QVERIFY2(note().contains(QStringLiteral("third")) && note().contains(QStringLiteral("7")),
           qPrintable(note()));
}

void CurveViewsTest::smallCurveBecomesLargeAndGoesBack() {
  for (const char* metric : {"loss", "lr", "valid.bleu"}) level(0, 2, metric);
  m_panel->setMetrics({"loss", "lr", "valid.bleu"});
  const QByteArray before = m_panel->saveView();
  const QStringList large = {"valid.bleu", "lr", "loss"};
  draw();
  QTest::mouseClick(m_panel->canvas(), Qt::LeftButton, {}, middleOf(2));
  QCOMPARE(m_panel->metrics(), large);
  QCOMPARE(m_panel->saveView(), before);  // a look, not a choice
  QTest::keyClick(m_panel->canvas(), Qt::Key_Escape);
  QCOMPARE(m_panel->metrics(), QStringList({"loss", "lr", "valid.bleu"}));
  draw();
  QTest::mouseClick(m_panel->canvas(), Qt::LeftButton, {}, middleOf(2));
  draw();
  const QRectF area = m_panel->canvas()->canvas(0).area;
  QTest::mouseClick(m_panel->canvas(), Qt::LeftButton, {}, area.topLeft().toPoint() + QPoint(3, 3));
  QCOMPARE(m_panel->metrics(), QStringList({"loss", "lr", "valid.bleu"}));
}

void CurveViewsTest::curvesHaveTheTypefaceOfTheWindow() {
  level(0, 2);
  for (const char* family : {"DejaVu Serif", "Roboto"}) {
    m_panel->setFont(QFont(QLatin1String(family), 11));
    draw();
    const FigureStyle& style = m_panel->canvas()->style();
    QCOMPARE(style.families.first(), QFontInfo(m_panel->font()).family());
    QCOMPARE(style.families.first(), QLatin1String(family));  // packaging/deps.sh installs both
    QCOMPARE(style.labelPoints, 11.0);
    QVERIFY(style.families.contains(QStringLiteral("Noto Sans CJK SC")));
  }
}

void CurveViewsTest::aHundredMetricsAreDrawn_data() {
  QTest::addColumn<int>("width");
  for (const int width : {1100, 240}) QTest::newRow(qPrintable(QString::number(width))) << width;
}

// As many panels as metrics, each with a place of its own, however narrow the window is.
void CurveViewsTest::aHundredMetricsAreDrawn() {
  QFETCH(int, width);
  constexpr int kMetrics = 100;
  m_panel->resize(width, 600);
  QStringList metrics;
  for (int i = 0; i < kMetrics; ++i) metrics.append(QStringLiteral("metric.%1").arg(i));
  for (const QString& metric : metrics) level(0, 1, metric.toLatin1().constData());
  m_panel->setMetrics(metrics);
  draw();
  QCOMPARE(m_panel->canvas()->panelCount(), std::size_t{kMetrics});
  QVERIFY(
      test::waitUntil([this] { return m_panel->canvas()->height() >= m_panel->canvas()->minimumHeight(); }));
  draw();
  for (std::size_t i = 0; i < kMetrics; ++i) {
    const QRectF area = m_panel->canvas()->canvas(i).area;
    QVERIFY2(area.width() > 10 && area.height() > 10, qPrintable(QString::number(i)));
    for (std::size_t k = 0; k < i; ++k)
      QVERIFY2(!area.intersects(m_panel->canvas()->canvas(k).area),
               qPrintable(QStringLiteral("%1 %2").arg(i).arg(k)));
  }
}

QTEST_MAIN(CurveViewsTest)
#include "tst_curve_views.moc"
