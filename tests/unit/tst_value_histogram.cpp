// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/statistics/value_histogram.h"
#include "core/base/numbers/random_stream.h"

using namespace fathom;

class ValueHistogramTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void binnedQuantilesAreWithinOneBinOfExact() {
    RandomStream random(7);
    ValueHistogram exact(0, 5, 1000, 100000), binned(0, 5, 1000, 100);
    for (int i = 0; i < 50000; ++i) {
      const double value = 5 * random.uniform() * random.uniform();
      exact.add(value);
      binned.add(value);
    }
    QVERIFY(exact.exact() && !binned.exact());
    const SampleDistribution a = exact.summary(), b = binned.summary();
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(std::abs(a.fiveNumbers[i] - b.fiveNumbers[i]) <= 5.0 / 1000);
    QVERIFY(std::abs(a.mean - b.mean) < 1e-12 * 50000);
    QVERIFY(std::abs(a.variance - b.variance) < 1e-9);
    const ViolinShape va = exact.violin(), vb = binned.violin();
    for (std::size_t i = 0; i < va.density.size(); ++i)
      QVERIFY(std::abs(va.density[i] - vb.density[i]) < 0.01);
  }

  void nonFiniteValuesAreCountedNotAdded() {
    ValueHistogram histogram(0, 1);
    for (const double value : {0.5, std::nan(""), std::numeric_limits<double>::infinity()})
      histogram.add(value);
    const SampleDistribution summary = histogram.summary();
    QCOMPARE(summary.count, std::int64_t{1});
    QCOMPARE(summary.nonFinite, std::int64_t{2});
    QCOMPARE(summary.median(), 0.5);
    QVERIFY(histogram.violin().density.empty());
  }

  void valuesOutsideTheRangeFallIntoTheEndBins() {
    ValueHistogram histogram(0, 1, 10, 1);
    for (const double value : {-3.0, 0.05, 0.95, 4.0}) histogram.add(value);
    QCOMPARE(histogram.counts().front(), std::int64_t{2});
    QCOMPARE(histogram.counts().back(), std::int64_t{2});
    QCOMPARE(histogram.summary().fiveNumbers[0], -3.0);
    QCOMPARE(histogram.summary().fiveNumbers[4], 4.0);
  }
};

QTEST_APPLESS_MAIN(ValueHistogramTest)
#include "tst_value_histogram.moc"
