// SPDX-License-Identifier: Apache-2.0
#include "core/text/bootstrap_test.h"

#include <QTest>

#include "core/base/numbers/random_stream.h"

using namespace fathom;

namespace {

// Segments of 20 words; each order matches with the given rate.
std::vector<BleuCounts> segments(std::uint64_t seed, double rate, std::size_t count) {
  RandomStream random(seed);
  std::vector<BleuCounts> result(count);
  for (BleuCounts& counts : result) {
    counts.systemLength = counts.referenceLength = 20;
    for (std::size_t n = 0; n < kBleuOrders; ++n) {
      counts.total[n] = 20 - static_cast<std::int64_t>(n);
      for (std::int64_t i = 0; i < counts.total[n]; ++i) counts.match[n] += random.uniform() < rate ? 1 : 0;
    }
  }
  return result;
}

}  // namespace

class BootstrapTestTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sameSystemIsNotDifferent() {
    const auto one = segments(1, .5, 200);
    const auto result = pairedBootstrap(one, one).value();
    QCOMPARE(result.difference, 0.0);
    QCOMPARE(result.pValue, 1.0);
    QCOMPARE(result.secondWins, .5);
  }

  void clearDifferenceIsSeen() {
    const auto result = pairedBootstrap(segments(1, .5, 300), segments(2, .6, 300)).value();
    QVERIFY(result.difference > 5);
    QVERIFY(result.pValue < .005);
    QVERIFY(result.secondWins > .99);
    QVERIFY(result.differenceInterval.low > 0);
    QVERIFY(result.firstInterval.low < result.first && result.first < result.firstInterval.high);
  }

  // Equal systems: p below .05 about one time in twenty.
  void falseAlarmsAreRare() {
    int alarms = 0;
    BootstrapOptions options;
    options.resamples = 200;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const auto result =
          pairedBootstrap(segments(2 * seed + 10, .5, 60), segments(2 * seed + 11, .5, 60), {}, options)
              .value();
      alarms += result.pValue < .05 ? 1 : 0;
    }
    QVERIFY2(alarms <= 14, std::to_string(alarms).c_str());
  }

  void sameSeedSameNumbers() {
    const auto first = segments(1, .5, 50), second = segments(2, .52, 50);
    BootstrapOptions options;
    options.seed = 7;
    const auto a = pairedBootstrap(first, second, {}, options).value();
    const auto b = pairedBootstrap(first, second, {}, options).value();
    QCOMPARE(a.pValue, b.pValue);
    QCOMPARE(a.differenceInterval.high, b.differenceInterval.high);
    options.seed = 8;
    QVERIFY(pairedBootstrap(first, second, {}, options).value().differenceInterval.high !=
            a.differenceInterval.high);
  }

  void refusals() {
    const auto one = segments(1, .5, 5);
    QCOMPARE(pairedBootstrap(one, segments(1, .5, 4)).error().kind, ErrorKind::Usage);
    QCOMPARE(pairedBootstrap({}, {}).error().kind, ErrorKind::Usage);
    BootstrapOptions few;
    few.resamples = 1;
    QVERIFY(!pairedBootstrap(one, one, {}, few).ok());
    StopToken stop;
    stop.requestStop();
    QCOMPARE(pairedBootstrap(one, one, {}, {}, stop).error().kind, ErrorKind::Interrupted);
  }
};

QTEST_APPLESS_MAIN(BootstrapTestTest)
#include "tst_bootstrap_test.moc"
