// SPDX-License-Identifier: Apache-2.0
// Every analysis on the parser of questions into SQL: both of its stacks, an encoder that learns, learns in
// part or is frozen, rows of different lengths; numbers by identities that hold to double precision.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/analysis/dependency/shift_sweep.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/epoch_norm.h"
#include "core/analysis/norms/input_norm.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_subject.h"
#include "core/engine/run_analyses.h"
#include "core/record/events/event_reader.h"
#include "core/record/formats/array_file.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/run_folder.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_parser.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

const std::vector<std::string> kFrozen = {"model.sql_sp.encoder=frozen"};
const std::vector<std::string> kTop = {"model.sql_sp.encoder=top", "model.sql_sp.trained_layers=1"};

StoredAnalysis probedOf(const std::string& run, const std::string& analysis,
                        const std::vector<std::string>& options = {}, const std::string& checkpoint = {}) {
  const QTemporaryDir fresh;
  ProbeVerb verb;
  verb.run = run;
  verb.analysis = analysis;
  verb.assignments = options;
  verb.checkpoint = checkpoint;
  if (probeVerb(verb) != ExitCode::Finished) throw Failure(internalError(analysis + " failed"));
  return listAnalyses(RunFolder(run).analysesPath(), analysis).back();
}

std::string refusalOf(const std::string& run, const std::string& analysis, const std::string& option) {
  try {
    probedOf(run, analysis, {option});
  } catch (const Failure& failure) {
    return failure.error().text();
  }
  return "it was computed";
}

const AttentionMatrix* matrixOf(const AttentionMatrices& all, const std::string& name) {
  for (const AttentionMatrix& matrix : all.attentions)
    if (matrix.name() == name) return &matrix;
  return nullptr;
}

std::vector<double> partOf(const StoredAnalysis& stored, const AttentionMatrix& matrix,
                           const std::string& part) {
  return readArrayFile(stored.path + "/" + matrix.file(part)).value().doubles();
}

std::set<std::string> stacksOf(const std::vector<SublayerNorm>& norms) {
  std::set<std::string> stacks;
  for (const SublayerNorm& norm : norms) stacks.insert(norm.stack);
  return stacks;
}

}  // namespace

class TestSqlSpAnalyses : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void mapsOfBothStacks_data();
  void mapsOfBothStacks();
  void examplesLeftOutSayWhy();
  void distributionsOfBothStacks_data();
  void distributionsOfBothStacks();
  void streamsAreTakenApart_data();
  void streamsAreTakenApart();
  void gradientsOfWhatLearns_data();
  void gradientsOfWhatLearns();
  void muIsThatOfTheInitialisation();
  void shiftsOfTheRelationalStack();
  void netsShareTheStatesOfAFrozenEncoder();
  void scheduledAnalyses_data();
  void scheduledAnalyses();

 private:
  void encoders() {
    QTest::addColumn<QString>("run");
    for (const char* run : {"trained", "top", "frozen"}) QTest::newRow(run) << run;
  }
  TinyParsers m_runs;
};

void TestSqlSpAnalyses::initTestCase() {
  for (const auto& [name, options] : {std::pair<std::string, std::vector<std::string>>{"trained", {}},
                                      {"top", kTop},
                                      {"frozen", kFrozen}}) {
    const RunReport report = m_runs.train(name, options);
    QVERIFY2(report.code == ExitCode::Finished, (name + ": " + report.error.text()).c_str());
  }
}

void TestSqlSpAnalyses::mapsOfBothStacks_data() {
  encoders();
}

