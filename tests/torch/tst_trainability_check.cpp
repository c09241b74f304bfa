// SPDX-License-Identifier: Apache-2.0
// The trainability check through the engine: what it measures of real models.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include "core/base/files/atomic_file.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_subject.h"
#include "core/probe/branch_probe.h"
#include "core/probe/stack_shift.h"
#include "core/probe/trainability_probe.h"
#include "core/train/parts/run_options.h"
#include "tests/torch/support_tiny_run.h"

using namespace fathom;
using namespace fathom::test;

namespace {

// What a verb prints while this lives.
class Printed {
 public:
  Printed() : m_before(std::cout.rdbuf(m_text.rdbuf())) {}
  ~Printed() { std::cout.rdbuf(m_before); }
  std::string text() const { return m_text.str(); }

 private:
  std::ostringstream m_text;
  std::streambuf* m_before;
};

double last(const Json& list) {
  return realFromJson(list.back()).value();
}

double sum(const Json& list) {
  double total = 0;
  for (const Json& item : list) total += realFromJson(item).value();
  return total;
}

}  // namespace

class TestTrainabilityCheck : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void schemesDiffer();
  void predictionsFollowTheScheme_data();
  void predictionsFollowTheScheme();
  void withoutDataTheSampleIsUsed();
  void theSampleHasAFormOfItsOwn();
  void aSumIsSeenBeforeItsNorm_data();
  void aSumIsSeenBeforeItsNorm();
  void shiftsAreThoseOfTheProbe_data();
  void shiftsAreThoseOfTheProbe();
  void wordsForAPerson();
  void theRateDecides();
  void largeBatchesAreMadeSmaller();
  void forbiddenCombinationsAreRefused();

 private:
  TrainabilityVerb verbOf(const std::string& scheme, int layers, bool data = true) const;
  static Json reportOf(TrainabilityVerb verb);
  TinyRuns m_runs;
};

TrainabilityVerb TestTrainabilityCheck::verbOf(const std::string& scheme, int layers, bool data) const {
  const std::string depth = std::to_string(layers);
  TrainabilityVerb verb;
  verb.assignments = {"model.width=32",
                      "model.feed_forward=64",
                      "model.heads=2",
                      "encoder.layers=" + depth,
                      "decoder.layers=" + depth,
                      "encoder.residual=" + scheme,
                      "decoder.residual=" + scheme,
                      "data.vocabulary.size=120",
                      "batch.max_tokens=256",
                      "training.length=300u",
                      "lr_schedule.rate=0.002",
                      "lr_schedule.warmup=50",
                      "device=cpu",
                      "threads=1"};
  for (const char* part : {"train", "validation", "test"})
    if (data) verb.assignments.push_back(std::string("data.") + part + "=" + m_runs.dataFile(part));
  return verb;
}

Json TestTrainabilityCheck::reportOf(TrainabilityVerb verb) {
  verb.json = true;
  const Printed printed;
  if (trainabilityVerb(verb) != ExitCode::Finished) throw Failure(internalError("the check failed"));
  return parseJson(printed.text()).value();
}

void TestTrainabilityCheck::schemesDiffer() {
  const Json post = reportOf(verbOf("post_ln", 10)), admin = reportOf(verbOf("admin", 10));
  QCOMPARE(post.at("verdict").get<std::string>(), std::string("will_probably_not_learn"));
  QVERIFY(admin.at("verdict").get<std::string>() != "will_probably_not_learn");
  for (std::size_t stack = 0; stack < 2; ++stack) {
    const Json &a = post.at("stacks")[stack], &b = admin.at("stacks")[stack];
    QCOMPARE(a.at("sublayers").size(), std::size_t{stack == 0 ? 20u : 30u});
    QVERIFY(sum(a.at("beta_own")) > 2 * sum(b.at("beta_own")));
    QVERIFY(a.at("output_shift").at("amplification").get<double>() >
            b.at("output_shift").at("amplification").get<double>());
    QVERIFY(a.at("mu").get<double>() > 1);
  }
  QCOMPARE(post.at("learning_rate").at("updates").get<int>(), 300);
  QVERIFY(std::abs(post.at("learning_rate").at("peak").get<double>() - 0.002) < 2e-4);
  const double ratio =
      post.at("loss").at("start").get<double>() / post.at("loss").at("knowing_nothing").get<double>();
  QVERIFY(ratio > 0.9 && ratio < 1.5);
}

void TestTrainabilityCheck::predictionsFollowTheScheme_data() {
  QTest::addColumn<QString>("scheme");
  for (const char* scheme :
       {"post_ln", "pre_ln", "admin", "rezero", "rezero_post_ln", "fixup", "deepnet", "unnormalised"})
    QTest::newRow(scheme) << QString::fromLatin1(scheme);
}

