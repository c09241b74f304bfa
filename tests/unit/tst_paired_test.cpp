// SPDX-License-Identifier: Apache-2.0
// Tests of two systems on the same examples, against values worked out by hand.
#include "core/analysis/statistics/paired_test.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/analysis/statistics/matthews_correlation.h"
#include "core/base/numbers/random_stream.h"

using namespace fathom;

namespace {

Interval plainInterval(const std::vector<double>& gaps, std::uint64_t seed, std::size_t resamples) {
  RandomStream random(streamSeed(seed, "paired bootstrap"));
  std::vector<double> means(resamples, 0);
  for (double& mean : means) {
    for (std::size_t i = 0; i < gaps.size(); ++i) mean += gaps[random.below(gaps.size())];
    mean /= static_cast<double>(gaps.size());
  }
  return percentileInterval(means);
}

}  // namespace

class PairedTestTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void exactTests() {
    const std::vector<int> first(10, 1), second = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    const McNemarTest test = mcnemarTest(first, second);
    QCOMPARE(test.onlyFirst, 6);
    QVERIFY(std::abs(test.pExact - 2.0 / 64) < 1e-12);
    QVERIFY(std::abs(test.chiSquare - 25.0 / 6) < 1e-12);
    QCOMPARE(mcnemarTest(first, first).pExact, 1.0);
    const Interval interval = wilsonInterval(8, 10);
    QVERIFY(std::abs(interval.low - 0.490162) < 1e-5 && std::abs(interval.high - 0.943318) < 1e-5);
    QCOMPARE(wilsonInterval(0, 0).high, 1.0);
  }

  // (k + 1) / (B + 1): never 0, and 1 where every resampled difference is as large.
  void pOfResamples() {
    std::vector<double> differences = {1, 2, 3, 4, 5};  // less their mean: -2 … 2
    const ResampledDifference found = resampledDifference(differences, 2);
    QCOMPARE(found.p, 3.0 / 6);
    QCOMPARE(found.interval.low, 1.1);
    QCOMPARE(found.interval.high, 4.9);
    std::vector<double> far = {9, 10, 11};
    QCOMPARE(resampledDifference(far, 10).p, 1.0 / 4);
    std::vector<double> none;
    QCOMPARE(resampledDifference(none, 1).p, 1.0);
  }

  void means() {
    const std::vector<double> gaps = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
    const PairedBootstrap found = bootstrapMean(gaps, 7, 2000);
    QCOMPARE(found.difference, 0.6);
    QCOMPARE(found.resamples, 2000);
    QVERIFY(found.interval.low > 0.2 && found.interval.low < 0.6 && found.interval.high > 0.6);
    QVERIFY(found.p < 0.01 && found.p >= 1.0 / 2001);
    QCOMPARE(bootstrapMean(gaps, 7, 2000).interval.low, found.interval.low);
    // Another seed draws others: seen where means are not tenths alone.
    const std::vector<double> uneven = {0.13, -0.71, 1.9, 0.37, -2.3, 0.59, 3.1, -0.17, 0.83, 1.03};
    QCOMPARE(bootstrapMean(uneven, 7, 2000).interval.low, bootstrapMean(uneven, 7, 2000).interval.low);
    QVERIFY(bootstrapMean(uneven, 7, 2000).interval.low != bootstrapMean(uneven, 8, 2000).interval.low);
    // A difference that never varies: no resample is as far from the mean.
    QCOMPARE(bootstrapMean(std::vector<double>(20, 1.0)).p, 1.0 / 10001);
    QCOMPARE(bootstrapMean(std::vector<double>(20, 0.0)).p, 1.0);
    QCOMPARE(bootstrapMean({}).p, 1.0);
    QCOMPARE(bootstrapResamples(10), 10000);
    QCOMPARE(bootstrapResamples(10000), 2000);
    QCOMPARE(bootstrapResamples(1000000), 1000);
  }

  // One set of draws for all pairs says what each pair alone says.
  void manyAtOnce() {
    std::vector<double> scores, gaps;
    for (int i = 0; i < 60; ++i) {
      const int a = i % 3 != 0, b = i % 2;
      scores.insert(scores.end(), {double(a), double(b)});
      gaps.push_back(a - b);
    }
    const std::vector<double> sums = resampledSums(scores, 2, {});
    std::vector<double> means;
    for (std::size_t r = 0; r < sums.size(); r += 2) means.push_back((sums[r] - sums[r + 1]) / 60);
    const PairedBootstrap alone = bootstrapMean(gaps);
    const ResampledDifference together = resampledDifference(means, alone.difference);
    QCOMPARE(together.p, alone.p);
    QCOMPARE(together.interval.low, alone.interval.low);
    QCOMPARE(together.interval.high, alone.interval.high);
    StopToken stop;
    stop.requestStop();
    QVERIFY(resampledSums(scores, 2, stop).empty());
  }

  // The fast draws and sums have the last bit of the plain ones, for any number of examples and columns.
  void sameBitsAsPlain() {
    RandomStream made(5);
    for (const std::size_t examples : {1u, 2u, 3u, 64u, 300u}) {
      for (const std::size_t columns : {1u, 2u, 3u, 9u, 20u}) {
        std::vector<double> scores(examples * columns);
        for (double& score : scores) score = made.normal();
        const std::vector<double> sums = resampledSums(scores, columns, {}, 11);
        QCOMPARE(sums.size(), std::size_t(bootstrapResamples(examples)) * columns);
        RandomStream random(streamSeed(11, "paired bootstrap"));
        for (std::size_t r = 0; r < 40; ++r) {
          std::vector<double> times(examples, 0), plain(columns, 0);
          for (std::size_t i = 0; i < examples; ++i) ++times[random.below(examples)];
          for (std::size_t i = 0; i < examples; ++i)
            for (std::size_t c = 0; c < columns; ++c) plain[c] += times[i] * scores[i * columns + c];
          QVERIFY(std::equal(plain.begin(), plain.end(), sums.begin() + std::ptrdiff_t(r * columns)));
        }
        QCOMPARE(bootstrapMean(scores, 11, 40).interval.high, plainInterval(scores, 11, 40).high);
      }
    }
  }

  void correlations() {
    // TP 1, FN 1, FP 0, TN 2
    QVERIFY(std::abs(matthewsCorrelation(std::vector<std::int64_t>{2, 0, 1, 1}, 2, 2) - 2 / std::sqrt(12.0)) <
            1e-15);
    QCOMPARE(matthewsCorrelation(std::vector<std::int64_t>{3, 0, 0, 4}, 2, 2), 1.0);
    QCOMPARE(matthewsCorrelation(std::vector<std::int64_t>{0, 3, 4, 0}, 2, 2), -1.0);
    QCOMPARE(matthewsCorrelation(std::vector<std::int64_t>{3, 0, 4, 0}, 2, 2), 0.0);
    QCOMPARE(matthewsCorrelation(std::vector<std::int64_t>{3, 0, 0, 0, 4, 0}, 2, 3), 1.0);
  }
};

QTEST_APPLESS_MAIN(PairedTestTest)
#include "tst_paired_test.moc"
