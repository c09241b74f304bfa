// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/leakage_split.h"

#include <QTest>
#include <algorithm>
#include <set>

#include "core/base/numbers/random_stream.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/nmt/parallel_statistics.h"

using namespace fathom;

namespace {

struct Pairs {
  TextColumn source, target;
};

// Pairs of few sentences, so that they hang together.
Pairs randomPairs(std::uint64_t seed, std::int64_t count, std::uint64_t sentences) {
  RandomStream random(seed);
  Pairs pairs;
  for (std::int64_t i = 0; i < count; ++i) {
    pairs.source.add("s" + std::to_string(random.below(sentences)));
    pairs.target.add("t" + std::to_string(random.below(sentences)));
  }
  return pairs;
}

void take(const Pairs& all, const std::vector<std::int64_t>& indices, Pairs& part) {
  for (const std::int64_t i : indices) {
    part.source.add(all.source[i]);
    part.target.add(all.target[i]);
  }
}

}  // namespace

class LeakageSplitTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void groupsAreConnectedComponents() {
    Pairs pairs;
    const char* rows[][2] = {{"a", "1"}, {"b", "2"}, {"a", "2"}, {"c", "3"},
                             {"d", "3"}, {"e", "1"}, {"f", "6"}};
    for (const auto& row : rows) {
      pairs.source.add(row[0]);
      pairs.target.add(row[1]);
    }
    const PairGroups groups = groupPairs(pairs.source, pairs.target);
    QCOMPARE(groups.groupOf, (std::vector<std::int64_t>{0, 0, 0, 1, 1, 0, 2}));
    QCOMPARE(groups.sizes, (std::vector<std::int64_t>{4, 2, 1}));
    QCOMPARE(groups.largest(), 4);
  }

  // Source and target texts are different kinds of things: equal strings do not connect.
  void sidesAreApart() {
    Pairs pairs;
    pairs.source.add("x");
    pairs.target.add("y");
    pairs.source.add("y");
    pairs.target.add("x");
    QCOMPARE(groupPairs(pairs.source, pairs.target).sizes.size(), std::size_t{2});
  }

  void noSentenceOnTwoSides() {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Pairs pairs = randomPairs(seed, 2000, 1500 + 300 * seed);
      const PairGroups groups = groupPairs(pairs.source, pairs.target);
      const PairSplit split = splitPairs(groups, {100, 150}, seed);
      QVERIFY(split.validation.size() <= 100 && split.test.size() <= 150);
      Pairs train, validation, test;
      take(pairs, split.train, train);
      take(pairs, split.validation, validation);
      take(pairs, split.test, test);
      const Pairs* sides[] = {&train, &validation, &test};
      for (int a = 0; a < 3; ++a) {
        for (int b = a + 1; b < 3; ++b) {
          const SplitOverlap overlap =
              overlapOf(sides[a]->source, sides[a]->target, sides[b]->source, sides[b]->target);
          QCOMPARE(overlap.source + overlap.target + overlap.pair, 0);
        }
      }
      std::multiset<std::int64_t> all(split.train.begin(), split.train.end());
      all.insert(split.validation.begin(), split.validation.end());
      all.insert(split.test.begin(), split.test.end());
      QCOMPARE(all.size(), std::size_t{2000});
      QCOMPARE(*all.rbegin(), 1999);
    }
  }

  void sizesAreMetAndSeedsMatter() {
    const Pairs pairs = randomPairs(1, 3000, 40000);
    const PairGroups groups = groupPairs(pairs.source, pairs.target);
    const PairSplit split = splitPairs(groups, {200, 300}, 5);
    QCOMPARE(split.validation.size(), std::size_t{200});
    QCOMPARE(split.test.size(), std::size_t{300});
    QVERIFY(splitPairs(groups, {200, 300}, 5).test == split.test);
    QVERIFY(splitPairs(groups, {200, 300}, 6).test != split.test);
    QVERIFY(std::is_sorted(split.train.begin(), split.train.end()));
    QCOMPARE(splitPairs(groups, {0, 0}, 5).train.size(), std::size_t{3000});
  }

  void overlapCounts() {
    Pairs first, second;
    for (const char* text : {"a", "b"}) {
      first.source.add(text);
      first.target.add(std::string("t") + text);
    }
    const char* rows[][2] = {{"a", "ta"}, {"a", "tb"}, {"x", "tb"}, {"b", "y"}, {"x", "y"}, {"a", "ta"}};
    for (const auto& row : rows) {
      second.source.add(row[0]);
      second.target.add(row[1]);
    }
    const SplitOverlap overlap = overlapOf(first.source, first.target, second.source, second.target);
    QCOMPARE(overlap.source, 4);
    QCOMPARE(overlap.target, 4);
    QCOMPARE(overlap.pair, 2);
  }

  void lengthsAndEntropy() {
    const std::vector<std::int32_t> lengths = {1, 2, 2, 7, 390};
    const LengthStatistics statistics = lengthStatistics(lengths);
    QCOMPARE(statistics.median, 2.0);
    QCOMPARE(statistics.mean, 80.4);
    QVERIFY(statistics.histogram.size() <= 40);
    QCOMPARE(statistics.histogram[0].to, 10);
    QCOMPARE(statistics.histogram[0].count, 4);
    QCOMPARE(statistics.histogram.back().count, 1);
    QCOMPARE(lengthStatistics({}).count, 0);
    const std::vector<std::int64_t> counts = {1, 0, 1, 2};
    QVERIFY(std::abs(unigramEntropy(counts) - 1.5 * std::log(2.0)) < 1e-12);
  }
};

QTEST_APPLESS_MAIN(LeakageSplitTest)
#include "tst_leakage_split.moc"
