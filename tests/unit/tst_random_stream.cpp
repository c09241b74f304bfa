// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/numbers/random_stream.h"

using namespace fathom;

class RandomStreamTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void knownNumbers();
  void seedsDiffer();
  void uniform();
  void below();
  void normal();
  void permutation();
};

// xoshiro256** seeded by splitmix64(42), computed independently.
void RandomStreamTest::knownNumbers() {
  RandomStream random(42);
  QCOMPARE(random.next(), 0x15780B2E0C2EC716ull);
  QCOMPARE(random.next(), 0x6104D9866D113A7Eull);
  QCOMPARE(random.next(), 0xAE17533239E499A1ull);
}

void RandomStreamTest::seedsDiffer() {
  QVERIFY(streamSeed(1, "a") != streamSeed(1, "b"));
  QVERIFY(streamSeed(1, "a") != streamSeed(2, "a"));
  QVERIFY(streamSeed(1, "a", {1, 2}) != streamSeed(1, "a", {2, 1}));
  QVERIFY(streamSeed(1, "a", {0}) != streamSeed(1, "a"));
  QCOMPARE(streamSeed(1, "a", {3}), streamSeed(1, "a", {3}));
}

void RandomStreamTest::uniform() {
  RandomStream random(1);
  double sum = 0, lowest = 1, highest = 0;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.uniform();
    sum += value;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  QVERIFY(lowest >= 0 && highest < 1 && lowest < 1e-3 && highest > 0.999);
  QVERIFY(std::abs(sum / 100000 - 0.5) < 0.005);
}

void RandomStreamTest::below() {
  RandomStream random(2);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) QVERIFY(std::abs(count - 10000) < 500);
  QCOMPARE(random.below(1), std::uint64_t{0});
  for (int i = 0; i < 100; ++i) QVERIFY(random.below((1ull << 63) + 1) <= (1ull << 63));
}

void RandomStreamTest::normal() {
  RandomStream random(3);
  double sum = 0, squares = 0;
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  QVERIFY(std::abs(sum / count) < 0.01);
  QVERIFY(std::abs(squares / count - 1) < 0.02);
}

void RandomStreamTest::permutation() {
  RandomStream random(4);
  auto order = random.permutation(1000);
  QVERIFY(!std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (std::int64_t i = 0; i < 1000; ++i) QCOMPARE(order[static_cast<std::size_t>(i)], i);
  QVERIFY(random.permutation(0).empty());
  RandomStream a(5), b(5);
  QCOMPARE(a.permutation(50), b.permutation(50));
}

QTEST_APPLESS_MAIN(RandomStreamTest)
#include "tst_random_stream.moc"
