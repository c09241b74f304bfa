// SPDX-License-Identifier: Apache-2.0
// The probe of attention itself: equal to attention that is kept whole, its parts sum to the scores, and what
// does not apply says why.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "core/analysis/attention/attention_maps.h"
#include "core/engine/engine_verbs.h"
#include "core/record/formats/array_file.h"
#include "core/record/results/analysis_store.h"
#include "core/train/state/stored_run.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

namespace {

struct Stored {
  std::string folder;
  AttentionMatrices matrices;
  std::vector<double> part(std::size_t attention, const std::string& name) const {
    return readArrayFile(folder + "/" + matrices.attentions.at(attention).file(name)).value().doubles();
  }
};

// One sentence pair's attention of one layer as the forward had it.
class KeptAttention : public ForwardObserver {
 public:
  KeptAttention(StackKind stack, SublayerKind kind, std::int64_t layer)
      : m_stack(stack), m_kind(kind), m_layer(layer) {}
  torch::Tensor probabilities;
  bool wantsAttention() const override { return true; }
  void attention(const AttentionRecord& record) override {
    if (record.site.stack == m_stack && record.site.kind == m_kind && record.site.layer == m_layer)
      probabilities = record.probabilities.detach().clone();
  }

 private:
  StackKind m_stack;
  SublayerKind m_kind;
  std::int64_t m_layer;
};

Stored probed(const std::string& run, int example) {
  ProbeVerb verb;
  verb.run = run;
  verb.analysis = "attention_maps";
  verb.assignments = {"example=" + std::to_string(example)};
  if (probeVerb(verb) != ExitCode::Finished) throw Failure(internalError("the probe failed"));
  const StoredAnalysis stored = listAnalyses(RunFolder(run).analysesPath(), "attention_maps").back();
  return {stored.path, attentionMatricesFromJson(stored.result).value()};
}

std::string failureOf(const std::string& run, const std::string& assignment) {
  ProbeVerb verb;
  verb.run = run;
  verb.analysis = "attention_maps";
  verb.assignments = {assignment};
  try {
    probeVerb(verb);
  } catch (const Failure& failure) {
    return failure.error().text();
  }
  return {};
}

}  // namespace

class TestAttentionMaps : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void equalsKeptAttention_data();
  void equalsKeptAttention();
  void rowsAreSoftmaxOfScores_data();
  void rowsAreSoftmaxOfScores();
  void residualPartOnlyWithAChain();
  void tokensAreThoseOfTheExample();
  void unknownExampleIsRefused();

 private:
  TinyRuns m_runs;
};

void TestAttentionMaps::initTestCase() {
  const std::vector<std::string> deep = {"precision=float64", "encoder.layers=3", "decoder.layers=2"};
  QCOMPARE(m_runs.train("plain", deep).code, ExitCode::Finished);
  for (const char* chain : {"sum", "mean"}) {
    std::vector<std::string> chained = deep;
    for (const char* key : {"encoder.self_attention", "decoder.self_attention", "decoder.cross_attention"})
      chained.push_back(std::string(key) + ".score_chain=" + chain);
    QCOMPARE(m_runs.train(chain, chained).code, ExitCode::Finished);
  }
}

void TestAttentionMaps::equalsKeptAttention_data() {
  QTest::addColumn<int>("attention");
  QTest::addColumn<int>("stack");
  QTest::addColumn<int>("kind");
  QTest::newRow("encoder") << 0 << int(StackKind::Encoder) << int(SublayerKind::SelfAttention);
  QTest::newRow("decoder") << 1 << int(StackKind::Decoder) << int(SublayerKind::SelfAttention);
  QTest::newRow("cross") << 2 << int(StackKind::Decoder) << int(SublayerKind::CrossAttention);
}

// Any example, whatever its place in a padded batch.
void TestAttentionMaps::equalsKeptAttention() {
  QFETCH(int, attention);
  QFETCH(int, stack);
  QFETCH(int, kind);
  constexpr int kExample = 4, kLayer = 1;
  const Stored stored = probed(m_runs.path("sum"), kExample);
  const AttentionMatrix& matrix = stored.matrices.attentions.at(std::size_t(attention));
  const std::vector<double> p = stored.part(std::size_t(attention), "probabilities");
  const StoredRun run = openStoredRun({m_runs.path("sum"), "", {}, false, nullptr, {}}).value();
  const torch::NoGradGuard noGradients;
  for (std::int64_t i = 0; i < run.parts.task->batchCount(DataSplit::Validation); ++i) {
    const HostBatch host = run.parts.task->makeBatch(DataSplit::Validation, i);
    for (std::size_t row = 0; row < host.examples.size(); ++row) {
      if (host.examples[row].value != kExample) continue;
      const DeviceBatch batch = toDevice(host, torch::kCPU);
      KeptAttention kept(static_cast<StackKind>(stack), static_cast<SublayerKind>(kind), kLayer);
      StepContext context;
      context.observer = &kept;
      run.parts.objective->forward(*run.parts.model, batch, context);
      const TokenMasks real = run.parts.objective->realTokens(batch);
      const auto places = [&](const torch::Tensor& mask) {
        return mask.select(0, std::int64_t(row)).nonzero().flatten();
      };
      const bool cross = kept.probabilities.size(2) != kept.probabilities.size(3) || attention == 2;
      const torch::Tensor one =
          kept.probabilities.select(0, std::int64_t(row))
              .index_select(1, places(stack == int(StackKind::Encoder) ? real.encoder : real.decoder))
              .index_select(2,
                            places(cross || stack == int(StackKind::Encoder) ? real.encoder : real.decoder))
              .contiguous();
      QCOMPARE(one.size(1), std::int64_t(matrix.queries.size()));
      QCOMPARE(one.size(2), std::int64_t(matrix.keys.size()));
      const std::size_t size = std::size_t(one.numel());
      for (std::size_t at = 0; at < size; ++at)
        QVERIFY(std::abs(one.const_data_ptr<double>()[at] - p.at(kLayer * size + at)) < 1e-7);
      return;
    }
  }
  QFAIL("the example is in no batch");
}

