// SPDX-License-Identifier: Apache-2.0
// Sweeps of the output shift over depths, through the engine.
#include <QTest>

#include "core/analysis/dependency/shift_sweep.h"
#include "core/engine/engine_verbs.h"
#include "core/probe/probe_entry.h"
#include "core/record/results/analysis_store.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

class TestOutputShiftSweep : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void prefixesEqualOneNetEach_data();
  void prefixesEqualOneNetEach();
  void depthDependentSchemesAreNotShared();
  void adamNeedsOneNetEach();
  void aSchemeThatStaysPutHasNoLaw();
  void nanWeightsAreRefused();
  void badRequests_data();
  void badRequests();

 private:
  std::string refusalOf(const std::vector<std::string>& assignments, const std::string& checkpoint = {});
  ShiftSweep sweep(const std::vector<std::string>& assignments);
  TinyRuns m_runs;
};

void TestOutputShiftSweep::initTestCase() {
  QCOMPARE(m_runs.train("run", {"precision=float64", "training.length=5u"}).code, ExitCode::Finished);
}

ShiftSweep TestOutputShiftSweep::sweep(const std::vector<std::string>& assignments) {
  const QTemporaryDir fresh;
  ProbeVerb verb;
  verb.run = m_runs.path("run");
  verb.analysis = "output_shift";
  verb.out = fresh.path().toStdString();
  verb.assignments = {"depths=1,2,4", "draws=2"};
  verb.assignments.insert(verb.assignments.end(), assignments.begin(), assignments.end());
  if (probeVerb(verb) != ExitCode::Finished) throw Failure(internalError("the probe failed"));
  const StoredAnalysis stored = listAnalyses(verb.out, verb.analysis).back();
  if (stored.request.checkpoint != "init") throw Failure(internalError("not the initial weights"));
  return shiftSweepFromJson(stored.result).value();
}

void TestOutputShiftSweep::prefixesEqualOneNetEach_data() {
  QTest::addColumn<QString>("variant");
  QTest::addColumn<QString>("stack");
  for (const char* scheme : {"post_ln", "pre_ln", "admin"})
    for (const char* stack : {"encoder", "decoder"})
      QTest::addRow("%s %s", scheme, stack) << QString::fromLatin1(scheme) << QString::fromLatin1(stack);
}

void TestOutputShiftSweep::prefixesEqualOneNetEach() {
  QFETCH(QString, variant);
  QFETCH(QString, stack);
  const std::vector<std::string> asked = {"variants=" + variant.toStdString(),
                                          "stack=" + stack.toStdString()};
  std::vector<std::string> plain = asked;
  plain.emplace_back("path=one_net_per_depth");
  const ShiftSweep shared = sweep(asked), each = sweep(plain);
  QVERIFY(shared.series.at(0).sharedPrefixes && !each.series.at(0).sharedPrefixes);
  QCOMPARE(shared.stack, stack.toStdString());
  QVERIFY(shared.tokens > 50);
  const ShiftSummary a = summariseShift(shared, shared.series[0], {}),
                     b = summariseShift(each, each.series[0], {});
  QCOMPARE(a.mean.size(), std::size_t{3});
  for (std::size_t i = 0; i < a.mean.size(); ++i) {
    QVERIFY(a.mean[i] > 0);
    QVERIFY2(std::abs(a.mean[i] / b.mean[i] - 1) < 1e-6, qPrintable(QString::number(a.mean[i] / b.mean[i])));
  }
}

void TestOutputShiftSweep::depthDependentSchemesAreNotShared() {
  const ShiftSweep found =
      sweep({"variants=deepnet,unnormalised,T-Fixup:encoder.residual=unnormalised&"
             "decoder.residual=unnormalised&init=t_fixup"});
  QCOMPARE(found.series.size(), std::size_t{3});
  for (const ShiftSeries& series : found.series) QVERIFY(!series.sharedPrefixes);
  QCOMPARE(found.series[2].name, std::string("T-Fixup"));
  // Where an option decides.
  const ShiftSweep chosen = sweep(
      {"variants=Formula:encoder.residual=admin&decoder.residual=admin&encoder.residual.admin.omega=output_"
       "log&"
       "decoder.residual.admin.omega=output_constant,Scaled:init=bert&init.bert.scale_outputs=true,"
       "Linear:encoder.residual=admin&decoder.residual=admin&encoder.residual.admin.omega=output_linear&"
       "decoder.residual.admin.omega=output_linear,Plain:init=bert"});
  QCOMPARE(chosen.series.size(), std::size_t{4});
  for (std::size_t i = 0; i < 4; ++i) QCOMPARE(chosen.series[i].sharedPrefixes, i >= 2);
}