// Rows sum to one, content and relations to the scores, and the softmax of those is the row.
void TestSqlSpAnalyses::mapsOfBothStacks() {
  QFETCH(QString, run);
  const std::string path = m_runs.path(run.toStdString());
  const StoredAnalysis stored = probedOf(path, "attention_maps", {"example=3"});
  const AttentionMatrices all = attentionMatricesFromJson(stored.result).value();
  QCOMPARE(all.attentions.size(), std::size_t{2});
  QVERIFY(matrixOf(all, "encoder.self_attention")->file("relation").empty());
  const AttentionMatrix& extra = *matrixOf(all, "extra.self_attention");
  QCOMPARE(extra.layers, 3);
  QVERIFY(extra.queries == extra.keys && extra.groups && extra.linked);
  QCOMPARE(extra.groups->size(), std::size_t{3});
  QCOMPARE(extra.groups->at(0).sort, std::string("question"));
  QCOMPARE(extra.groups->at(1).sort, std::string("column"));
  QCOMPARE(extra.groups->at(2).first + extra.groups->at(2).count, int(extra.queries.size()));
  QCOMPARE(extra.queries[std::size_t(extra.groups->at(1).first)], std::string("*"));
  for (const int linked : *extra.linked) QVERIFY(linked >= 0 && linked < int(extra.queries.size()));
  const std::size_t n = extra.queries.size();
  for (const AttentionMatrix& matrix : all.attentions) {
    const std::size_t keys = matrix.keys.size();
    const auto p = partOf(stored, matrix, "probabilities"), scores = partOf(stored, matrix, "scores"),
               content = partOf(stored, matrix, "content");
    const bool relational = !matrix.file("relation").empty();
    const auto relation = relational ? partOf(stored, matrix, "relation") : std::vector<double>(p.size(), 0);
    QCOMPARE(p.size(), std::size_t(matrix.layers * matrix.heads) * keys * keys);
    double most = 0;
    for (std::size_t row = 0; row < p.size(); row += keys) {
      double sum = 0, partition = 0;
      for (std::size_t key = row; key < row + keys; ++key) {
        sum += p[key];
        partition += std::exp(scores[key]);
        most = std::max(most, std::abs(relation[key]));
        QVERIFY(std::abs(content[key] + relation[key] - scores[key]) < 1e-5);
      }
      QVERIFY(std::abs(sum - 1) < 1e-5);
      for (std::size_t key = row; key < row + keys; ++key)
        QVERIFY(std::abs(std::exp(scores[key]) / partition - p[key]) < 1e-5);
    }
    QVERIFY(most > 1e-3 || !relational);
  }
  // The axes are those of the task.
  const StoredRun opened = openStoredRun({path, "", {}, false, nullptr, {}}).value();
  const ExampleId one(3);
  const HostBatch batch = opened.parts.task->makeBatchOf(DataSplit::Validation, {&one, 1});
  const TokenRow row = opened.parts.task->pieces(batch, 0).at("extra");
  QCOMPARE(row.texts.size(), n);
  QVERIFY(row.texts == extra.queries);
}

void TestSqlSpAnalyses::examplesLeftOutSayWhy() {
  QVERIFY(m_runs.train("small", {"spider.max_items=27"}).code == ExitCode::Finished);
  ProbeVerb verb;
  verb.run = m_runs.path("small");
  verb.analysis = "attention_maps";
  verb.split = "train";
  std::string text;
  for (int example = 0; text.empty() && example < 40; ++example) {
    verb.assignments = {"example=" + std::to_string(example)};
    try {
      probeVerb(verb);
    } catch (const Failure& failure) {
      QVERIFY(failure.error().kind == ErrorKind::Usage && failure.error().key == "example");
      text = failure.error().text();
    }
  }
  QVERIFY2(text.find("left out (over_max_items)") != std::string::npos, text.c_str());
}

void TestSqlSpAnalyses::distributionsOfBothStacks_data() {
  encoders();
}

// As many numbers as real tokens; between nothing and what a uniform row has.
void TestSqlSpAnalyses::distributionsOfBothStacks() {
  QFETCH(QString, run);
  const std::string path = m_runs.path(run.toStdString());
  StoredRun opened = openStoredRun({path, "", {}, false, nullptr, {}}).value();
  const ProbeSubject subject =
      probeSubject(opened.parts, opened.options, {.examples = kAllExamples}, nullptr, {});
  std::map<std::string, std::int64_t> tokens;
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < subject.batches; ++i) {
    const TokenMasks real = subject.batch(i).realTokens;
    QVERIFY(real.encoder.defined() && real.extra.defined());
    tokens["encoder"] += real.encoder.sum().item<std::int64_t>();
    tokens["extra"] += real.extra.sum().item<std::int64_t>();
    longest = std::max({longest, real.encoder.size(1), real.extra.size(1)});
  }
  QVERIFY(tokens["encoder"] != tokens["extra"]);
  for (const char* analysis : {"attention_entropy", "attention_jsd"}) {
    const bool entropy = std::string(analysis) == "attention_entropy";
    const auto found =
        distributionsFromJson(probedOf(path, analysis, {"examples=0"}).result).value().attentions;
    QCOMPARE(found.size(), std::size_t{2});
    for (const AttentionDistribution& attention : found) {
      QCOMPARE(attention.heads.size(), std::size_t((attention.stack == "extra" ? 3 : 2) - (entropy ? 0 : 1)));
      for (const auto& layer : attention.heads) {
        for (const HeadDistribution& head : layer) {
          QCOMPARE(head.values.count, tokens[attention.stack]);
          QCOMPARE(head.values.nonFinite, std::int64_t{0});
          QVERIFY(head.values.fiveNumbers[0] >= 0);
          QVERIFY(head.values.fiveNumbers[4] <= (entropy ? std::log(double(longest)) : 1.0) + 1e-12);
        }
      }
    }
  }
}

