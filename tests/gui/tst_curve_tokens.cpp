// SPDX-License-Identifier: Apache-2.0
// Curves against the tokens that a run was trained on, dates, and a metric that the run names as its axis.
#include <QComboBox>
#include <QLabel>
#include <QTest>

#include "tests/gui/support_made_curves.h"
#include "views/panels/train/curve_figure.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/curve_set.h"

using namespace fathom;
using test::makeSeries;

class CurveTokensTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tokensAreChosen();
  void axesOfARun();
  void aMetricPlacesItsPoints();
  void axesAreRemembered();

 private:
  static QComboBox* axisOf(CurvePanel& panel);
  // Loss of two runs; the first tells dates, and declares the metric "samples" as the axis of its loss.
  static void show(CurvePanel& panel);
};

QComboBox* CurveTokensTest::axisOf(CurvePanel& panel) {
  for (QComboBox* box : panel.findChildren<QComboBox*>())
    if (box->accessibleName() == QLatin1String("Horizontal axis")) return box;
  return nullptr;
}

void CurveTokensTest::show(CurvePanel& panel) {
  panel.resize(700, 400);
  panel.show();
  CurveSeries series = makeSeries(0, "loss", 60);
  for (const double second : series.seconds) series.clock.push_back(1.79e9 + second);
  panel.setSeries(series);
  series.metric = QStringLiteral("samples");
  for (std::size_t i = 0; i < series.values.size(); ++i) series.values[i] = 32.0 * double(i);
  panel.setSeries(series);
  panel.setSeries(makeSeries(1, "loss", 60));
  panel.setNames({{QStringLiteral("run-0"), QStringLiteral("first")},
                  {QStringLiteral("run-1"), QStringLiteral("second")}});
  MetricCatalogue metrics;
  metrics.add({Metric{.id = "loss", .stepMetric = "samples"}});
  panel.setCatalogue(metrics);
  panel.setMetrics({"loss"});
  panel.drawNow();
}

void CurveTokensTest::axesOfARun() {
  CurvePanel panel;
  show(panel);
  QComboBox* axis = axisOf(panel);
  QStringList titles;
  for (int i = 0; i < axis->count(); ++i) titles << axis->itemText(i);
  QCOMPARE(titles, QStringList({"Updates", "Time", "Date and time", "Epochs", "Tokens", "samples"}));
  const auto* note = panel.findChild<QLabel*>(QStringLiteral("curveNote"));
  QVERIFY(!note->text().contains("not drawn"));
  axis->setFocus();
  QTest::keyClick(axis, Qt::Key_Down);
  QTest::keyClick(axis, Qt::Key_Down);
  panel.drawNow();
  QVERIFY2(panel.figureOptions().contains("axis=clock"), qPrintable(panel.figureOptions().join(u' ')));
  QVERIFY2(note->text().contains(QStringLiteral("not drawn, date and time is not recorded: “second”")),
           qPrintable(note->text()));
  QTest::keyClick(axis, Qt::Key_End);
  panel.drawNow();
  QVERIFY(panel.figureOptions().contains("axis=metric"));
  QVERIFY(panel.figureOptions().contains("axis_metric=samples"));
  QVERIFY2(note->text().contains(QStringLiteral("not drawn, samples is not recorded: “second”")),
           qPrintable(note->text()));
  QTest::keyClick(axis, Qt::Key_Home);
  panel.drawNow();
  QVERIFY2(!note->text().contains("not drawn"), qPrintable(note->text()));
}

