// SPDX-License-Identifier: Apache-2.0
// Rows read eight numbers at a time against the plain definitions; streamed attention against kept attention.
#include <ATen/Parallel.h>

#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/analysis/attention/attention_entropy.h"
#include "core/analysis/attention/attention_jsd.h"
#include "core/engine/bench/bench_layers.h"
#include "core/init/initialisation.h"
#include "core/nn/models/bert.h"
#include "core/probe/attention_probe.h"
#include "core/probe/attention_rows.h"

using namespace fathom;

namespace {

torch::Tensor made(torch::IntArrayRef shape, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(seed);
  return at::randn(shape, generator, torch::kFloat32);
}

// Sums over everything that streamAttention gives.
struct Streamed {
  double nats = 0, bits = 0;
  std::int64_t rows = 0;
};
Streamed streamedOf(const torch::Tensor& queries, const torch::Tensor& keys) {
  std::vector<ScoredLayer> layers;
  for (std::int64_t layer = 0; layer < queries.size(0); ++layer)
    layers.push_back({queries[layer], keys[layer], {}, 1 / std::sqrt(static_cast<double>(queries.size(-1)))});
  std::vector<Streamed> heads(static_cast<std::size_t>(queries.size(2)));
  streamAttention(layers, [&](const AttentionRowBlock& block) {
    Streamed& sum = heads[static_cast<std::size_t>(block.head)];
    for (std::int64_t i = 0; i < block.sequences * block.queries; ++i) {
      sum.nats += block.entropies[i];
      sum.bits += block.divergences == nullptr ? 0 : block.divergences[i];
      ++sum.rows;
    }
  });
  Streamed all;
  for (const Streamed& head : heads) {
    all.nats += head.nats;
    all.bits += head.bits;
    all.rows += head.rows;
  }
  return all;
}

std::span<const float> rowOf(const torch::Tensor& rows, std::int64_t i) {
  return {rows.const_data_ptr<float>() + i * rows.size(-1), static_cast<std::size_t>(rows.size(-1))};
}

}  // namespace

class TestAttentionRows : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyLength();
  void zerosAndOneTokenRows();
  void largestLogits();
  void notANumberStaysOne();
  void blockedKeysWeighNothing();
  void streamedEqualsKept();
  void threadsAgree();
  void constantAndNanProbesAreCounted();
  void wideRowsAreExact();
  void wholeProbeKeepsNoAttention();
};

void TestAttentionRows::everyLength() {
  for (std::int64_t keys = 1; keys <= 70; ++keys) {
    const torch::Tensor p = at::softmax(made({5, keys}, 1) * 4, -1),
                        q = at::softmax(made({5, keys}, 2) * 4, -1);
    const auto entropies = rowEntropies(p), others = rowEntropies(q);
    const auto divergences = rowDivergences(p, q, entropies, others);
    for (std::int64_t i = 0; i < 5; ++i) {
      const auto at = static_cast<std::size_t>(i);
      QVERIFY(std::abs(entropies[at] - attentionEntropy(rowOf(p, i))) < 1e-5);
      QVERIFY(std::abs(divergences[at] - attentionJsd(rowOf(p, i), rowOf(q, i))) < 1e-5);
    }
    torch::Tensor scores = made({5, keys}, 1) * 4;
    for (std::int64_t i = 0; i < 5; ++i) {
      const double entropy = softmaxWithEntropy(scores.mutable_data_ptr<float>() + i * keys, keys);
      QVERIFY(std::abs(entropy - attentionEntropy(rowOf(p, i))) < 1e-5);
    }
    QVERIFY(at::allclose(scores, p, 1e-5, 1e-7));
  }
}

// Oracle 20, and a sentence of one token: entropy 0, no divergence.
void TestAttentionRows::zerosAndOneTokenRows() {
  torch::Tensor rows = at::zeros({3, 512}, torch::kFloat32);
  rows[0][3] = 1;
  rows[1][400] = 1;
  rows[2].fill_(1.0 / 512);
  const auto entropies = rowEntropies(rows);
  QVERIFY(std::abs(entropies[0]) < 1e-12 && std::abs(entropies[2] - std::log(512.0)) < 1e-5);
  const torch::Tensor first = rows.slice(0, 0, 1).contiguous(), second = rows.slice(0, 1, 2).contiguous();
  QVERIFY(std::abs(rowDivergences(first, second, {entropies[0]}, {entropies[1]})[0] - 1) < 1e-6);
  QCOMPARE(rowDivergences(first, first, {entropies[0]}, {entropies[0]})[0], 0.0);
  const torch::Tensor one = at::ones({1, 1}, torch::kFloat32);
  QVERIFY(std::abs(rowEntropies(one)[0]) < 1e-6);
}

