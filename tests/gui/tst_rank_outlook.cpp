// SPDX-License-Identifier: Apache-2.0
// What more processes would bring, below the form of a new run: words, and a curve by a click or a key.
#include <QFrame>
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "core/analysis/training/rank_scaling.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/fit_bar.h"

using namespace fathom;
using test::waitUntil;

class RankOutlookTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void processesArePredicted();
};

// The curve opens from its words, by a key too, and leaves with the processes.
void RankOutlookTest::processesArePredicted() {
  FitBar bar;
  bar.resize(900, 60);
  bar.setVisible(true);
  QVERIFY(QTest::qWaitForWindowExposed(&bar));
  auto* words = bar.findChild<QLabel*>(QStringLiteral("fitRanks"));
  auto* open = bar.findChild<QToolButton*>(QStringLiteral("rankCurve"));
  auto* frame = bar.findChild<QFrame*>(QStringLiteral("rankFrame"));
  auto* canvas = bar.findChild<QWidget*>(QStringLiteral("rankCanvas"));
  bar.showReport({{"fits", true}});
  QVERIFY(!words->isVisible() && !open->isVisible());
  const Json outlook =
      rankOutlookToJson({10, 10, 240e6}, 4, {{Phrase::words("10 Gbit/s"), {0, 1.25e9}, true}});
  bar.showReport({{"fits", true}, {"ranks", outlook}});
  QVERIFY(words->isVisible() && open->isVisible() && !frame->isVisible());
  QCOMPARE(words->text(), QStringLiteral("4 predicted: 2.8 s an update, 90 % efficient"));
  QVERIFY(words->toolTip().contains(QStringLiteral("below 80 % from 8 processes on")));
  open->setFocus();
  QTest::keyClick(open, Qt::Key_Space);
  QVERIFY(waitUntil([&] { return frame->isVisible() && canvas->isVisible(); }));
  QVERIFY(canvas->accessibleDescription().contains(QStringLiteral("16 batches per update")));
  QTest::keyClick(frame, Qt::Key_Escape);
  QVERIFY(waitUntil([&] { return !frame->isVisible(); }));
  QTest::mouseClick(open, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return frame->isVisible(); }));
  bar.showReport({{"fits", true}});
  QVERIFY(!frame->isVisible() && !words->isVisible());
}

QTEST_MAIN(RankOutlookTest)
#include "tst_rank_outlook.moc"
