// SPDX-License-Identifier: Apache-2.0
// Probes of whole runs: what `fathom-engine probe` stores.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_entropy.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "core/base/files/atomic_file.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_subject.h"
#include "core/probe/probe_entry.h"
#include "core/record/results/analysis_store.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

ProbeVerb verbOf(const std::string& run, const std::string& analysis, const std::string& checkpoint = {}) {
  ProbeVerb verb;
  verb.run = run;
  verb.analysis = analysis;
  verb.checkpoint = checkpoint;
  return verb;
}

// Runs the verb and returns what it stored; each call has a folder of its own unless the verb names one.
Json probed(ProbeVerb verb) {
  const QTemporaryDir fresh;
  if (verb.out.empty()) verb.out = fresh.path().toStdString();
  if (probeVerb(verb) != ExitCode::Finished) throw Failure(internalError("the probe failed"));
  return listAnalyses(verb.out, verb.analysis).back().result;
}

std::string failureOf(const ProbeVerb& verb) {
  try {
    probeVerb(verb);
  } catch (const Failure& failure) {
    return failure.error().text();
  }
  return {};
}

bool close(const AttentionDistributions& a, const AttentionDistributions& b, double tolerance) {
  if (a.attentions.size() != b.attentions.size() || a.tokens != b.tokens) return false;
  for (std::size_t i = 0; i < a.attentions.size(); ++i) {
    const auto &first = a.attentions[i].heads, &second = b.attentions[i].heads;
    for (std::size_t layer = 0; layer < first.size(); ++layer)
      for (std::size_t head = 0; head < first[layer].size(); ++head)
        for (std::size_t q = 0; q < 5; ++q)
          if (std::abs(first[layer][head].values.fiveNumbers[q] -
                       second.at(layer).at(head).values.fiveNumbers[q]) > tolerance)
            return false;
  }
  return true;
}

// Every entropy of one layer and head of the encoder, from attention that is kept whole.
class KeptAttention : public ForwardObserver {
 public:
  KeptAttention(std::int64_t layer, std::int64_t head) : m_layer(layer), m_head(head) {}
  std::vector<double> entropies;
  torch::Tensor real;
  bool wantsAttention() const override { return true; }
  void attention(const AttentionRecord& record) override {
    if (record.site.stack != StackKind::Encoder || record.site.layer != m_layer) return;
    const torch::Tensor p = record.probabilities.select(1, m_head).to(torch::kFloat64).contiguous();
    for (std::int64_t b = 0; b < p.size(0); ++b)
      for (std::int64_t t = 0; t < p.size(1); ++t) {
        if (!real[b][t].item<bool>()) continue;
        const double* row = p.const_data_ptr<double>() + (b * p.size(1) + t) * p.size(2);
        entropies.push_back(attentionEntropy(std::span(row, static_cast<std::size_t>(p.size(2)))));
      }
  }

 private:
  std::int64_t m_layer, m_head;
};

}  // namespace

class TestProbes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void entropyDoesNotDependOnBatches();
  void streamedEqualsKept();
  void twoThreadsAgree();
  void componentsSumToTheStream_data();
  void componentsSumToTheStream();
  void gradientsAreRelative();
  void everyCheckpointAndInit();
  void computedOnce();
  void oneLayerHasNoDivergence();
  void nanWeightsAreRefused();
  void unknownNamesAreRefused();
  void resultsSayTheirSample();
  void batchesOfASampleCountAsOne_data();
  void batchesOfASampleCountAsOne();
  void unusedOptionsAreRefused();

 private:
  std::string deep() const { return m_runs.path("deep"); }
  TinyRuns m_runs;
};

void TestProbes::initTestCase() {
  QCOMPARE(m_runs.train("deep", {"precision=float64", "encoder.layers=3", "decoder.layers=2"}).code,
           ExitCode::Finished);
}

void TestProbes::entropyDoesNotDependOnBatches() {
  for (const char* analysis : {"attention_entropy", "attention_jsd"}) {
    ProbeVerb small = verbOf(deep(), analysis), large = small;
    large.runAssignments = {"data.max_length=40"};  // a batch holds the longest sentence at least
    small.runAssignments = {"batch.evaluation_max_tokens=40", "data.max_length=40"};
    const auto whole = distributionsFromJson(probed(large)).value();
    const auto pieces = distributionsFromJson(probed(small)).value();
    QCOMPARE(whole.attentions.size(), std::size_t{3});  // encoder, decoder, cross
    QCOMPARE(whole.examples, std::int64_t{30});
    QVERIFY(whole.tokens > 100);
    QVERIFY2(close(whole, pieces, 1e-9), analysis);
  }
}