// Independent branches are a good guess for two layers of any scheme.
void TestTrainabilityCheck::predictionsFollowTheScheme() {
  QFETCH(QString, scheme);
  const Json report = reportOf(verbOf(scheme.toStdString(), 2));
  QVERIFY(!report.at("stacks").empty());
  for (const Json& stack : report.at("stacks")) {
    const double measured = last(stack.at("measured_scale")), predicted = last(stack.at("predicted_scale"));
    QVERIFY(measured > 0);
    QVERIFY2(std::abs(predicted / measured - 1) < 0.3,
             qPrintable(QStringLiteral("%1: %2 for %3").arg(scheme).arg(predicted).arg(measured)));
    for (const Json& value : stack.at("gradient")) QVERIFY(std::isfinite(realFromJson(value).value()));
  }
}

void TestTrainabilityCheck::withoutDataTheSampleIsUsed() {
  const Json report = reportOf(verbOf("pre_ln", 1, false));
  QVERIFY(report.at("note").get<std::string>().find("made data") != std::string::npos);
  QVERIFY(report.at("tokens").get<int>() > 50);
  QVERIFY(reportOf(verbOf("pre_ln", 1)).at("note").get<std::string>().empty());
}

// Whatever the options say about files, words and epochs: without data they are the sample's, and what is
// planned is the configuration's own.
void TestTrainabilityCheck::theSampleHasAFormOfItsOwn() {
  TrainabilityVerb verb = verbOf("pre_ln", 1, false);
  for (const char* option : {"data.format=two_files", "data.train_target=x", "data.validation=y",
                             "data.header=true", "data.source_column=2", "data.target_column=1",
                             "data.max_pairs=3", "data.vocabulary.kind=words", "training.accumulation=64"})
    verb.assignments.emplace_back(option);
  const auto planned = [&](const char* length) {
    verb.assignments.push_back(std::string("training.length=") + length);
    const Json report = reportOf(verb);
    const Json rates = report.at("learning_rate");
    if (std::abs(rates.at("peak").get<double>() - 0.002) > 1e-4) throw Failure(internalError("another peak"));
    return rates.at("updates");
  };
  QCOMPARE(planned("70000u").get<int>(), 70000);
  QVERIFY(planned("90e").is_null());
  // 64 batches of at most 256 tokens with padding: an update has some 13,000 target tokens, not an epoch's.
  const double updates = planned("20Mt").get<double>();
  QVERIFY2(updates > 20e6 / (64 * 256) && updates < 2 * 20e6 / (64 * 256),
           qPrintable(QString::number(updates)));
  TrainabilityVerb masked;
  masked.assignments = {"task=mlm",
                        "model=bert",
                        "model.width=32",
                        "model.heads=2",
                        "model.feed_forward=64",
                        "encoder.layers=2",
                        "mlm.vocabulary.file=nowhere.txt",
                        "mlm.documents=wikitext",
                        "device=cpu",
                        "threads=1",
                        "training.length=50u",
                        "lr_schedule.warmup=10"};
  const Json report = reportOf(masked);
  QVERIFY(report.at("note").get<std::string>().find("made data") != std::string::npos);
  QCOMPARE(report.at("stacks").size(), std::size_t{1});
}

void TestTrainabilityCheck::aSumIsSeenBeforeItsNorm_data() {
  QTest::addColumn<QString>("scheme");
  for (const char* scheme : {"post_ln", "admin", "pre_ln"})
    QTest::newRow(scheme) << QString::fromLatin1(scheme);
}

// A branch that adds the same large vector to every token: norms hide it from whoever looks behind them.
void TestTrainabilityCheck::aSumIsSeenBeforeItsNorm() {
  QFETCH(QString, scheme);
  const std::vector<std::string> assignments = verbOf(scheme.toStdString(), 2).assignments;
  const OptionValues options = runOptions({}, "", assignments).value();
  RunPartsRequest request;
  request.device = "cpu";
  RunParts parts = makeRunParts(options, request).value();
  initialiseParts(parts, options, false).value();
  const ProbeSubject subject = probeSubject(parts, options, {"train"}, nullptr, {});
  const auto judged = [&] {
    TrainabilityFacts facts = measureTrainability(subject, Activation::Relu).value();
    facts.loss = facts.ignorantLoss = 5;
    facts.updates = 300;
    facts.peakRate = 1e-5;
    facts.summedRate = 1;
    const TrainabilityVerdict verdict = judgeTrainability(facts);
    return verdict.checks.front();
  };
  QCOMPARE(judged().verdict, Trainability::Green);
  for (const Parameter& parameter : parts.model->parameters().parameters()) {
    if (parameter.info.name != "decoder.layers.0.feed_forward.output.bias") continue;
    const torch::NoGradGuard noGradients;
    parts.model->parameters().value(parameter).fill_(30);
  }
  const TrainabilityCheck worst = judged();
  QCOMPARE(worst.verdict, Trainability::Doubtful);
  QCOMPARE(worst.id, std::string("scale"));
  QVERIFY2(worst.reason.english().find("decoder.layers.0.feed_forward") != std::string::npos,
           worst.reason.english().c_str());
}

