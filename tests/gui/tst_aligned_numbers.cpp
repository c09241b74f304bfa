// SPDX-License-Identifier: Apache-2.0
// Numbers of a column whose decimal points stand below each other in any font with equal digits.
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QLocale>
#include <QTest>

#include "views/look/aligned_numbers.h"

using namespace fathom;

class AlignedNumbersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale::c()); }
  void pointsStandBelowEachOther();
  void textsStay();
};

// Right edges are one line: what stands right of the points is equally wide.
void AlignedNumbersTest::pointsStandBelowEachOther() {
  const QStringList texts = alignedNumbers({QStringLiteral("27.3"), QStringLiteral("0.0312 (900)"),
                                            QStringLiteral("12 (1200)"), QStringLiteral("–")});
  QVERIFY(texts[0] != QStringLiteral("27.3"));
  for (const QString& family : {QStringLiteral("DejaVu Sans"), QStringLiteral("Roboto")}) {
    if (!QFontDatabase::families().contains(family)) continue;
    const QFontMetricsF metrics{QFont(family, 10)};
    double right = -1;
    for (const QString& text : texts) {
      const qsizetype point = text.indexOf(u'.') >= 0 ? text.indexOf(u'.') : text.indexOf(QChar(0x2008));
      QVERIFY(point > 0);
      const double tail = metrics.horizontalAdvance(text.mid(point));
      if (right < 0) right = tail;
      QVERIFY2(std::abs(tail - right) < 2,
               qPrintable(QStringLiteral("%1: %2, %3").arg(family, text).arg(tail - right)));
    }
  }
}

void AlignedNumbersTest::textsStay() {
  QCOMPARE(alignedNumbers({QStringLiteral("1.5"), QStringLiteral("2.5")}),
           (QStringList{QStringLiteral("1.5"), QStringLiteral("2.5")}));
  QCOMPARE(alignedNumbers({QStringLiteral("7"), QString(), QStringLiteral("–")}),
           (QStringList{QStringLiteral("7"), QString(), QStringLiteral("–")}));
  QCOMPARE(alignedNumbers({}), QStringList());
}

QTEST_MAIN(AlignedNumbersTest)
#include "tst_aligned_numbers.moc"
