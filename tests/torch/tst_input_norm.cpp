// SPDX-License-Identifier: Apache-2.0
// Input norms: µ is that of the initialisation, padding does not count, rows that are not numbers are left
// out.
#include <QTest>
#include <cmath>

#include "core/analysis/norms/input_norm.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_subject.h"
#include "core/init/dt_fixup.h"
#include "core/probe/probe_entry.h"
#include "core/record/results/analysis_store.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

class TestInputNorm : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void histogramKeepsMomentsAndLargest();
  void largestIsThatOfTheInitialisation();
  void encoderDecoderHasBothStacks();
  void scalesAreThoseOfTheReport();
  void batchesAndPaddingDoNotMatter();
  void nanWeightsAreRefused();

 private:
  InputNorms probed(const std::vector<std::string>& runAssignments = {}, const char* checkpoint = "init") {
    const QTemporaryDir fresh;
    ProbeVerb verb;
    verb.run = m_runs.path("run");
    verb.analysis = "input_norm";
    verb.checkpoint = checkpoint;
    verb.split = "train";
    verb.runAssignments = runAssignments;
    verb.out = fresh.path().toStdString();
    if (probeVerb(verb) != ExitCode::Finished) throw Failure(internalError("the probe failed"));
    return inputNormsFromJson(listAnalyses(verb.out, verb.analysis).back().result).value();
  }
  TinyRuns m_runs;
};

void TestInputNorm::initTestCase() {
  QCOMPARE(m_runs.train("run", {"precision=float64", "training.length=20u", "encoder.layers=2"}).code,
           ExitCode::Finished);
}

void TestInputNorm::histogramKeepsMomentsAndLargest() {
  std::vector<double> values;
  NormHistogram histogram;
  for (int i = 0; i < 3000; ++i) values.push_back(i % 7 == 0 ? 0 : 0.001 * i * i);
  for (const double value : values) histogram.add(value);
  const SampleDistribution exact = summariseSamples(values), binned = histogram.summary();
  QCOMPARE(binned.count, exact.count);
  QCOMPARE(histogram.largest(), exact.fiveNumbers[4]);
  QVERIFY(std::abs(binned.mean - exact.mean) <= 1e-12 * exact.mean);
  QVERIFY(std::abs(binned.variance - exact.variance) <= 1e-10 * exact.variance);
  for (std::size_t q = 0; q < 5; ++q)
    QVERIFY(std::abs(binned.fiveNumbers[q] - exact.fiveNumbers[q]) <= histogram.width());
  std::int64_t inBins = 0;
  for (const std::int64_t count : histogram.counts()) inBins += count;
  QCOMPARE(inBins, std::int64_t{3000});
  QVERIFY(histogram.counts().size() <= NormHistogram::kBins && histogram.counts().back() > 0);
  NormHistogram zeros;
  zeros.add(0);
  QCOMPARE(zeros.largest(), 0.0);
  QVERIFY(std::isnan(NormHistogram().summary().median()));
}

// The same rule as the pass of DT-Fixup: padding is not looked at, an example with a NaN row not at all.
void TestInputNorm::largestIsThatOfTheInitialisation() {
  torch::Tensor states = at::zeros({3, 4, 2}, torch::kFloat64);
  states[0][0][0] = 3;
  states[0][0][1] = 4;
  states[0][3][0] = 100;  // padding
  states[1][2][0] = 7;
  states[1][1][0] = std::nan("");
  states[2][0][0] = 2;
  torch::Tensor padding = at::zeros({3, 4}, torch::kBool);
  padding[0][3] = true;
  InputNorm initialisation;
  initialisation.add("", states, padding);
  StoredRun stored = openStoredRun({m_runs.path("run"), "init", {}, false, nullptr, {}}).value();
  ProbeSubject subject = probeSubject(stored.parts, stored.options, {"train", 1}, nullptr, {});
  subject.batch = [&](std::int64_t) {
    ProbeBatch batch;
    batch.examples = 3;
    batch.forward = [&](const StepContext& context) {
      context.observer->layerInput(StackKind::Encoder, "", states, padding);
    };
    return batch;
  };
  const ProbeEntry entry = findProbe("input_norm").value();
  const OptionValues options{OptionSchema(entry.fields, {})};
  const InputNorms norms = inputNormsFromJson(entry.run(subject, options).value()).value();
  QCOMPARE(norms.parts.size(), std::size_t{1});
  QCOMPARE(norms.parts[0].mu(), initialisation.paper());
  QCOMPARE(norms.parts[0].mu(), 5.0);
  QCOMPARE(norms.parts[0].skipped, std::int64_t{1});
  QCOMPARE(norms.parts[0].values.count, std::int64_t{7});
}

