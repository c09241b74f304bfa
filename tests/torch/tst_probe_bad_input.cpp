// SPDX-License-Identifier: Apache-2.0
// Probes of runs and data that are not what they should be: a clear sentence or counted gaps, never a crash.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "core/base/files/atomic_file.h"
#include "core/engine/engine_verbs.h"
#include "core/engine/probe_subject.h"
#include "core/record/results/analysis_store.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

const std::vector<std::string> kProbes = {"attention_entropy", "beta_dependency", "gradient_norm",
                                          "input_norm"};

bool says(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

class TestProbeBadInput : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void otherModelOptionsNameTheTensor();
  void missingModelOptions();
  void otherVocabularyNamesTheTensor();
  void halfWrittenCheckpoints();
  void halfWrittenResults();
  void oneTokenSentences();
  void allPaddingRows();
  void nanWeightsAreCounted();
  void silentBranchesHaveNoShare();
  void emptyPartOfTheData();

 private:
  std::string run() const { return m_runs.path("run"); }
  std::string failureOf(const std::string& path, const std::string& analysis,
                        const std::vector<std::string>& runAssignments = {}) {
    const QTemporaryDir fresh;
    ProbeVerb verb;
    verb.run = path;
    verb.analysis = analysis;
    verb.runAssignments = runAssignments;
    verb.out = fresh.path().toStdString();
    try {
      probeVerb(verb);
    } catch (const Failure& failure) {
      return failure.error().text();
    }
    m_last = listAnalyses(verb.out, analysis).at(0).result;
    return {};
  }
  std::string copyOf(const std::string& name) {
    const std::string path = m_runs.path(name);
    std::filesystem::copy(run(), path, std::filesystem::copy_options::recursive);
    return path;
  }
  Result<Json> onBatch(const std::string& analysis, const std::function<void(ProbeBatch&)>& change) {
    StoredRun stored = openStoredRun({run(), "", {}, false, nullptr, {}}).value();
    ProbeSubject subject = probeSubject(stored.parts, stored.options, {"validation", 4}, nullptr, {});
    const auto original = subject.batch;
    subject.batch = [original, &change](std::int64_t index) {
      ProbeBatch batch = original(index);
      change(batch);
      return batch;
    };
    const ProbeEntry entry = findProbe(analysis).value();
    return entry.run(subject, OptionValues{OptionSchema(entry.fields, {})});
  }
  TinyRuns m_runs;
  Json m_last;
};

void TestProbeBadInput::initTestCase() {
  QCOMPARE(m_runs.train("run", {"encoder.layers=2", "training.length=10u"}).code, ExitCode::Finished);
}

// The checkpoint was written with other options than those the model is built with.
void TestProbeBadInput::otherModelOptionsNameTheTensor() {
  for (const std::string& analysis : kProbes) {
    const std::string words = failureOf(run(), analysis, {"model.width=32"});
    QVERIFY2(says(words, "embedding.token.weight") || says(words, "encoder.layers.0"), words.c_str());
  }
  const std::string deeper = failureOf(run(), "beta_dependency", {"encoder.layers=5"});
  QVERIFY2(says(deeper, "encoder.layers."), deeper.c_str());
}

// A configuration without the model's options builds the standard model, which the weights do not fit.
void TestProbeBadInput::missingModelOptions() {
  const std::string path = copyOf("bare"), file = path + "/attempts/0001/config.json";
  Json config = readJsonFile(file).value();
  for (auto it = config["options"].begin(); it != config["options"].end();) {
    const bool ofModel = it.key().rfind("model.", 0) == 0 || it.key().rfind("encoder.", 0) == 0;
    it = ofModel ? config["options"].erase(it) : std::next(it);
  }
  writeFileAtomically(file, config.dump()).value();
  const std::string words = failureOf(path, "attention_entropy");
  QVERIFY2(says(words, ".weight") || says(words, "encoder.layers"), words.c_str());
}

void TestProbeBadInput::otherVocabularyNamesTheTensor() {
  QCOMPARE(m_runs.train("larger", {"data.vocabulary.size=150", "training.length=1u"}).code,
           ExitCode::Finished);
  const std::string path = copyOf("mixed");
  std::filesystem::copy(
      m_runs.path("larger") + "/artifacts", path + "/artifacts",
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  const std::string words = failureOf(path, "attention_entropy");
  QVERIFY2(says(words, "embedding"), words.c_str());
}

void TestProbeBadInput::halfWrittenCheckpoints() {
  const std::string path = copyOf("cut");
  for (const CheckpointManifest& manifest : listCheckpoints(path)) {
    const std::string file = manifest.path + "/model.safetensors";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  }
  const std::string words = failureOf(path, "gradient_norm");
  QVERIFY2(says(words, "no usable checkpoint"), words.c_str());
  // Asked for by name, the file is named.
  const std::string again = copyOf("cut_again");
  const CheckpointManifest newest = listCheckpoints(again).back();
  std::filesystem::resize_file(newest.path + "/model.safetensors", 100);
  ProbeVerb verb;
  verb.run = again;
  verb.analysis = "gradient_norm";
  verb.checkpoint = newest.name;
  try {
    probeVerb(verb);
    QFAIL("a cut file was read");
  } catch (const Failure& failure) {
    QVERIFY2(says(failure.error().text(), "model.safetensors"), failure.error().text().c_str());
  }
}

void TestProbeBadInput::halfWrittenResults() {
  const std::string cut = R"({"quantity":"x","stacks":[{"stack":"enc)";
  QVERIFY(!parseJson(cut).ok());
  const Json empty = Json::object();
  QVERIFY(says(distributionsFromJson(empty).error().text(), "compute the analysis again"));
  QVERIFY(says(dependenciesFromJson(empty).error().text(), "compute the analysis again"));
  QVERIFY(says(sublayerNormsFromJson(empty).error().text(), "compute the analysis again"));
  // An array that lost its end has another size than the sub-layers it belongs to.
  QCOMPARE(failureOf(run(), "beta_dependency"), std::string());
  Json map = m_last;
  map["stacks"][0]["mean_token_std"].erase(0);
  QVERIFY(says(dependenciesFromJson(map).error().text(), "another size"));
}

