// SPDX-License-Identifier: Apache-2.0
// What the numbers of a model before its first update say.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/training/trainability.h"

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
      QVERIFY(check.remedies.empty() && check.change().empty());
    }
    QVERIFY(verdict.checks.size() >= 7);
  }

  // Layers that learn at a share of the rate are judged by that; those that do not learn cannot learn too
  // fast.
  void aStackHasItsShareOfTheRate() {
    TrainabilityFacts facts = calm();
    facts.peakRate = 100 * kUpdateUnlikely / std::pow(facts.stacks[0].ownShareSum(), 2);
    facts.summedRate = 100;
    QCOMPARE(judgeTrainability(facts).verdict, Trainability::Unlikely);
    for (const double share : {0.0, 1e-4}) {
      facts.stacks[0].rateShare = share;
      QCOMPARE(judgeTrainability(facts).verdict, Trainability::Green);
    }
    const Json stack = trainabilityToJson(facts, judgeTrainability(facts)).at("stacks")[0];
    QCOMPARE(stack.at("rate_share").get<double>(), 1e-4);
    QCOMPARE(stack.at("output_shift").at("at_peak_rate").get<double>(), 20 * facts.peakRate * 1e-4);
  }

  // Each number passes its limits by itself, first to doubtful, then to unlikely.
  void limits_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("doubtful");
    QTest::addColumn<double>("unlikely");
    QTest::newRow("update") << "update" << kUpdateDoubtful * 1.01 << kUpdateUnlikely * 1.01;
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
      if (id == "update") {  // at a rate at which nothing else is passed
        const double sum = std::sqrt(value / facts.peakRate);
        facts.stacks[0].ownShare = {sum / 2, sum / 2};
      }
      if (id == "gradient") facts.stacks[0].gradient = {value, 1};
      if (id == "step") facts.stacks[0].amplification = value / facts.peakRate;
      if (id == "movement") facts.summedRate = value * facts.weightScale;
      if (id == "loss") facts.loss = value * facts.ignorantLoss;
      const TrainabilityVerdict verdict = judgeTrainability(facts);
      QCOMPARE(verdict.verdict, expected);
      const TrainabilityCheck& worst = verdict.checks.front();  // worst first
      QCOMPARE(QString::fromStdString(worst.id), id);
      QVERIFY(!worst.change().empty());
      QVERIFY(worst.reason.english().find("limit") != std::string::npos || id == "loss");
    }
  }

  // Sums of beta_ii^2 of deep decoders and rates, with what short trainings made of them.
  void theRateDecidesForADepth_data() {
    QTest::addColumn<double>("sum");
    QTest::addColumn<double>("rate");
    QTest::addColumn<int>("expected");
    const int green = int(Trainability::Green), doubtful = int(Trainability::Doubtful),
              unlikely = int(Trainability::Unlikely);
    QTest::newRow("Post-LN 8, slow") << 6.9 << 0.0005 << green;
    QTest::newRow("Post-LN 8") << 6.9 << 0.0015 << doubtful;
    QTest::newRow("Post-LN 8, fast") << 6.9 << 0.004 << unlikely;
    QTest::newRow("Post-LN 12, slow") << 10.5 << 0.0005 << doubtful;
    QTest::newRow("Post-LN 12") << 10.5 << 0.0015 << unlikely;
    QTest::newRow("Post-LN 18, slow") << 17.8 << 0.0005 << unlikely;
    QTest::newRow("Admin 18") << 2.9 << 0.0015 << green;
    QTest::newRow("Post-LN 24, BERT") << 12.2 << 0.0001 << green;
  }
  void theRateDecidesForADepth() {
    QFETCH(double, sum);
    QFETCH(double, rate);
    QFETCH(int, expected);
    TrainabilityFacts facts = calm();
    facts.peakRate = rate;
    facts.stacks[0].ownShare = {sum};
    QCOMPARE(int(judgeTrainability(facts).verdict), expected);
  }

  // Of two stacks that fail the worse one comes first, so that its advice is enough for both.
  void theWorstStackIsFirst() {
    TrainabilityFacts facts = calm();
    facts.stacks.insert(facts.stacks.begin(), calmStack());
    facts.stacks[0].stack = "encoder";
    facts.stacks[0].ownShare = {11};
    facts.stacks[1].ownShare = {18};
    const TrainabilityVerdict verdict = judgeTrainability(facts);
    QCOMPARE(verdict.checks[0].stack, std::string("decoder"));
    QCOMPARE(verdict.checks[1].stack, std::string("encoder"));
    QCOMPARE(verdict.checks[1].id, std::string("update"));
    QVERIFY(verdict.checks[0].remedies[0].value < verdict.checks[1].remedies[0].value);
  }

  // The rate that is advised makes the same model green.
  void theAdvisedRateIsGreen() {
    TrainabilityFacts facts = calm();
    facts.stacks[0].residual = "post_ln";
    facts.stacks[0].ownShare = {5, 6.3};
    const TrainabilityCheck worst = judgeTrainability(facts).checks.front();
    QCOMPARE(int(worst.remedies.front().kind), int(TrainabilityRemedy::Kind::LowerRate));
    QCOMPARE(worst.change().english(),
             std::string("a peak learning rate of at most 0.00039, or Admin or Pre-LN as residual "
                         "scheme of the decoder, or fewer layers"));
    const double factor = worst.remedies.front().value / facts.peakRate;
    facts.peakRate *= factor;
    facts.summedRate *= factor;
    QCOMPARE(judgeTrainability(facts).verdict, Trainability::Green);
    facts.peakRate /= factor;
    facts.summedRate /= 2 * factor;  // too few updates at the lower rate
    facts.stacks[0].residual = "pre_ln";
    const TrainabilityCheck longer = judgeTrainability(facts).checks.front();
    QVERIFY(longer.change().english().find("at most 0.00039 over more updates, or fewer layers") !=
            std::string::npos);
    QVERIFY(longer.change().english().find("Admin") == std::string::npos);  // it has such a scheme
  }

  // At whatever sub-layer: a norm behind it makes the next sums look well again.
  void anUnexpectedScaleIsDoubtful() {
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}}) {
      TrainabilityFacts facts = calm();
      facts.stacks[0].measured[at] = 1.01 * kScaleDoubtful;
      const TrainabilityVerdict verdict = judgeTrainability(facts);
      QCOMPARE(verdict.verdict, Trainability::Doubtful);
      QVERIFY(verdict.checks[0].reason.english().find(facts.stacks[0].sublayers[at]) != std::string::npos);
      facts.stacks[0].measured[at] = 0.99 / kScaleDoubtful;
      QCOMPARE(judgeTrainability(facts).verdict, Trainability::Doubtful);
    }
  }

  // Epochs of data that are not there: the rate is known, the way is not.
  void unknownLengthIsNotJudged() {
    TrainabilityFacts facts = calm();
    facts.updates = -1;
    facts.summedRate = std::nan("");
    const TrainabilityVerdict verdict = judgeTrainability(facts);
    QCOMPARE(verdict.verdict, Trainability::Green);
    QVERIFY(findCheck(verdict, "movement")->reason.english().find("not judged") != std::string::npos);
    const Json rates = trainabilityToJson(facts, verdict).at("learning_rate");
    QVERIFY(rates.at("updates").is_null() && rates.at("sum").is_null());
    QCOMPARE(rates.at("peak").get<double>(), facts.peakRate);
    facts.stacks[0].ownShare = {5, 6.3};
    QCOMPARE(int(judgeTrainability(facts).checks.front().remedies.front().kind),
             int(TrainabilityRemedy::Kind::LowerRate));
  }

  void aClosedStackIsNoFault() {
    TrainabilityFacts facts = calm();  // ReZero: nothing reads the encoder before the first update
    facts.stacks[0].gradient = {0, 0};
    facts.stacks[0].ownShare = {0, 0};
    facts.stacks[0].amplification = 0;
    const TrainabilityVerdict verdict = judgeTrainability(facts);
    QCOMPARE(verdict.verdict, Trainability::Green);
    QVERIFY(findCheck(verdict, "gradient")->reason.english().find("starts closed") != std::string::npos);
  }

  void whatIsNotFiniteIsSaid() {
    const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    for (const double value : bad) {
      TrainabilityFacts facts = calm();
      facts.stacks[0].measured[1] = value;
      const TrainabilityVerdict verdict = judgeTrainability(facts);
      QCOMPARE(verdict.verdict, Trainability::Unlikely);
      QCOMPARE(verdict.checks.size(), std::size_t{1});
      QVERIFY(verdict.checks[0].reason.english().find("decoder") != std::string::npos);
      facts = calm();
      facts.loss = value;
      QVERIFY(judgeTrainability(facts).checks[0].reason.english().find("loss") != std::string::npos);
      QVERIFY(!trainabilityToJson(facts, judgeTrainability(facts)).dump().empty());
    }
  }

  void jsonHasVerdictFirst() {
    const TrainabilityFacts facts = calm();
    const Json json = trainabilityToJson(facts, judgeTrainability(facts));
    QCOMPARE(QString::fromStdString(json.begin().key()), QStringLiteral("verdict"));
    QCOMPARE(json.at("stacks").at(0).at("output_shift").at("at_peak_rate").get<double>(), 0.02);
    QCOMPARE(json.at("mu").get<double>(), 12.0);
    QCOMPARE(json.at("stacks").at(0).at("beta_own_sum").get<double>(), 0.5);
    TrainabilityFacts deep = calm();
    deep.stacks[0].ownShare = {12};
    const Json worst = trainabilityToJson(deep, judgeTrainability(deep)).at("checks").at(0);
    QCOMPARE(worst.at("id").get<std::string>(), std::string("update"));
    QCOMPARE(worst.at("remedies").at(0).at("id").get<std::string>(), std::string("lower_rate"));
    QVERIFY(!worst.at("change").get<std::string>().empty());
  }
};

QTEST_APPLESS_MAIN(TestTrainability)
#include "tst_trainability.moc"
