// SPDX-License-Identifier: Apache-2.0
// Options of runs as axes, what the runs reached, and how both go together.
#include "core/analysis/training/option_axes.h"

#include <QTest>
#include <cmath>

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
  // Best and last values are never in one column.
  runs = {runWith({}, 1), runWith({}, 2)};
  runs[1].best.clear();
  const ReachedScores mixed = reachedScores(runs, "valid.bleu", true).value();
  QVERIFY(mixed.best && std::isnan(mixed.values[1]));
  QCOMPARE(mixed.values[0], 2.0);
  QCOMPARE(mixed.withoutBest, 1);
  QCOMPARE(reachedScores(runs, "valid.bleu", false)->withoutBest, 0);
  runs[0].best.clear();
  const ReachedScores last = reachedScores(runs, "valid.bleu", true).value();
  QVERIFY(!last.best);
  QCOMPARE(last.values, (std::vector<double>{1, 2}));
  QVERIFY(!reachedScores(runs, "valid.nll", false).ok());
}

void OptionAxesTest::keysThatSetRunsApart() {
  const std::vector<RunFacts> runs = {runWith({{"seed", 1}, {"width", 64}, {"layers", 6}}, 1),
                                      runWith({{"seed", 2}, {"width", 64}, {"layers", 12}}, 2)};
  QCOMPARE(differingKeys(runs), (std::vector<std::string>{"layers"}));
}

// Spearman (1904), equal values with their mean rank: 7.25 / 9.5 by hand.
void OptionAxesTest::ranks() {
  const auto rho = [](const std::vector<double>& options, const std::vector<double>& reached,
                      bool numeric = true) {
    OptionAxis axis;
    axis.numeric = numeric;
    axis.positions = options;
    ReachedScores scores;
    scores.values = reached;
    return rankCorrelation(axis, scores);
  };
  QVERIFY(std::abs(*rho({1, 2, 2, 4, 5}, {3, 1, 4, 4, 9}) - 7.25 / 9.5) < 1e-12);
  QVERIFY(std::abs(*rho({10, 1, 5, 7}, {1, 4, 3, 2}) + 1) < 1e-12);
  const double absent = std::nan("");
  QVERIFY(std::abs(*rho({10, 1, absent, 5, 7}, {1, 4, 9, 3, 2}) + 1) < 1e-12);
  QVERIFY(!rho({1, absent, 3}, {1, 2, 3}));
  QVERIFY(!rho({1, 2, 3}, {2, 2, 2}));
  QVERIFY(!rho({1, 2, 3}, {1, 2, 3}, false));
}

QTEST_GUILESS_MAIN(OptionAxesTest)
#include "tst_option_axes.moc"