// Largest logits come with and without entropies, and are those of the scores that attention() has.
void TestAttentionRows::largestLogits() {
  constexpr std::int64_t kKeys = 37;
  torch::Tensor scores = made({4, kKeys}, 11) * 30;
  scores[1].slice(0, 20).fill_(-std::numeric_limits<float>::infinity());
  scores[2].fill_(-std::numeric_limits<float>::infinity());
  scores[3][5] = 77;
  const std::vector<double> rows = rowLargestLogits(scores);
  QCOMPARE(rows[0], static_cast<double>(scores[0].max().item<float>()));
  QCOMPARE(rows[1], static_cast<double>(scores[1].slice(0, 0, 20).max().item<float>()));
  QVERIFY(std::isnan(rows[2]));
  QCOMPARE(rows[3], 77.0);
  QCOMPARE(rowLargestLogits(scores.to(torch::kFloat64))[3], 77.0);
  const torch::Tensor queries = made({2, 2, 5, 8}, 1), keys = made({2, 2, 7, 8}, 2);
  const torch::Tensor products = at::matmul(queries, keys.transpose(2, 3)) * 0.5;
  for (const bool entropies : {true, false}) {
    const std::vector<ScoredLayer> layers = {{queries, keys, {}, 0.5}};
    // One of each for each head: heads are shared out to threads.
    std::array<std::int64_t, 2> seen{};
    std::array<double, 2> worst{};
    const auto look = [&](const AttentionRowBlock& block) {
      const auto head = static_cast<std::size_t>(block.head);
      if ((block.entropies != nullptr) != entropies) worst[head] = HUGE_VAL;
      for (std::int64_t i = 0; i < block.sequences * block.queries; ++i, ++seen[head]) {
        const torch::Tensor row = products[block.firstSequence + i / block.queries][block.head]
                                          [block.firstQuery + i % block.queries];
        worst[head] = std::max(worst[head], std::abs(block.logits[i] - row.max().item<double>()));
      }
    };
    streamAttention(layers, look, {.entropies = entropies, .logits = true});
    for (std::size_t head = 0; head < 2; ++head) {
      QCOMPARE(seen[head], 2 * 5);
      QVERIFY(worst[head] < 1e-5);
    }
  }
}

void TestAttentionRows::notANumberStaysOne() {
  torch::Tensor rows = at::softmax(made({2, 37}, 3), -1);
  rows[1][20] = std::numeric_limits<float>::quiet_NaN();
  const auto entropies = rowEntropies(rows);
  QVERIFY(std::isfinite(entropies[0]) && std::isnan(entropies[1]));
  const torch::Tensor fine = rows.slice(0, 0, 1).contiguous(), broken = rows.slice(0, 1, 2).contiguous();
  QVERIFY(std::isnan(rowDivergences(fine, broken, {entropies[0]}, {entropies[1]})[0]));
}

void TestAttentionRows::blockedKeysWeighNothing() {
  torch::Tensor scores = made({1, 24}, 4);
  scores.slice(1, 5, 20).fill_(-std::numeric_limits<float>::infinity());
  const torch::Tensor expected = at::softmax(scores, -1);
  const double entropy = softmaxWithEntropy(scores.mutable_data_ptr<float>(), 24);
  QVERIFY(at::allclose(scores, expected, 1e-5, 1e-7));
  QVERIFY(std::abs(entropy - attentionEntropy(rowOf(expected, 0))) < 1e-5);
}

