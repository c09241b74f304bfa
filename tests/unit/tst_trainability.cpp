// SPDX-License-Identifier: Apache-2.0
// What the numbers of a model before its first update say.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/trainability.h"

using namespace fathom;

namespace {

// A stack as Admin leaves it: every number far from its limit.
StackCheck calmStack() {
  StackCheck stack;
  stack.stack = "decoder";
  stack.residual = "admin";
  stack.layers = 2;
  stack.mu = 12;
  stack.inputScale = 1.2;
  stack.sublayers = {"decoder.layers.0.self_attention", "decoder.layers.0.feed_forward"};
  stack.predicted = stack.measured = {1, 1};
  stack.ownShare = {0.3, 0.2};
  stack.gradient = {0.8, 1};
  stack.amplification = 20;
  return stack;
}

TrainabilityFacts calm() {
  TrainabilityFacts facts;
  facts.init = "by_scheme";
  facts.stacks = {calmStack()};
  facts.loss = 6;
  facts.ignorantLoss = 5.7;
  facts.peakRate = 1e-3;
  facts.summedRate = 0.2;
  facts.updates = 300;
  facts.weightScale = 0.1;
  return facts;
}

const TrainabilityCheck* findCheck(const TrainabilityVerdict& verdict, const std::string& id) {
  for (const TrainabilityCheck& check : verdict.checks)
    if (check.id == id) return &check;
  return nullptr;
}

}  // namespace

class TestTrainability : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void calmIsGreen() {
    const TrainabilityVerdict verdict = judgeTrainability(calm());
    QCOMPARE(verdict.verdict, Trainability::Green);
    for (const TrainabilityCheck& check : verdict.checks) {
      QVERIFY(!check.reason.empty());
      QVERIFY(check.change.empty());
    }
    QVERIFY(verdict.checks.size() >= 7);
  }

  // Each number passes its limits by itself, first to doubtful, then to unlikely.
  void limits_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("doubtful");
    QTest::addColumn<double>("unlikely");
    QTest::newRow("own_share") << "own_share" << kOwnShareDoubtful * 1.01 << kOwnShareUnlikely * 1.01;
    QTest::newRow("gradient") << "gradient" << kGradientDoubtful * 0.99 << kGradientUnlikely * 0.99;
    QTest::newRow("step") << "step" << kStepDoubtful * 1.01 << kStepUnlikely * 1.01;
    QTest::newRow("movement") << "movement" << kMovementDoubtful * 0.99 << kMovementUnlikely * 0.99;
    QTest::newRow("loss") << "loss" << kLossDoubtful * 1.01 << kLossUnlikely * 1.01;
  }
  void limits() {
    QFETCH(QString, id);
    QFETCH(double, doubtful);
    QFETCH(double, unlikely);
    for (const auto& [value, expected] :
         {std::pair{doubtful, Trainability::Doubtful}, std::pair{unlikely, Trainability::Unlikely}}) {
      TrainabilityFacts facts = calm();
      if (id == "own_share") facts.stacks[0].ownShare = {value / 2, value / 2};
      if (id == "gradient") facts.stacks[0].gradient = {value, 1};
      if (id == "step") facts.stacks[0].amplification = value / facts.peakRate;
      if (id == "movement") facts.summedRate = value * facts.weightScale;
      if (id == "loss") facts.loss = value * facts.ignorantLoss;
      const TrainabilityVerdict verdict = judgeTrainability(facts);
      QCOMPARE(verdict.verdict, expected);
      const TrainabilityCheck& worst = verdict.checks.front();  // worst first
      QCOMPARE(QString::fromStdString(worst.id), id);
      QVERIFY(!worst.change.empty());
      QVERIFY(worst.reason.find("limit") != std::string::npos || id == "loss");
    }
  }

  void anUnexpectedScaleIsDoubtful() {
    TrainabilityFacts facts = calm();
    facts.stacks[0].measured = {1, 1.01 * kScaleDoubtful};
    QCOMPARE(judgeTrainability(facts).verdict, Trainability::Doubtful);
  }

  void aClosedStackIsNoFault() {
    TrainabilityFacts facts = calm();  // ReZero: nothing reads the encoder before the first update
    facts.stacks[0].gradient = {0, 0};
    facts.stacks[0].ownShare = {0, 0};
    facts.stacks[0].amplification = 0;
    const TrainabilityVerdict verdict = judgeTrainability(facts);
    QCOMPARE(verdict.verdict, Trainability::Green);
    QVERIFY(findCheck(verdict, "gradient")->reason.find("starts closed") != std::string::npos);
  }

  void whatIsNotFiniteIsSaid() {
    const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    for (const double value : bad) {
      TrainabilityFacts facts = calm();
      facts.stacks[0].measured[1] = value;
      const TrainabilityVerdict verdict = judgeTrainability(facts);
      QCOMPARE(verdict.verdict, Trainability::Unlikely);
      QCOMPARE(verdict.checks.size(), std::size_t{1});
      QVERIFY(verdict.checks[0].reason.find("decoder") != std::string::npos);
      facts = calm();
      facts.loss = value;
      QVERIFY(judgeTrainability(facts).checks[0].reason.find("loss") != std::string::npos);
      QVERIFY(!trainabilityToJson(facts, judgeTrainability(facts)).dump().empty());
    }
  }

  void jsonHasVerdictFirst() {
    const TrainabilityFacts facts = calm();
    const Json json = trainabilityToJson(facts, judgeTrainability(facts));
    QCOMPARE(QString::fromStdString(json.begin().key()), QStringLiteral("verdict"));
    QCOMPARE(json.at("stacks").at(0).at("output_shift").at("at_peak_rate").get<double>(), 0.02);
    QCOMPARE(json.at("mu").get<double>(), 12.0);
  }
};

QTEST_APPLESS_MAIN(TestTrainability)
#include "tst_trainability.moc"