void TestProbes::streamedEqualsKept() {
  const auto streamed = distributionsFromJson(probed(verbOf(deep(), "attention_entropy"))).value();
  const StoredRun stored = openStoredRun({deep(), "", {}, false, nullptr, {}}).value();
  KeptAttention kept(1, 0);
  const torch::NoGradGuard noGradients;
  for (std::int64_t i = 0; i < stored.parts.task->batchCount(DataSplit::Validation); ++i) {
    const DeviceBatch batch = toDevice(stored.parts.task->makeBatch(DataSplit::Validation, i), torch::kCPU);
    kept.real = stored.parts.objective->realTokens(batch).encoder;
    StepContext context;
    context.observer = &kept;
    stored.parts.objective->forward(*stored.parts.model, batch, context);
  }
  const SampleDistribution direct = summariseSamples(kept.entropies);
  const SampleDistribution& head = streamed.attentions.at(0).heads.at(1).at(0).values;
  QCOMPARE(streamed.attentions.at(0).stack, std::string("encoder"));
  QCOMPARE(head.count, direct.count);
  for (std::size_t q = 0; q < 5; ++q) QVERIFY(std::abs(head.fiveNumbers[q] - direct.fiveNumbers[q]) < 1e-9);
}

void TestProbes::twoThreadsAgree() {
  ProbeVerb two = verbOf(deep(), "attention_entropy");
  two.runAssignments = {"threads=2"};
  const auto a = distributionsFromJson(probed(verbOf(deep(), "attention_entropy", "0001-00000020"))).value();
  const auto b = distributionsFromJson(probed(two)).value();
  QVERIFY(close(a, b, 1e-9));
}

void TestProbes::componentsSumToTheStream_data() {
  QTest::addColumn<QString>("scheme");
  for (const char* scheme :
       {"post_ln", "pre_ln", "admin", "rezero", "rezero_post_ln", "fixup", "deepnet", "unnormalised"})
    QTest::newRow(scheme) << QString::fromLatin1(scheme);
}

void TestProbes::componentsSumToTheStream() {
  QFETCH(QString, scheme);
  const std::string name = "beta_" + scheme.toStdString();
  const std::string residual = "residual=" + scheme.toStdString();
  QCOMPARE(m_runs
               .train(name, {"precision=float64", "encoder.layers=2", "decoder.layers=2",
                             "training.length=5u", "encoder." + residual, "decoder." + residual})
               .code,
           ExitCode::Finished);
  for (const char* checkpoint : {"init", "5"}) {
    const auto stacks =
        dependenciesFromJson(probed(verbOf(m_runs.path(name), "beta_dependency", checkpoint))).value();
    QCOMPARE(stacks.size(), std::size_t{2});
    QCOMPARE(stacks[0].sublayers.size(), std::size_t{4});
    QCOMPARE(stacks[1].sublayers.size(), std::size_t{6});
    for (const StackDependency& stack : stacks) {
      QVERIFY2(stack.beta.largestResidual <= 1e-12, qPrintable(QString::number(stack.beta.largestResidual)));
      QVERIFY(stack.tokens > 50);
      QVERIFY(std::isfinite(stack.beta.at(0, 1)));
    }
  }
}

void TestProbes::gradientsAreRelative() {
  const auto norms = sublayerNormsFromJson(probed(verbOf(deep(), "gradient_norm", "init"))).value();
  QCOMPARE(norms.size(), std::size_t{3 * 2 + 2 * 3});
  double largest = 0;
  for (const SublayerNorm& norm : norms) {
    QVERIFY(norm.norm > 0 && norm.relative > 0 && norm.relative <= 1);
    largest = std::max(largest, norm.relative);
  }
  QCOMPARE(largest, 1.0);
}

void TestProbes::everyCheckpointAndInit() {
  const std::string out = m_runs.path("elsewhere");
  std::vector<std::string> results;
  for (const char* checkpoint : {"init", "5", "0001-00000010", "best", ""}) {
    ProbeVerb verb = verbOf(deep(), "gradient_norm", checkpoint);
    verb.out = out;
    results.push_back(probed(verb).dump());
  }
  // RAdam does not step in the first updates, so that the weights of update 5 are still those of the start.
  QVERIFY(results[0] == results[1] && results[1] != results[2] && results[2] != results[4]);
}

