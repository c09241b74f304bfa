// SPDX-License-Identifier: Apache-2.0
// Predictions of what more ranks bring, against numbers worked out by hand from the formula.
#include <QTest>
#include <cmath>

#include "core/analysis/training/dry_run_report.h"
#include "core/analysis/training/rank_scaling.h"

using namespace fathom;

namespace {

// Gradients of Transformer-base: 60 M of float32.
constexpr double kBase = 240e6;
constexpr RankLink kTenGigabit{1e-4, 1.25e9};

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::abs(b);
}

}  // namespace

class RankScalingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theRingTakesItsTime();
  void aLinkIsFoundFromTwoTimes();
  void efficiencyIsThatOfTheFormula();
  void theBatchesAreTheFewestThatLiftIt();
  void whatIsHiddenIsNotPaid();
  void theStepIsNotSharedOut();
  void theLimitIsTheFirstBelow();
  void theCurveEndsAt512();
  void theReportSaysIt();
  void nothingIsSaidOfOneProcess();
  void theTimeOfAnUpdateIsTheMedian();
};

void RankScalingTest::theRingTakesItsTime() {
  QCOMPARE(allReduceSeconds(kTenGigabit, kBase, 1), 0.0);
  // 2 · 1/2 · 0.192 s + 2 · 0.1 ms; 2 · 3/4 · 0.192 s + 6 · 0.1 ms.
  QVERIFY(near(allReduceSeconds(kTenGigabit, kBase, 2), 0.1922));
  QVERIFY(near(allReduceSeconds(kTenGigabit, kBase, 4), 0.2886));
  // At 450 GB/s about a millisecond: 2 · 7/8 · 240 MB.
  QVERIFY(near(allReduceSeconds({0, 450e9}, kBase, 8), 1.75 * 240e6 / 450e9));
}

void RankScalingTest::aLinkIsFoundFromTwoTimes() {
  for (const std::int64_t ranks : {2, 3, 8}) {
    const double few = allReduceSeconds(kTenGigabit, 0, ranks);
    const RankLink link = linkOf(ranks, few, 8e6, allReduceSeconds(kTenGigabit, 8e6, ranks));
    QVERIFY(near(link.latency, kTenGigabit.latency));
    QVERIFY(std::abs(link.bandwidth - kTenGigabit.bandwidth) < 1);
  }
  QVERIFY(std::isfinite(linkOf(2, 2e-3, 8e6, 1e-3).bandwidth));  // a clock that ran unevenly
}

void RankScalingTest::efficiencyIsThatOfTheFormula() {
  const RankWork work{1.0, 4, kBase};
  const RankPrediction one = predictedRanks(work, kTenGigabit, 1);
  QVERIFY(one.ranks == 1 && near(one.seconds, 1) && near(one.efficiency, 1) && one.batches == 1);
  const RankPrediction four = predictedRanks(work, kTenGigabit, 4);
  QVERIFY(near(four.seconds, 0.25 + 0.2886));
  QVERIFY(near(four.efficiency, 1 / (4 * 0.5386)));
}

// Four ranks, 0.25 s a batch: with k batches each the efficiency is k/4 ÷ (k/4 + 0.2886), .776 for 4 and
// .812 for 5.
void RankScalingTest::theBatchesAreTheFewestThatLiftIt() {
  const RankWork work{1.0, 4, kBase};
  const std::int64_t batches = predictedRanks(work, kTenGigabit, 4).batches;
  QCOMPARE(batches, std::int64_t{20});
  const auto with = [&](std::int64_t count) {
    return predictedRanks({0.25 * static_cast<double>(count), count, kBase}, kTenGigabit, 4).efficiency;
  };
  QVERIFY(with(batches) >= kGoodEfficiency && with(batches - 4) < kGoodEfficiency);
  // Exactly 80 %: 4 · 0.125 s of waiting is 2 batches of 0.25 s.
  const RankLink exact{0.125 / 2, 1e300};
  QCOMPARE(predictedRanks(work, exact, 2).batches, std::int64_t{4});
}

void RankScalingTest::whatIsHiddenIsNotPaid() {
  const RankWork work{1.0, 4, kBase, 0.2};
  QVERIFY(near(predictedRanks(work, kTenGigabit, 4).seconds, 0.25 + 0.0886));
  const RankPrediction two = predictedRanks(work, kTenGigabit, 2);  // 0.1922 s are hidden whole
  QVERIFY(near(two.seconds, 0.5) && near(two.efficiency, 1) && two.batches == 2);
}

