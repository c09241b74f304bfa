// SPDX-License-Identifier: Apache-2.0
#include "views/panels/train/curve_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "app/window/train/curve_stack.h"
#include "tests/gui/support_made_curves.h"
#include "views/look/theme.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_canvas.h"

using namespace fathom;
using test::fill;
using test::makeSeries;

// Curves under mouse and keyboard: what is picked, moved, zoomed and reached.
class CurveMouseTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void clickSelectsTheRun();
  void dragPansAndWheelZooms();
  void shiftDragZooms();
  void ctrlDragSelectsCurves();
  void keyboardReachesAll();
};

void CurveMouseTest::clickSelectsTheRun() {
  CurvePanel panel;
  panel.resize(900, 500);
  panel.show();
  fill(panel, 3);
  panel.setMetrics({"loss"});
  panel.drawNow();
  panel.canvas()->replot();
  QSignalSpy clicked(&panel, &CurvePanel::runPicked);
  // On the last point of the second run.
  const MarkCanvas view = panel.canvas()->canvas(0);
  const CurveSeries second = makeSeries(1, "loss", 600);
  const QPointF at = view.pixel(second.steps[300], second.values[300]);
  QTest::mouseClick(panel.canvas(), Qt::LeftButton, Qt::NoModifier, at.toPoint());
  QCOMPARE(clicked.size(), 1);
  QCOMPARE(panel.currentRun(), clicked.front().front().toString());
  QCOMPARE(panel.currentRun(), QStringLiteral("run-1"));
  QTest::mouseClick(panel.canvas(), Qt::LeftButton, Qt::NoModifier,
                    view.area.topLeft().toPoint() + QPoint(3, 3));
  QCOMPARE(clicked.size(), 1);
}

void CurveMouseTest::dragPansAndWheelZooms() {
  CurvePanel panel;
  panel.resize(900, 500);
  panel.show();
  fill(panel, 2);
  panel.setMetrics({"loss", "lr"});
  panel.drawNow();
  panel.canvas()->replot();
  const AxisRange before = panel.canvas()->ranges(0).x;
  const QPoint middle = panel.canvas()->canvas(0).area.center().toPoint();
  QTest::mousePress(panel.canvas(), Qt::LeftButton, Qt::NoModifier, middle);
  QTest::mouseMove(panel.canvas(), middle - QPoint(30, 0));
  QTest::mouseMove(panel.canvas(), middle - QPoint(100, 0));
  QTest::mouseRelease(panel.canvas(), Qt::LeftButton, Qt::NoModifier, middle - QPoint(100, 0));
  const AxisRange panned = panel.canvas()->ranges(0).x;
  QVERIFY(panned.low > before.low);
  QVERIFY(std::abs(panned.size() - before.size()) < 1e-6 * before.size());
  QCOMPARE(panel.canvas()->ranges(1).x.low, panned.low);  // x is shared
  QWheelEvent wheel(middle, panel.canvas()->mapToGlobal(middle), QPoint(), QPoint(0, 240), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(panel.canvas(), &wheel);
  QVERIFY(panel.canvas()->ranges(0).x.size() < panned.size());
  QTest::mouseDClick(panel.canvas(), Qt::LeftButton, Qt::NoModifier, middle);
  QCOMPARE(panel.canvas()->ranges(0).x.low, before.low);
}

void CurveMouseTest::shiftDragZooms() {
  CurvePanel panel;
  panel.resize(900, 500);
  panel.show();
  fill(panel, 1);
  panel.setMetrics({"loss"});
  panel.drawNow();
  panel.canvas()->replot();
  const QRectF area = panel.canvas()->canvas(0).area;
  const QPoint from(qRound(area.left() + area.width() / 4), qRound(area.center().y()));
  const QPoint to(qRound(area.left() + area.width() / 2), qRound(area.center().y()));
  QTest::mousePress(panel.canvas(), Qt::LeftButton, Qt::ShiftModifier, from);
  QTest::mouseMove(panel.canvas(), from + QPoint(40, 0));
  QTest::mouseMove(panel.canvas(), to);
  QTest::mouseRelease(panel.canvas(), Qt::LeftButton, Qt::ShiftModifier, to);
  const AxisRange range = panel.canvas()->ranges(0).x;
  QVERIFY(std::abs(range.low - 1507.5) < 30 && std::abs(range.high - 3005) < 30);
}

void CurveMouseTest::ctrlDragSelectsCurves() {
  CurvePanel panel;
  panel.resize(900, 500);
  panel.show();
  for (int run = 0; run < 3; ++run) {  // level curves at 1, 2, 3
    CurveSeries series = makeSeries(run, "loss", 100);
    series.values.assign(series.values.size(), 1.0 + run);
    panel.setSeries(series);
  }
  panel.setMetrics({"loss"});
  panel.drawNow();
  panel.canvas()->replot();
  const MarkCanvas view = panel.canvas()->canvas(0);
  const auto at = [&view](double share, double value) {
    return QPoint(qRound(view.area.left() + share * view.area.width()), qRound(view.pixelY(value)));
  };
  QSignalSpy chosen(&panel, &CurvePanel::runsChosen);
  const auto drag = [&](const QPoint& from, const QPoint& to) {
    QTest::mousePress(panel.canvas(), Qt::LeftButton, Qt::ControlModifier, from);
    QTest::mouseMove(panel.canvas(), (from + to) / 2);
    QTest::mouseMove(panel.canvas(), to);
    QTest::mouseRelease(panel.canvas(), Qt::LeftButton, Qt::ControlModifier, to);
  };
  drag(at(0.4, 1.5), at(0.6, 3.1));
  QCOMPARE(chosen.size(), 1);
  QCOMPARE(chosen.takeFirst().front().toStringList(), QStringList({"run-1", "run-2"}));
  drag(at(0.4, 1.4), at(0.6, 1.6));  // between the curves: nothing is chosen, nothing is lost
  QCOMPARE(chosen.size(), 0);
  const AxisRange before = panel.canvas()->ranges(0).x;
  drag(at(0.7, 3.05), at(0.5, 0.95));
  QCOMPARE(chosen.takeFirst().front().toStringList().size(), 3);
  QCOMPARE(panel.canvas()->ranges(0).x.low, before.low);  // neither panned nor zoomed
}

void CurveMouseTest::keyboardReachesAll() {
  CurvePanel panel;
  panel.resize(900, 500);
  panel.show();
  fill(panel, 3);
  panel.drawNow();
  QSignalSpy clicked(&panel, &CurvePanel::runPicked);
  const AxisRange before = panel.canvas()->ranges(0).x;
  QTest::keyClick(panel.canvas(), Qt::Key_Plus);
  QVERIFY(panel.canvas()->ranges(0).x.size() < before.size());
  QTest::keyClick(panel.canvas(), Qt::Key_Right);
  QTest::keyClick(panel.canvas(), Qt::Key_Home);
  QCOMPARE(panel.canvas()->ranges(0).x.low, before.low);
  QTest::keyClick(panel.canvas(), Qt::Key_Down);
  QTest::keyClick(panel.canvas(), Qt::Key_Down);
  QTest::keyClick(panel.canvas(), Qt::Key_Return);
  QCOMPARE(clicked.size(), 1);
  QCOMPARE(clicked.front().front().toString(), QString("run-1"));
  for (QWidget* widget : panel.bar()->findChildren<QComboBox*>())
    QVERIFY(!widget->accessibleName().isEmpty());
}

QTEST_MAIN(CurveMouseTest)
#include "tst_curve_mouse.moc"