void TestProbes::computedOnce() {
  ProbeVerb verb = verbOf(deep(), "beta_dependency");
  verb.out = deep() + "/analyses";  // where it goes by itself
  const auto count = [&] { return listAnalyses(verb.out, "beta_dependency").size(); };
  QCOMPARE(probeVerb(verbOf(deep(), "beta_dependency")), ExitCode::Finished);
  QCOMPARE(count(), std::size_t{1});
  probed(verb);
  QCOMPARE(count(), std::size_t{1});
  // A damaged result is said, not used.
  const std::string file = listAnalyses(verb.out, "beta_dependency").front().path + "/result.json";
  verb.split = "test";
  probed(verb);
  QCOMPARE(count(), std::size_t{2});
  writeFileAtomically(file, "{\"stacks\": [").value();
  QVERIFY(failureOf(verbOf(deep(), "beta_dependency")).find("result.json") != std::string::npos);
}

void TestProbes::oneLayerHasNoDivergence() {
  QCOMPARE(m_runs.train("flat").code, ExitCode::Finished);
  const std::string words = failureOf(verbOf(m_runs.path("flat"), "attention_jsd"));
  QVERIFY2(words.find("two layers") != std::string::npos, words.c_str());
  QVERIFY(!std::filesystem::exists(m_runs.path("flat") + "/analyses/attention_jsd"));
}

void TestProbes::nanWeightsAreRefused() {
  StoredRun stored = openStoredRun({deep(), "", {}, false, nullptr, {}}).value();
  for (const Parameter& parameter : stored.parts.model->parameters().parameters()) {
    if (parameter.info.role != ParameterRole::Query) continue;
    const torch::NoGradGuard noGradients;
    stored.parts.model->parameters().value(parameter).detach().fill_(std::nan(""));
  }
  ProbeSubject subject(*stored.parts.model);
  subject.longest = 64;
  subject.batches = 1;
  subject.examples = 4;
  subject.batch = [&](std::int64_t) {
    const auto batch = std::make_shared<DeviceBatch>(
        toDevice(stored.parts.task->makeBatch(DataSplit::Validation, 0), torch::kCPU));
    ProbeBatch result;
    result.forward = [&, batch](const StepContext& context) {
      stored.parts.objective->forward(*stored.parts.model, *batch, context);
    };
    result.realTokens = stored.parts.objective->realTokens(*batch);
    result.examples = batch->rows();
    return result;
  };
  const ProbeEntry entry = findProbe("attention_entropy").value();
  const auto result = entry.run(subject, OptionValues(OptionSchema(entry.fields, {})));
  QVERIFY(!result.ok());
  QVERIFY(result.error().text().find("NaN") != std::string::npos);
}

void TestProbes::unknownNamesAreRefused() {
  QVERIFY(failureOf(verbOf(deep(), "entropy")).find("attention_entropy") != std::string::npos);
  QVERIFY(failureOf(verbOf(deep(), "gradient_norm", "7")).find("0001-00000020") != std::string::npos);
  ProbeVerb option = verbOf(deep(), "gradient_norm");
  option.assignments = {"drop=1"};
  QVERIFY(failureOf(option).find("dropout") != std::string::npos);
}

// How many of how many, how chosen, by which seed; the one example of the maps names itself.
void TestProbes::resultsSayTheirSample() {
  for (const ProbeEntry& entry : probeEntries()) {
    ProbeVerb verb = verbOf(deep(), entry.id, "init");
    if (entry.id == "output_shift") verb.assignments = {"depths=1,2,3", "draws=1"};
    const Json result = probed(verb);
    QCOMPARE(result.contains("sample"), entry.id != "attention_maps");
    if (!result.contains("sample")) continue;
    const Json& sample = result["sample"];
    QVERIFY(sample.at("part") == entry.part && sample.at("seed") == 1);
    QCOMPARE(sample.at("of").get<int>(), entry.part == "train" ? 400 : 30);
    const bool all = entry.part == "train" || entry.id.starts_with("attention");
    QVERIFY(sample.at("chosen") == (all ? "all" : "random"));
    QCOMPARE(sample.at("examples") == sample.at("of"), all);
  }
  // Another seed, another sample, another folder; of all examples there is but one.
  std::vector<std::string> results;
  const std::string out = m_runs.path("seeded");
  for (const char* assignment : {"sample_seed=1", "sample_seed=2", "sample_seed=2"}) {
    ProbeVerb verb = verbOf(deep(), "attention_entropy");
    verb.out = out;
    verb.assignments = {"examples=9", assignment};
    results.push_back(probed(verb).dump());
  }
  QVERIFY(results[0] != results[1]);
  QCOMPARE(listAnalyses(out, "attention_entropy").size(), std::size_t{2});
  for (const char* assignment : {"sample_seed=1", "sample_seed=2"}) {
    ProbeVerb verb = verbOf(deep(), "input_norm");
    verb.out = out;
    verb.assignments = {assignment};
    probed(verb);
  }
  QCOMPARE(listAnalyses(out, "input_norm").size(), std::size_t{1});
}

