// SPDX-License-Identifier: Apache-2.0
// Options of runs as axes, what the runs reached, and how both go together.
#include "core/analysis/training/option_axes.h"

#include <QTest>
#include <cmath>

#include "core/analysis/statistics/rank_correlation.h"

using namespace fathom;

namespace {

RunFacts runWith(const Json& options, double score, bool failed = false) {
  RunFacts facts;
  facts.options = options;
  facts.failed = failed;
  facts.last = {{"valid.bleu", score}};
  facts.best = {{"valid.bleu", score + 1}};
  return facts;
}

}  // namespace

class OptionAxesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void numbersAndWords();
  void missingOptionsHaveNoPlace();
  void scoresOfEndedRuns();
  void keysThatSetRunsApart();
  void ranks();
};

void OptionAxesTest::numbersAndWords() {
  const std::vector<RunFacts> runs = {runWith({{"rate", 0.001}, {"layers", 6}, {"scheme", "pre"}}, 1),
                                      runWith({{"rate", 0.1}, {"layers", 12}, {"scheme", "admin"}}, 2),
                                      runWith({{"rate", 0.01}, {"layers", 12}, {"scheme", "pre"}}, 3)};
  const OptionAxis rate = optionAxis(runs, "rate").value();
  QVERIFY(rate.numeric && rate.logarithmic);
  QVERIFY(std::abs(rate.share(2) - 0.5) < 1e-12);
  QCOMPARE(rate.share(0), 0.0);
  const OptionAxis layers = optionAxis(runs, "layers").value();
  QVERIFY(layers.numeric && !layers.logarithmic);
  QCOMPARE(layers.positions, (std::vector<double>{6, 12, 12}));
  const OptionAxis scheme = optionAxis(runs, "scheme").value();
  QVERIFY(!scheme.numeric);
  QCOMPARE(scheme.words, (std::vector<std::string>{"admin", "pre"}));
  QCOMPARE(scheme.positions, (std::vector<double>{1, 0, 1}));
  // One value for all stands in the middle.
  const OptionAxis one = optionAxis({runs[1], runs[2]}, "layers").value();
  QCOMPARE(one.share(0), 0.5);
}

void OptionAxesTest::missingOptionsHaveNoPlace() {
  const std::vector<RunFacts> runs = {runWith({{"rate", 1}}, 1), runWith({{"other", 2}}, 2),
                                      runWith({{"rate", "fast"}}, 3)};
  const OptionAxis rate = optionAxis(runs, "rate").value();
  QVERIFY(!rate.numeric);  // a word among the numbers
  QVERIFY(std::isnan(rate.positions[1]) && std::isnan(rate.share(1)));
  const auto none = optionAxis(runs, "nobody");
  QVERIFY(!none.ok());
  QVERIFY2(none.error().text().find("rate") != std::string::npos, none.error().text().c_str());
}

void OptionAxesTest::scoresOfEndedRuns() {
  std::vector<RunFacts> runs = {runWith({}, 1), runWith({}, 2, true), runWith({}, 3)};
  runs[2].open = true;
  const ReachedScores best = reachedScores(runs, "valid.bleu", true).value();
  QCOMPARE(best.values[0], 2.0);
  QVERIFY(std::isnan(best.values[1]) && std::isnan(best.values[2]));
  QCOMPARE(best.missing, 2);
  QCOMPARE(reachedScores(runs, "valid.bleu", false)->values[0], 1.0);
  QVERIFY(!reachedScores(runs, "valid.nll", false).ok());
}

void OptionAxesTest::keysThatSetRunsApart() {
  const std::vector<RunFacts> runs = {runWith({{"seed", 1}, {"width", 64}, {"layers", 6}}, 1),
                                      runWith({{"seed", 2}, {"width", 64}, {"layers", 12}}, 2)};
  QCOMPARE(differingKeys(runs), (std::vector<std::string>{"layers"}));
}

// Spearman (1904), equal values with their mean rank: 7.25 / 9.5 by hand.
void OptionAxesTest::ranks() {
  const std::vector<double> x = {1, 2, 2, 4, 5}, y = {3, 1, 4, 4, 9};
  QVERIFY(std::abs(*rankCorrelation(x, y) - 7.25 / 9.5) < 1e-12);
  const std::vector<double> falls = {10, 1, 5, 7}, rises = {1, 4, 3, 2};
  QVERIFY(std::abs(*rankCorrelation(falls, rises) + 1) < 1e-12);
  const std::vector<double> gap = {1, std::nan(""), 3}, all = {1, 2, 3}, same = {2, 2, 2};
  QVERIFY(!rankCorrelation(gap, all));
  QVERIFY(!rankCorrelation(all, same));
}

QTEST_GUILESS_MAIN(OptionAxesTest)
#include "tst_option_axes.moc"