void TestOutputShiftSweep::adamNeedsOneNetEach() {
  const ShiftSweep found = sweep({"change=both"});
  QCOMPARE(found.series.size(), std::size_t{2});
  QVERIFY(found.series[0].sharedPrefixes && found.series[0].change == "random");
  QVERIFY(!found.series[1].sharedPrefixes && found.series[1].change == "adam");
  QVERIFY(summariseShift(found, found.series[1], {}).mean.back() > 0);
  // Draws are different nets.
  QVERIFY(found.series[0].draws[0][0].stream.raw.real != found.series[0].draws[1][0].stream.raw.real);
}

void TestOutputShiftSweep::aSchemeThatStaysPutHasNoLaw() {
  const ShiftSweep found = sweep({"variants=rezero"});  // every branch is multiplied by 0
  const ShiftSummary summary = summariseShift(found, found.series.at(0), {});
  QCOMPARE(summary.mean.back(), 0.0);
  QVERIFY(!summary.linear.r2 && !summary.ratio);
}

// As a pre-trained file could bring them.
void TestOutputShiftSweep::nanWeightsAreRefused() {
  const StoredRun stored =
      openStoredRun({m_runs.path("run"), "init", {"encoder.layers=3"}, false, nullptr, {}}).value();
  ParameterStore& store = stored.parts.model->parameters();
  for (const Parameter& parameter : store.parameters()) {
    if (parameter.info.role != ParameterRole::FeedForwardInput) continue;
    const torch::NoGradGuard noGradients;
    store.value(parameter).detach().fill_(std::nan(""));
  }
  ProbeSubject subject(*stored.parts.model);
  subject.batches = subject.examples = 1;
  subject.build = [&](const std::vector<std::string>&) -> Result<ProbeNet> {
    ProbeNet net;
    net.model = std::shared_ptr<Model>(std::shared_ptr<void>(), stored.parts.model.get());
    net.sharesPrefixes = true;
    net.batch = [&](std::int64_t index) {
      const auto batch = std::make_shared<DeviceBatch>(
          toDevice(stored.parts.task->makeBatch(DataSplit::Validation, index), torch::kCPU));
      ProbeBatch result;
      result.forward = [&, batch](const StepContext& context) {
        stored.parts.objective->forward(*stored.parts.model, *batch, context);
      };
      result.realTokens = stored.parts.objective->realTokens(*batch);
      return result;
    };
    return net;
  };
  const ProbeEntry entry = findProbe("output_shift").value();
  OptionValues options{OptionSchema(entry.fields, {})};
  options.setText("depths=1,2,3").value();
  options.setText("draws=1").value();
  const auto result = entry.run(subject, options);
  QVERIFY(!result.ok());
  QVERIFY2(result.error().text().find("not a number") != std::string::npos, result.error().text().c_str());
}

std::string TestOutputShiftSweep::refusalOf(const std::vector<std::string>& assignments,
                                            const std::string& checkpoint) {
  ProbeVerb verb;
  verb.run = m_runs.path("run");
  verb.analysis = "output_shift";
  verb.checkpoint = checkpoint;
  verb.assignments = assignments;
  try {
    probeVerb(verb);
  } catch (const Failure& failure) {
    return failure.error().text();
  }
  return {};
}

void TestOutputShiftSweep::badRequests_data() {
  QTest::addColumn<QString>("assignment");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* assignment, const char* words) {
    QTest::newRow(assignment) << QString::fromLatin1(assignment) << QString::fromLatin1(words);
  };
  row("depths=0,2,4", "0 is not a number of layers");
  row("depths=2,2,4", "2 is there twice");
  row("depths=2,4", "at least 3 depths");
  row("depths=2,x,4", "'x'");
  row("variants=admin2", "admin2");
  row("variants=encoder.residual=admn", "admn");
  row("variants=batch.max_tokens=5", "changes more than the model");
  row("variants=model.heads=3", "variant 'model.heads=3'");
  row("stack=extra", "encoder, decoder");
}

void TestOutputShiftSweep::badRequests() {
  QFETCH(QString, assignment);
  QFETCH(QString, words);
  const std::string refusal = refusalOf({assignment.toStdString()});
  QVERIFY2(refusal.find(words.toStdString()) != std::string::npos, refusal.c_str());
  QVERIFY(refusalOf({}, "5").find("from the run's options") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestOutputShiftSweep)
#include "tst_output_shift_sweep.moc"