void TestSqlSpAnalyses::streamsAreTakenApart_data() {
  encoders();
}

void TestSqlSpAnalyses::streamsAreTakenApart() {
  QFETCH(QString, run);
  const auto stacks =
      dependenciesFromJson(probedOf(m_runs.path(run.toStdString()), "beta_dependency").result).value();
  QCOMPARE(stacks.size(), std::size_t{2});
  QCOMPARE(stacks[0].stack, std::string("encoder"));
  QCOMPARE(stacks[1].stack, std::string("extra"));
  QCOMPARE(stacks[1].residual, std::string("unnormalised"));
  QCOMPARE(stacks[1].sublayers.size(), std::size_t{6});
  QVERIFY(stacks[0].tokens != stacks[1].tokens);
  for (const StackDependency& stack : stacks)
    QVERIFY2(stack.beta.largestResidual < 1e-9, std::to_string(stack.beta.largestResidual).c_str());
}

void TestSqlSpAnalyses::gradientsOfWhatLearns_data() {
  QTest::addColumn<QString>("run");
  QTest::addColumn<int>("encoder");
  QTest::newRow("trained") << "trained" << 4;
  QTest::newRow("top") << "top" << 2;
  QTest::newRow("frozen") << "frozen" << 0;
}

void TestSqlSpAnalyses::gradientsOfWhatLearns() {
  QFETCH(QString, run);
  QFETCH(int, encoder);
  const auto norms =
      sublayerNormsFromJson(probedOf(m_runs.path(run.toStdString()), "gradient_norm").result).value();
  QCOMPARE(int(norms.size()), encoder + 6);
  QCOMPARE(stacksOf(norms).size(), std::size_t(encoder > 0 ? 2 : 1));
  double largest = 0;
  for (const SublayerNorm& norm : norms) {
    QVERIFY(std::isfinite(norm.norm) && norm.norm > 0);
    largest = std::max(largest, norm.relative);
    if (norm.stack == "encoder") QVERIFY(norm.layer >= 2 - encoder / 2);
  }
  QCOMPARE(largest, 1.0);
}

// What enters the relational layers, measured over the training data: the µ that the run began with.
void TestSqlSpAnalyses::muIsThatOfTheInitialisation() {
  for (const char* run : {"trained", "frozen"}) {
    const auto norms =
        inputNormsFromJson(probedOf(m_runs.path(run), "input_norm", {}, "init").result).value();
    std::map<std::string, double> mu;
    for (const InputNormPart& part : norms.parts)
      if (part.stack == "extra") mu[part.part] = part.mu();
    QCOMPARE(mu.size(), std::size_t{3});
    QVERIFY(mu.at("question") > 0 && mu.at("schema") > 0);
    const auto used = std::ranges::find(norms.used, std::string("extra"), &UsedInputNorm::stack);
    QVERIFY(used != norms.used.end());
    QVERIFY2(std::abs(used->mu - mu.at("")) < 1e-9, std::to_string(used->mu - mu.at("")).c_str());
    QCOMPARE(norms.examples, std::int64_t{40});
  }
}