void TestTrainabilityCheck::shiftsAreThoseOfTheProbe_data() {
  aSumIsSeenBeforeItsNorm_data();
}

// The check takes the streams of unchanged weights from a pass that it needs all the same.
void TestTrainabilityCheck::shiftsAreThoseOfTheProbe() {
  QFETCH(QString, scheme);
  const OptionValues options = runOptions({}, "", verbOf(scheme.toStdString(), 2).assignments).value();
  RunPartsRequest request;
  request.device = "cpu";
  RunParts parts = makeRunParts(options, request).value();
  initialiseParts(parts, options, false).value();
  const ProbeSubject subject = probeSubject(parts, options, {"train"}, nullptr, {});
  const TrainabilityFacts facts = measureTrainability(subject, Activation::Relu).value();
  const ProbeBatch batch = subject.whole();
  StepContext context;
  context.seed = subject.seed;
  QCOMPARE(facts.stacks.size(), std::size_t{2});
  for (const StackCheck& check : facts.stacks) {
    Perturbation change;
    change.delta = 1e-4;
    change.seed = subject.seed;
    change.stack = check.stack == "encoder" ? StackKind::Encoder : StackKind::Decoder;
    const ResidualScheme& residual = parts.model->residual(change.stack);
    const StackShift shift =
        probeOutputShift(parts.model->parameters(), residual,
                         {{batch.forward, batch.realTokens.of(change.stack)}}, context, change)
            .value();
    const double perToken = shift.afterTopNorm.back().theorem2.perToken;
    QVERIFY(check.amplification > 0);
    QCOMPARE(check.amplification, std::sqrt(perToken / 32) / 1e-4);
    const auto recorded = recordBranches(batch.forward, context);
    const auto same = std::find_if(recorded.begin(), recorded.end(),
                                   [&](const StackBranches& each) { return each.stack == change.stack; });
    QCOMPARE(check.ownShare.size(), same->sites.size());
  }
}

void TestTrainabilityCheck::wordsForAPerson() {
  const Printed printed;
  QCOMPARE(trainabilityVerb(verbOf("post_ln", 10)), ExitCode::Finished);
  QVERIFY(printed.text().find("verdict: will_probably_not_learn") == 0);
  QVERIFY(printed.text().find("would help: a peak learning rate of at most") != std::string::npos);
}

// What is measured does not depend on the rate; the verdict does.
void TestTrainabilityCheck::theRateDecides() {
  TrainabilityVerb slow = verbOf("post_ln", 10);
  slow.assignments.emplace_back("lr_schedule.rate=0.0001");
  slow.assignments.emplace_back("training.length=3000u");
  const Json post = reportOf(slow), fast = reportOf(verbOf("post_ln", 10));
  QCOMPARE(fast.at("checks")[0].at("id").get<std::string>(), std::string("update"));
  QVERIFY(fast.at("checks")[0].at("remedies")[0].at("id").get<std::string>().find("lower_rate") == 0);
  QVERIFY(post.at("stacks")[1].at("beta_own_sum") == fast.at("stacks")[1].at("beta_own_sum"));
  for (const Json& check : post.at("checks"))
    if (check.at("id") == "update") QCOMPARE(check.at("verdict").get<std::string>(), std::string("green"));
}

void TestTrainabilityCheck::largeBatchesAreMadeSmaller() {
  TrainabilityVerb verb = verbOf("pre_ln", 1);
  verb.assignments.emplace_back("batch.max_tokens=1024");
  verb.assignments.emplace_back("training.length=40e");
  const Json exact = reportOf(verb);
  verb.assignments.emplace_back("batch.max_tokens=4096");
  const Json larger = reportOf(verb);
  QVERIFY(exact.at("note").get<std::string>().empty());
  QVERIFY(larger.at("note").get<std::string>().find("at most 1024 tokens") != std::string::npos);
  QVERIFY(larger.at("tokens") == exact.at("tokens"));
  const double updates = exact.at("learning_rate").at("updates").get<double>();
  QVERIFY(updates > 40);
  QVERIFY(std::abs(larger.at("learning_rate").at("updates").get<double>() - updates / 4) <= 1);
}

void TestTrainabilityCheck::forbiddenCombinationsAreRefused() {
  TrainabilityVerb verb = verbOf("post_ln", 1);
  verb.assignments.emplace_back("model.heads=3");
  QVERIFY_THROWS_EXCEPTION(Failure, trainabilityVerb(verb));
}

QTEST_GUILESS_MAIN(TestTrainabilityCheck)
#include "tst_trainability_check.moc"