void TestAttentionRows::streamedEqualsKept() {
  const torch::Tensor queries = made({3, 2, 2, 150, 16}, 5), keys = made({3, 2, 2, 150, 16}, 6);
  const torch::Tensor kept = at::softmax(at::matmul(queries, keys.transpose(-1, -2)) / 4, -1);
  double nats = 0, bits = 0;
  const std::int64_t rows = 2 * 2 * 150;
  for (std::int64_t layer = 0; layer < 3; ++layer) {
    const torch::Tensor now = kept[layer].contiguous();
    for (std::int64_t i = 0; i < rows; ++i) {
      nats += attentionEntropy(rowOf(now, i));
      if (layer > 0) bits += attentionJsd(rowOf(now, i), rowOf(kept[layer - 1].contiguous(), i));
    }
  }
  const Streamed streamed = streamedOf(queries, keys);
  QVERIFY(std::abs(streamed.nats / static_cast<double>(3 * rows) - nats / static_cast<double>(3 * rows)) <
          1e-5);
  QVERIFY(std::abs(streamed.bits / static_cast<double>(2 * rows) - bits / static_cast<double>(2 * rows)) <
          1e-5);
  QCOMPARE(streamed.rows, 3 * rows);
}

void TestAttentionRows::threadsAgree() {
  const torch::Tensor queries = made({2, 1, 4, 100, 8}, 7), keys = made({2, 1, 4, 100, 8}, 8);
  const torch::Tensor rows = at::softmax(made({2000, 33}, 9), -1);
  at::set_num_threads(2);
  const Streamed two = streamedOf(queries, keys);
  const auto many = rowEntropies(rows);
  at::set_num_threads(1);
  const Streamed one = streamedOf(queries, keys);
  QCOMPARE(one.nats, two.nats);
  QCOMPARE(one.bits, two.bits);
  QVERIFY(rowEntropies(rows) == many);
}

// A head that is the same everywhere has no density; a row that is not a number is counted, not drawn.
void TestAttentionRows::constantAndNanProbesAreCounted() {
  AttentionProbe probe(4);
  torch::Tensor even = at::full({1, 2, 4, 4}, 0.25, torch::kFloat32);
  even[0][1][2][0] = std::numeric_limits<float>::quiet_NaN();
  const SublayerSite site{StackKind::Encoder, 0, 0, 0, SublayerKind::SelfAttention};
  const torch::Tensor none;
  probe.run(
      [&](const StepContext& context) {
        context.observer->attention({site, even, none, even, even, even});
      },
      {});
  const auto& heads = probe.statistics().at(0).entropyNats.at(0);
  QCOMPARE(heads.at(0).summary().count, std::int64_t{4});
  QVERIFY(heads.at(0).violin().density.empty());
  QCOMPARE(heads.at(1).summary().count, std::int64_t{3});
  QCOMPARE(heads.at(1).summary().nonFinite, std::int64_t{1});
}

// Float64, a mask, and more sequences than go into a block: against the plain definitions.
void TestAttentionRows::wideRowsAreExact() {
  const torch::Tensor q = made({2, 300, 3, 9, 8}, 11).to(torch::kFloat64),
                      k = made({2, 300, 3, 13, 8}, 12).to(torch::kFloat64);
  torch::Tensor additive = at::zeros({300, 1, 1, 13}, torch::kFloat64);
  for (std::int64_t b = 0; b < 300; ++b)
    additive[b].slice(-1, 0, b % 12).fill_(-std::numeric_limits<double>::infinity());
  const torch::Tensor p = at::softmax(at::matmul(q, k.transpose(-1, -2)) * 0.4 + additive, -1);
  std::vector<ScoredLayer> layers;
  for (std::int64_t layer = 0; layer < 2; ++layer) layers.push_back({q[layer], k[layer], additive, 0.4});
  std::array<std::int64_t, 3> seen{};
  std::array<double, 3> worst{};
  streamAttention(layers, [&](const AttentionRowBlock& block) {
    const auto head = static_cast<std::size_t>(block.head);
    for (std::int64_t i = 0; i < block.sequences * block.queries; ++i) {
      const std::int64_t b = block.firstSequence + i / block.queries,
                         t = block.firstQuery + i % block.queries;
      const auto rowIn = [&](std::int64_t layer) {
        const double* first =
            p.const_data_ptr<double>() + (((layer * 300 + b) * 3 + block.head) * 9 + t) * 13;
        return std::span<const double>(first, 13);
      };
      const auto layer = static_cast<std::int64_t>(block.layer);
      worst[head] = std::max(worst[head], std::abs(block.entropies[i] - attentionEntropy(rowIn(layer))));
      if (layer > 0)
        worst[head] = std::max(worst[head],
                               std::abs(block.divergences[i] - attentionJsd(rowIn(layer), rowIn(layer - 1))));
      ++seen[head];
    }
  });
  for (std::size_t head = 0; head < 3; ++head) {
    QCOMPARE(seen[head], std::int64_t{2 * 300 * 9});
    QVERIFY(worst[head] < 1e-12);
  }
}

