// SPDX-License-Identifier: Apache-2.0
// β of several seeds: each number is taken of each run, then summarised.
#include <QTest>
#include <cmath>

#include "core/analysis/dependency/dependency_profile.h"

using namespace fathom;

namespace {

// Three sub-layers whose own branches have the shares 1, 2, 3 times `scale`; everything else is 1.
StackDependency stackOf(double scale) {
  StackDependency stack;
  stack.stack = "encoder";
  stack.sublayers = {"a", "b", "c"};
  stack.beta.sublayers = 3;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      stack.beta.meanTokenStd.push_back(column == row + 1 ? scale * (row + 1) : column > row ? 0 : 1);
  stack.beta.globalStd.assign(12, 2);
  return stack;
}

}  // namespace

class TestDependencyProfile : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void oneRunHasNoSpread() {
    const StackDependency one = stackOf(1);
    const DependencyProfile own = dependencyProfile({&one, 1}, DependencyNumber::OwnBranch, false);
    QCOMPARE(own.value.size(), 3U);
    QCOMPARE(own.value[2].mean, 9.0);
    QVERIFY(std::isnan(own.value[2].deviation));
    QCOMPARE(own.sum.mean, 14.0);
    QCOMPARE(own.lateOverEarly.mean, 9.0);
    const DependencyProfile rows = dependencyProfile({&one, 1}, DependencyNumber::RowSum, false);
    QCOMPARE(rows.value[0].mean, 2.0);   // 1² + 1²
    QCOMPARE(rows.value[2].mean, 12.0);  // 1² + 1² + 1² + 3²
    QCOMPARE(dependencyProfile({&one, 1}, DependencyNumber::OwnBranch, true).value[0].mean, 4.0);
  }
  void squaresAreAveragedNotTheShares() {
    const std::vector<StackDependency> two = {stackOf(1), stackOf(3)};
    const DependencyProfile own = dependencyProfile(two, DependencyNumber::OwnBranch, false);
    QCOMPARE(own.value[0].mean, 5.0);  // (1 + 9) / 2, not 2²
    QVERIFY(std::abs(own.value[0].deviation - std::sqrt(32.0)) < 1e-12);
    QCOMPARE(own.sum.mean, 70.0);
    QCOMPARE(own.lateOverEarly.deviation, 0.0);
    const auto mean = meanDependency(two);
    QVERIFY(mean.ok());
    QCOMPARE(mean->beta.at(2, 3), 6.0);
  }
  void otherSublayersAreRefused() {
    std::vector<StackDependency> two = {stackOf(1), stackOf(1)};
    two[1].sublayers[1] = "other";
    QVERIFY(!meanDependency(two).ok());
    QVERIFY(!meanDependency({}).ok());
  }
};

QTEST_APPLESS_MAIN(TestDependencyProfile)
#include "tst_dependency_profile.moc"
