// SPDX-License-Identifier: Apache-2.0
// Curves against the tokens that a run was trained on.
#include <QComboBox>
#include <QTest>

#include "tests/gui/support_made_curves.h"
#include "views/panels/train/curve_panel.h"
#include "views/panels/train/curve_set.h"

using namespace fathom;
using test::makeSeries;

class CurveTokensTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void tokensAreChosen();
};

void CurveTokensTest::tokensAreChosen() {
  CurvePanel panel;
  panel.resize(700, 400);
  panel.show();
  CurveSeries series = makeSeries(0, "loss", 60);
  for (const double step : series.steps) series.tokens.push_back(4000 * step);
  panel.setSeries(series);
  panel.setSeries(makeSeries(1, "loss", 60));  // does not tell them
  QComboBox* axis = nullptr;
  for (QComboBox* box : panel.findChildren<QComboBox*>())
    if (box->accessibleName() == QLatin1String("Horizontal axis")) axis = box;
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