// One word and the end of the sentence; rows with one key have no choice and entropy 0.
void TestProbeBadInput::oneTokenSentences() {
  const std::string file = m_runs.path("short.tsv");
  std::string lines;
  for (const char* word : {"a", "b", "c"}) lines += std::string(word) + "\t" + word + "\n";
  writeFileAtomically(file, lines).value();
  for (const std::string& analysis : kProbes) {
    const std::string words = failureOf(run(), analysis, {"data.validation=" + file});
    QVERIFY2(words.empty(), (analysis + ": " + words).c_str());
    QVERIFY2(m_last.dump().find("\"NaN\"") == std::string::npos || analysis != "gradient_norm",
             m_last.dump().c_str());
  }
  const auto alone = onBatch("attention_entropy", [](ProbeBatch& batch) {
    batch.forward = [](const StepContext& context) {
      const torch::Tensor one = at::ones({1, 2, 1, 1}, torch::kFloat32), none;
      context.observer->attention(
          {SublayerSite{StackKind::Encoder, 0, 0, 0, SublayerKind::SelfAttention}, one, none, one, one, one});
    };
    batch.realTokens = {};
  });
  const auto read = distributionsFromJson(alone.value()).value();
  QVERIFY(std::abs(read.attentions.at(0).heads.at(0).at(0).values.median()) < 1e-6);
}

void TestProbeBadInput::allPaddingRows() {
  const auto nothing = [](ProbeBatch& batch) {
    for (torch::Tensor* mask : {&batch.realTokens.encoder, &batch.realTokens.decoder})
      if (mask->defined()) *mask = at::zeros_like(*mask);
  };
  for (const char* analysis : {"attention_entropy", "beta_dependency"}) {
    const auto result = onBatch(analysis, nothing);
    QVERIFY2(!result.ok(), analysis);
    QVERIFY2(says(result.error().text(), "padding") || says(result.error().text(), "token"),
             result.error().text().c_str());
  }
}

// β and gradients of weights that are not numbers: every value is there, as NaN, for the figure to count.
void TestProbeBadInput::nanWeightsAreCounted() {
  StoredRun stored = openStoredRun({run(), "", {}, false, nullptr, {}}).value();
  for (const Leaf& leaf : stored.parts.model->parameters().leaves()) leaf.tensor.detach().fill_(std::nan(""));
  const ProbeSubject subject = probeSubject(stored.parts, stored.options, {"validation", 4}, nullptr, {});
  const ProbeEntry beta = findProbe("beta_dependency").value();
  const auto stacks =
      dependenciesFromJson(beta.run(subject, OptionValues{OptionSchema(beta.fields, {})}).value()).value();
  QCOMPARE(stacks.size(), std::size_t{2});
  QVERIFY(std::isnan(stacks[0].beta.at(0, 0)));
  const ProbeEntry gradient = findProbe("gradient_norm").value();
  const OptionValues options{OptionSchema(gradient.fields, {})};
  for (const SublayerNorm& norm : sublayerNormsFromJson(gradient.run(subject, options).value()).value())
    QVERIFY(!(norm.relative > 0));
}

// ReZero starts with branches that add nothing: their share is 0, not a gap.
void TestProbeBadInput::silentBranchesHaveNoShare() {
  QCOMPARE(m_runs
               .train("silent", {"encoder.residual=rezero", "decoder.residual=rezero", "encoder.layers=2",
                                 "training.length=1u"})
               .code,
           ExitCode::Finished);
  const QTemporaryDir fresh;
  ProbeVerb verb;
  verb.run = m_runs.path("silent");
  verb.analysis = "beta_dependency";
  verb.checkpoint = "init";
  verb.out = fresh.path().toStdString();
  QCOMPARE(probeVerb(verb), ExitCode::Finished);
  const auto stacks = dependenciesFromJson(listAnalyses(verb.out, verb.analysis).at(0).result).value();
  for (std::int64_t row = 0; row < stacks.at(0).beta.sublayers; ++row) {
    QVERIFY(std::abs(stacks[0].beta.at(row, 0) - 1) < 1e-12);
    for (std::int64_t column = 1; column <= row + 1; ++column) QCOMPARE(stacks[0].beta.at(row, column), 0.0);
  }
}

void TestProbeBadInput::emptyPartOfTheData() {
  const std::string words = failureOf(run(), "beta_dependency", {"data.validation="});
  QVERIFY2(!words.empty(), "an empty part was analysed");
}

QTEST_GUILESS_MAIN(TestProbeBadInput)
#include "tst_probe_bad_input.moc"