void TestProbes::batchesOfASampleCountAsOne_data() {
  QTest::addColumn<QString>("analysis");
  QTest::addColumn<QString>("assignment");
  QTest::newRow("entropy") << "attention_entropy"
                           << "";
  QTest::newRow("dependency") << "beta_dependency"
                              << "";
  QTest::newRow("gradients") << "gradient_norm"
                             << "dropout=false";
  QTest::newRow("shift") << "output_shift"
                         << "depths=1,2,3";
  QTest::newRow("shift of Adam") << "output_shift"
                                 << "change=adam";
}

namespace {

// Every number of a result, in their order; but sums that count padding, of which batches differ.
void addNumbers(const Json& value, std::vector<double>& numbers) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  if (!value.is_structured()) return;
  for (const auto& part : value.items())
    if (part.key() != "all") addNumbers(part.value(), numbers);
}

}  // namespace

// The same examples in many small batches and in few large ones.
void TestProbes::batchesOfASampleCountAsOne() {
  QFETCH(QString, analysis);
  QFETCH(QString, assignment);
  const ProbeEntry entry = findProbe(analysis.toStdString()).value();
  std::vector<std::string> assignments;
  if (analysis == "output_shift") assignments = {"depths=1,2,3", "draws=2"};
  if (!assignment.isEmpty()) assignments.push_back(assignment.toStdString());
  const OptionValues options = probeOptions(entry, assignments).value();
  std::vector<std::vector<double>> numbers;
  std::vector<std::int64_t> batches;
  for (const char* tokens : {"40", "4000"}) {
    const std::string limit = std::string("batch.evaluation_max_tokens=") + tokens;
    // A batch holds the longest sentence at least.
    StoredRun stored =
        openStoredRun({deep(), "init", {limit, "data.max_length=40"}, false, nullptr, {}}).value();
    const ProbeSubject subject = probeSubject(stored.parts, stored.options, {"validation", 14}, nullptr, {});
    QCOMPARE(subject.examples, std::int64_t{14});
    batches.push_back(subject.batches);
    numbers.emplace_back();
    addNumbers(entry.run(subject, options).value(), numbers.back());
  }
  QVERIFY(batches[0] > 3 && batches[1] < batches[0]);
  QCOMPARE(numbers[0].size(), numbers[1].size());
  for (std::size_t i = 0; i < numbers[0].size(); ++i) {
    const double a = numbers[0][i], b = numbers[1][i];
    // Float64; a shift is a small difference of large numbers.
    QVERIFY2(std::abs(a - b) <= 1e-9 + 1e-7 * std::abs(b), qPrintable(QStringLiteral("%1 %2").arg(a).arg(b)));
  }
}

// What an analysis does not look at is no option of it: neither taken nor part of the folder's name.
void TestProbes::unusedOptionsAreRefused() {
  for (const char* analysis : {"beta_dependency", "gradient_norm", "output_shift", "attention_maps"}) {
    ProbeVerb verb = verbOf(deep(), analysis);
    verb.assignments = {"examples=50"};
    const std::string words = failureOf(verb);
    QVERIFY2(words.find(std::string(analysis) + " has no option 'examples'") != std::string::npos,
             words.c_str());
    QVERIFY2(words.find("it takes: ") != std::string::npos, words.c_str());
  }
  for (const ProbeEntry& entry : probeEntries())
    QCOMPARE(OptionSchema(entry.fields, {}).find("examples") != nullptr, probeTakesExamples(entry.id));
}

QTEST_GUILESS_MAIN(TestProbes)
#include "tst_probes.moc"