// Of 1 s every rank takes 0.2 s whole. With k batches of 0.2 s each on four ranks the efficiency is
// (k + 0.25) ÷ (k + 2.443), .790 for 8 and .808 for 9.
void RankScalingTest::theStepIsNotSharedOut() {
  const RankWork work{1.0, 4, kBase, 0, 0.2};
  QVERIFY(near(predictedRanks(work, kTenGigabit, 1).seconds, 1));
  const RankPrediction four = predictedRanks(work, kTenGigabit, 4);
  QVERIFY(near(four.seconds, 0.2 + 0.2 + 0.2886));
  QVERIFY(near(four.efficiency, 1 / (4 * 0.6886)));
  QCOMPARE(four.batches, std::int64_t{36});
  const auto with = [&](std::int64_t count) {
    const RankWork longer{0.2 * static_cast<double>(count) + 0.2, count, kBase, 0, 0.2};
    return predictedRanks(longer, kTenGigabit, 4).efficiency;
  };
  QVERIFY(with(36) >= kGoodEfficiency && with(32) < kGoodEfficiency);
  QCOMPARE(rankOutlookToJson(work, 4, {}).at("step").get<double>(), 0.2);
}

// 10 s and no latency: 10 ÷ (10 + 0.384 (N − 1)) is .813 for 7 and .788 for 8.
void RankScalingTest::theLimitIsTheFirstBelow() {
  const RankLink link{0, 1.25e9};
  const auto below = firstBelowGood({10, 10, kBase}, link);
  QVERIFY(below && below->ranks == 8 && near(below->efficiency, 10 / (10 + 0.384 * 7)));
  QVERIFY(!firstBelowGood({10, 10, 0}, link));
}

void RankScalingTest::theCurveEndsAt512() {
  const auto curve = predictedCurve({1.0, 4, kBase}, kTenGigabit);
  QCOMPARE(curve.size(), std::size_t{10});
  QVERIFY(curve.front().ranks == 1 && curve.back().ranks == 512);
  for (std::size_t i = 1; i < curve.size(); ++i) QVERIFY(curve[i].efficiency < curve[i - 1].efficiency);
}

void RankScalingTest::theReportSaysIt() {
  const Json outlook = rankOutlookToJson(
      {10, 10, kBase}, 4,
      {{Phrase::tr("As measured"), {0, 1.25e9}, true}, {Phrase::words("free"), {0, 1e300}}});
  QCOMPARE(outlook.at("links").size(), std::size_t{2});
  const Json& link = outlook.at("links").at(0);
  QVERIFY(link.at("measured").get<bool>() && link.at("curve").size() == 10);
  QCOMPARE(link.at("below").at("ranks").get<int>(), 8);
  QVERIFY(near(link.at("asked").at("update").get<double>(), 2.5 + 0.288));
  const RankWords words = rankWords({{"ranks", outlook}});
  QCOMPARE(words.summary.english(), std::string("4 predicted: 2.8 s an update, 90 % efficient"));
  // 8 ranks wait 0.336 s: 4 · 0.336 s are 2 batches of 1 s.
  QCOMPARE(
      words.details.english(),
      std::string("Predicted for processes that each have the cores or the card of this measurement.\n"
                  "As measured: below 80 % from 8 processes on, where 16 batches per update would lift it.\n"
                  "free: 80 % or more up to 512 processes."));
  const std::string text = dryRunText({{"ranks", outlook}});
  QVERIFY2(text.find("processes   4 predicted") != std::string::npos, text.c_str());
}

void RankScalingTest::nothingIsSaidOfOneProcess() {
  const Json outlook = rankOutlookToJson({10, 10, kBase}, 1, usualLinks());
  QVERIFY(rankWords({{"ranks", outlook}}).summary.empty());
  for (const char* text : {"{}", "[]", "null", R"({"ranks":7})", R"({"ranks":{"asked":4,"links":[3]}})",
                           R"({"ranks":{"asked":4,"links":[{"asked":{}}]}})"}) {
    const RankWords words = rankWords(parseJson(text).value());
    QVERIFY2(words.summary.empty() && words.details.empty(), text);
  }
}

void RankScalingTest::theTimeOfAnUpdateIsTheMedian() {
  RunCurve curve;
  QCOMPARE(secondsAnUpdate(curve), 0.0);
  curve.steps = {1, 2, 3, 5, 6};
  curve.seconds = {10, 10.5, 11, 12, 60};  // a validation before the last
  QVERIFY(near(secondsAnUpdate(curve), 0.5));
}

QTEST_APPLESS_MAIN(RankScalingTest)
#include "tst_rank_scaling.moc"