namespace {

// What the model would do for an observer that wants the tensors.
class KeptProbe : public AttentionProbe {
 public:
  using AttentionProbe::AttentionProbe;
  bool takesQueriesAndKeys() const override { return false; }
};

}  // namespace

// A model in which one layer's attention is a hundred times what a plain forward holds: the numbers are those
// of kept attention, the memory is that of the forward.
void TestAttentionRows::wholeProbeKeepsNoAttention() {
  constexpr std::int64_t kRows = 2, kLength = 768;
  const OptionValues options = benchModelOptions({{"model", "bert"},
                                                  {"init", "bert"},
                                                  {"model.width", 96},
                                                  {"model.heads", 12},
                                                  {"model.feed_forward", 96},
                                                  {"model.dropout", 0.0},
                                                  {"encoder.layers", 3},
                                                  {"model.bert.head", "masked_words"},
                                                  {"model.bert.max_positions", kLength}});
  const ModelInputs inputs{{"vocabulary", 100}, {"pad_id", 0}};
  Bert model(bertConfiguration(options, inputs), options, torch::TensorOptions(torch::kFloat32));
  initialiseModel(model, options, 1).value();
  torch::Tensor tokens = at::arange(kRows * kLength).remainder(95).add(5).view({kRows, kLength});
  torch::Tensor padding = at::zeros({kRows, kLength}, torch::kBool);
  padding[1].slice(0, 500).fill_(true);
  tokens.masked_fill_(padding, 0);
  const TextBatch batch{tokens, {}, padding};
  const ForwardPass forward = [&](const StepContext& context) {
    const torch::NoGradGuard noGradients;
    model.hidden(batch, context);
  };
  const auto peakOf = [](const std::function<void()>& work) {
    work();
    resetPeakMemory();
    work();
    return peakMemory();
  };
  AttentionProbe streamed(kLength, {.logits = true});
  KeptProbe kept(kLength, AttentionQuantities{.logits = true});
  for (AttentionProbe* probe : {&streamed, static_cast<AttentionProbe*>(&kept)})
    probe->setMasks({padding.logical_not(), {}});
  const std::int64_t plain = peakOf([&] { forward({}); });
  const std::int64_t probed = peakOf([&] { streamed.run(forward, {}); });
  constexpr std::int64_t kOneLayer = kRows * 12 * kLength * kLength * 4;  // bytes
  QVERIFY2(probed - plain < kOneLayer / 4, qPrintable(QString::number((probed - plain) >> 20)));
  const std::int64_t whole = peakOf([&] { kept.run(forward, {}); });
  QVERIFY2(whole - plain > kOneLayer, "the check would not see kept attention");
  for (std::size_t layer = 0; layer < 3; ++layer) {
    for (std::size_t head = 0; head < 12; ++head) {
      const auto same = [&](const ValueHistogram& a, const ValueHistogram& b) {
        const SampleDistribution x = a.summary(), y = b.summary();
        return x.count == y.count && x.count == 2 * (768 + 500) && std::abs(x.mean - y.mean) < 1e-5 &&
               std::abs(x.fiveNumbers[2] - y.fiveNumbers[2]) < 1e-3;
      };
      QVERIFY(same(streamed.statistics().at(0).entropyNats[layer][head],
                   kept.statistics().at(0).entropyNats[layer][head]));
      QVERIFY(
          same(streamed.statistics().at(0).logits[layer][head], kept.statistics().at(0).logits[layer][head]));
      if (layer > 0)
        QVERIFY(same(streamed.statistics().at(0).jsdBits[layer - 1][head],
                     kept.statistics().at(0).jsdBits[layer - 1][head]));
    }
  }
}

QTEST_APPLESS_MAIN(TestAttentionRows)
#include "tst_attention_rows.moc"