void CurveTokensTest::aMetricPlacesItsPoints() {
  CurveSet set;
  CurveSeries loss = makeSeries(0, "loss", 3), axis = loss;
  loss.values = {5, 4, 3};
  axis.metric = QStringLiteral("samples");
  axis.values = {32, 8, 64};
  set.set(loss);
  set.set(axis);
  set.set(makeSeries(1, "loss", 3));
  set.setAxisMetric("samples");
  const auto values = [&set] {
    const auto all = set.lines("loss").front()->shown().values();
    return std::vector<double>(all.begin(), all.end());
  };
  QCOMPARE(set.lines("loss").size(), std::size_t{1});
  QCOMPARE(set.lines("loss").front()->x(CurveAxis::Metric), (std::vector<double>{8, 32, 64}));
  QCOMPARE(values(), (std::vector<double>{4, 5, 3}));
  QCOMPARE(set.notPlaced("loss", CurveAxis::Metric), QStringList("run-1"));
  // What comes to either of them is drawn.
  for (CurveSeries* each : {&loss, &axis}) {
    each->steps = {40};
    each->seconds = {12};
    each->epochs = {0.04};
    each->values = {each == &axis ? 16.0 : 2.0};
    set.append(*each);
  }
  QCOMPARE(set.lines("loss").front()->x(CurveAxis::Metric), (std::vector<double>{8, 16, 32, 64}));
  QCOMPARE(values(), (std::vector<double>{4, 2, 5, 3}));
  set.setAxisMetric({});
  QCOMPARE(set.lines("loss").size(), std::size_t{2});
  QCOMPARE(values(), (std::vector<double>{5, 4, 3, 2}));
  // Dates are read as such, and a clock that was set back does not lead back.
  CurveLook look;
  look.metrics = QStringList{"loss"};
  look.axis = CurveAxis::Clock;
  loss = makeSeries(2, "loss", 3);
  loss.clock = {1.79e9, 1.79e9 - 50, 1.79e9 + 10};
  set.set(loss);
  QCOMPARE(set.lines("loss").back()->x(CurveAxis::Clock), (std::vector<double>{1.79e9, 1.79e9, 1.79e9 + 10}));
  const CurveFigure figure = curveFigure(set, look);
  QVERIFY(figure.spec.panels.front().x.datesFrom.has_value());
  QCOMPARE(figure.ranges.front().x.low, 1.79e9);
  QVERIFY(figure.spec.panels.front().x.label.english().find("2026-09-21") != std::string::npos);
}

// A metric that was chosen stays chosen where no run that is drawn declares it; sessions of before had
// numbers.
void CurveTokensTest::axesAreRemembered() {
  CurvePanel first, second;
  show(first);
  axisOf(first)->setFocus();
  QTest::keyClick(axisOf(first), Qt::Key_End);
  const QByteArray view = first.saveView();
  second.resize(700, 400);
  second.show();
  second.restoreView(view);
  second.setSeries(makeSeries(1, "loss", 60));
  second.drawNow();
  QCOMPARE(axisOf(second)->currentText(), QStringLiteral("samples"));
  QVERIFY(second.figureOptions().contains("axis_metric=samples"));
  QCOMPARE(second.saveView(), view);
  second.restoreView(R"({"axis": 3})");
  QCOMPARE(axisOf(second)->currentText(), QStringLiteral("Tokens"));
  second.restoreView(R"({"axis": "metric"})");
  QCOMPARE(axisOf(second)->currentText(), QStringLiteral("Updates"));
}

void CurveTokensTest::tokensAreChosen() {
  CurvePanel panel;
  panel.resize(700, 400);
  panel.show();
  CurveSeries series = makeSeries(0, "loss", 60);
  for (const double step : series.steps) series.tokens.push_back(4000 * step);
  panel.setSeries(series);
  panel.setSeries(makeSeries(1, "loss", 60));  // does not tell them
  QComboBox* axis = axisOf(panel);
  panel.drawNow();  // there is an axis to choose once something is drawn
  axis->setFocus();
  QTest::keyClick(axis, Qt::Key_End);
  QCOMPARE(axis->currentText(), QStringLiteral("Tokens"));
  Q_EMIT axis->activated(axis->currentIndex());
  panel.drawNow();
  QVERIFY(panel.figureOptions().contains("axis=tokens"));
  CurveSet set;
  set.set(series);
  QCOMPARE(set.lines("loss").front()->x(CurveAxis::Tokens).back(), 2.4e6);
  QCOMPARE(set.runCurves("loss").front().tokens.size(), std::size_t{60});
}

QTEST_MAIN(CurveTokensTest)
#include "tst_curve_tokens.moc"