void TestSqlSpAnalyses::shiftsOfTheRelationalStack() {
  const std::vector<std::string> options = {
      "depths=2,3,4", "draws=2", "change=both",
      "variants=unnormalised,Pre-LN:extra.residual=pre_ln&init=by_scheme"};
  for (const char* run : {"trained", "frozen"}) {
    const ShiftSweep sweep =
        shiftSweepFromJson(probedOf(m_runs.path(run), "output_shift", options).result).value();
    QCOMPARE(sweep.stack, std::string("extra"));
    QCOMPARE(sweep.series.size(), std::size_t{4});
    for (const ShiftSeries& series : sweep.series)
      for (const auto& draw : series.draws)
        for (const DepthShift& depth : draw)
          QVERIFY2(depth.afterTopNorm.raw.perToken > 0 && std::isfinite(depth.afterTopNorm.raw.perToken),
                   series.name.c_str());
  }
  // The weights of a frozen encoder change what it gives.
  const ShiftSweep encoder = shiftSweepFromJson(probedOf(m_runs.path("frozen"), "output_shift",
                                                         {"depths=1,2,3", "draws=1", "stack=encoder"})
                                                    .result)
                                 .value();
  QVERIFY(encoder.series.at(0).draws.at(0).at(0).afterTopNorm.raw.perToken > 0);
  const std::string text = refusalOf(m_runs.path("trained"), "output_shift", "stack=decoder");
  QVERIFY2(text.find("encoder, extra") != std::string::npos, text.c_str());
}

// What is kept is rounded: a net that computes anew and one that takes what another prepared agree bit by
// bit.
void TestSqlSpAnalyses::netsShareTheStatesOfAFrozenEncoder() {
  StoredRun opened = openStoredRun({m_runs.path("frozen"), "", {}, false, nullptr, {}}).value();
  const ProbeSubject kept = probeSubject(opened.parts, opened.options, {}, nullptr, {});
  RunParts alone = makeRunParts(opened.options, opened.parts.task, torch::kCPU).value();
  alone.model->parameters();
  const torch::NoGradGuard noGradients;
  for (std::size_t i = 0; i < alone.model->parameters().leaves().size(); ++i) {
    torch::Tensor to = alone.model->parameters().leaves()[i].tensor;
    to.copy_(opened.parts.model->parameters().leaves()[i].tensor);
  }
  const ProbeSubject computed = probeSubject(alone, opened.options, {}, nullptr, {});
  PrepareRequest request;
  request.beside = opened.parts.objective.get();
  const double before = computed.batch(0).loss({}).item<double>();
  alone.objective->prepare(*alone.model, *alone.task, request);
  QCOMPARE(computed.batch(0).loss({}).item<double>(), before);
  QCOMPARE(kept.batch(0).loss({}).item<double>(), before);
}

void TestSqlSpAnalyses::scheduledAnalyses_data() {
  encoders();
}

// All that look at a state, while the run is trained; nothing is missing, nothing is said.
void TestSqlSpAnalyses::scheduledAnalyses() {
  QFETCH(QString, run);
  std::vector<std::string> options = {
      "analysis.interval=5u", "analysis.examples=12", "analysis.epoch_norms=true",
      "analysis.ids=attention_entropy,attention_jsd,beta_dependency,gradient_norm,input_norm,attention_maps"};
  if (run != "trained")
    options.insert(options.end(), run == "top" ? kTop.begin() : kFrozen.begin(),
                   run == "top" ? kTop.end() : kFrozen.end());
  const std::string name = "watched " + run.toStdString();
  RunAnalyses analyses;
  const RunReport report = m_runs.train(name, options, &analyses);
  QVERIFY2(report.code == ExitCode::Finished, report.error.text().c_str());
  EventReader reader(RunFolder(m_runs.path(name)).attemptPath(1) + "/events.jsonl");
  std::size_t made = 0;
  const std::vector<Event> events = reader.poll().value();
  for (const Event& event : events) {
    QVERIFY2(event.kind != "warning", event.members.dump().c_str());
    made += event.kind == "array" ? 1 : 0;
  }
  const std::string root = RunFolder(m_runs.path(name)).analysesPath();
  for (const char* id : {"attention_entropy", "attention_jsd", "beta_dependency", "gradient_norm",
                         "input_norm", "attention_maps"})
    QCOMPARE(listAnalyses(root, id).size(), std::size_t{3});
  const auto norms = listAnalyses(root, "epoch_norm");
  QVERIFY(norms.size() >= 2 && made == 18 + norms.size());
  const EpochNorms epoch = epochNormsFromJson(norms.back().result).value();
  const std::size_t encoder = run == "trained" ? 2 : run == "top" ? 1 : 0;
  QCOMPARE(epoch.matrices.size(), 4 * (3 + encoder));
  for (const MatrixNorm& matrix : epoch.matrices) QVERIFY(matrix.gradient > 0);
}

QTEST_GUILESS_MAIN(TestSqlSpAnalyses)
#include "tst_sql_sp_analyses.moc"