void TestInputNorm::encoderDecoderHasBothStacks() {
  const InputNorms norms = probed();
  QCOMPARE(norms.examples, std::int64_t{400});
  QCOMPARE(norms.parts.size(), std::size_t{2});
  QCOMPARE(norms.parts[0].stack, std::string("encoder"));
  QCOMPARE(norms.parts[0].layers, std::int64_t{2});
  QCOMPARE(norms.parts[0].residual, std::string("post_ln"));
  QVERIFY(norms.parts[0].values.count > 400 && norms.parts[0].mu() > norms.parts[0].values.median());
  QVERIFY(norms.used.empty());
}

void TestInputNorm::scalesAreThoseOfTheReport() {
  const InputNorms norms = probed();
  const Json rows = recordedInitialisation(m_runs.path("run")).at("rows");
  QCOMPARE(norms.tensors.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TensorScale& scale = norms.tensors[i];
    QCOMPARE(scale.name, rows[i].at("name").get<std::string>());
    QCOMPARE(scale.rule, rows[i].at("rule").get<std::string>());
    QCOMPARE(scale.factor, realFromJson(rows[i].at("factor")).value());
    QVERIFY(std::abs(scale.deviation - realFromJson(rows[i].at("std")).value()) < 1e-15);
  }
  // After training the tensors are others, the record is the same.
  const InputNorms later = probed({}, "");
  QCOMPARE(later.tensors[0].rule, norms.tensors[0].rule);
  QVERIFY(later.tensors[0].deviation != norms.tensors[0].deviation);
}

void TestInputNorm::batchesAndPaddingDoNotMatter() {
  const InputNorms whole = probed(), pieces = probed({"batch.max_tokens=64"});
  QVERIFY(!whole.parts.empty());
  QCOMPARE(pieces.parts.size(), whole.parts.size());
  for (std::size_t i = 0; i < whole.parts.size(); ++i) {
    QCOMPARE(whole.parts[i].values.count, pieces.parts[i].values.count);
    QVERIFY(std::abs(whole.parts[i].mu() - pieces.parts[i].mu()) <= 1e-12 * whole.parts[i].mu());
    QVERIFY(std::abs(whole.parts[i].values.mean - pieces.parts[i].values.mean) <= 1e-9);
  }
}

void TestInputNorm::nanWeightsAreRefused() {
  StoredRun stored = openStoredRun({m_runs.path("run"), "init", {}, false, nullptr, {}}).value();
  for (const Leaf& leaf : stored.parts.model->parameters().leaves()) leaf.tensor.detach().fill_(std::nan(""));
  const ProbeSubject subject = probeSubject(stored.parts, stored.options, {"train", 5}, nullptr, {});
  const ProbeEntry entry = findProbe("input_norm").value();
  const auto result = entry.run(subject, OptionValues{OptionSchema(entry.fields, {})});
  QVERIFY(!result.ok());
  QVERIFY2(result.error().text().find("NaN weights") != std::string::npos, result.error().text().c_str());
}

QTEST_GUILESS_MAIN(TestInputNorm)
#include "tst_input_norm.moc"