void TestAttentionMaps::rowsAreSoftmaxOfScores_data() {
  QTest::addColumn<QString>("run");
  for (const char* run : {"plain", "sum", "mean"}) QTest::newRow(run) << QString::fromLatin1(run);
}

// softmax(content + residual) = probabilities, computed plainly; what the mask hides is NaN and has none.
void TestAttentionMaps::rowsAreSoftmaxOfScores() {
  QFETCH(QString, run);
  const Stored stored = probed(m_runs.path(run.toStdString()), 2);
  QCOMPARE(stored.matrices.attentions.size(), std::size_t(3));
  for (std::size_t a = 0; a < 3; ++a) {
    const AttentionMatrix& matrix = stored.matrices.attentions[a];
    const std::vector<double> p = stored.part(a, "probabilities"), scores = stored.part(a, "scores"),
                              content = stored.part(a, "content");
    const std::vector<double> residual =
        matrix.file("residual").empty() ? std::vector<double>(content.size(), 0) : stored.part(a, "residual");
    const std::size_t keys = matrix.keys.size();
    std::size_t hidden = 0;
    for (std::size_t first = 0; first < p.size(); first += keys) {
      double sum = 0;
      for (std::size_t k = first; k < first + keys; ++k) {
        if (std::isnan(scores[k])) {
          ++hidden;
          QVERIFY(std::isnan(content[k]) && p[k] < 1e-12);
          continue;
        }
        QVERIFY(std::abs(content[k] + residual[k] - scores[k]) < 1e-5);
        sum += std::exp(scores[k]);
      }
      for (std::size_t k = first; k < first + keys; ++k)
        if (!std::isnan(scores[k])) QVERIFY(std::abs(std::exp(scores[k]) / sum - p[k]) < 1e-5);
    }
    // The decoder must not look ahead; nothing else is hidden once padding is cut off.
    const std::size_t queries = matrix.queries.size();
    const std::size_t ahead = queries * (queries - 1) / 2 * std::size_t(matrix.layers * matrix.heads);
    QCOMPARE(hidden, matrix.name() == "decoder.self_attention" ? ahead : std::size_t(0));
  }
}

void TestAttentionMaps::residualPartOnlyWithAChain() {
  const Stored plain = probed(m_runs.path("plain"), 0), chained = probed(m_runs.path("mean"), 0);
  for (const AttentionMatrix& matrix : plain.matrices.attentions) QVERIFY(matrix.file("residual").empty());
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double> residual = chained.part(a, "residual");
    const std::size_t layer = residual.size() / std::size_t(chained.matrices.attentions[a].layers);
    double first = 0, later = 0;
    for (std::size_t i = 0; i < residual.size(); ++i)
      if (!std::isnan(residual[i])) (i < layer ? first : later) += std::abs(residual[i]);
    QCOMPARE(first, 0.0);  // nothing lies below the first layer
    QVERIFY(later > 0);
  }
}

void TestAttentionMaps::tokensAreThoseOfTheExample() {
  const Stored stored = probed(m_runs.path("plain"), 3);
  const StoredRun run = openStoredRun({m_runs.path("plain"), "", {}, false, nullptr, {}}).value();
  const ExampleTexts texts = run.parts.task->exampleTexts(DataSplit::Validation, ExampleId(3));
  const auto letters = [](const std::string& text) {
    QString plain = QString::fromStdString(text);
    plain.remove(QChar(0x2581));
    return plain.remove(u' ');
  };
  std::string source, target;
  const std::vector<std::string>& queries = stored.matrices.attentions.at(0).queries;
  for (std::size_t i = 0; i + 1 < queries.size(); ++i) source += queries[i];  // without the end mark
  const std::vector<std::string>& decoder = stored.matrices.attentions.at(1).queries;
  for (std::size_t i = 1; i < decoder.size(); ++i) target += decoder[i];  // without the begin mark
  QCOMPARE(letters(source), letters(texts.at(0).second));
  QCOMPARE(letters(target), letters(texts.at(1).second));
  QVERIFY(stored.matrices.attentions.at(2).keys == queries);
}

void TestAttentionMaps::unknownExampleIsRefused() {
  const std::string words = failureOf(m_runs.path("plain"), "example=4000");
  QVERIFY2(words.find("4000") != std::string::npos && words.find("30") != std::string::npos, words.c_str());
}

QTEST_GUILESS_MAIN(TestAttentionMaps)
#include "tst_attention_maps.moc"
