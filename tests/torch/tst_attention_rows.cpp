// SPDX-License-Identifier: Apache-2.0
// Rows read eight numbers at a time against the plain definitions; streamed attention against kept attention.
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>
#include <limits>
#include <span>

#include "core/analysis/attention_entropy.h"
#include "core/analysis/attention_jsd.h"
#include "core/probe/attention_probe.h"
#include "core/probe/attention_rows.h"

using namespace fathom;

namespace {

torch::Tensor made(torch::IntArrayRef shape, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(torch::kCPU).clone();
  generator.set_current_seed(seed);
  return at::randn(shape, generator, torch::kFloat32);
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
  void notANumberStaysOne();
  void blockedKeysWeighNothing();
  void streamedEqualsKept();
  void threadsAgree();
  void constantAndNanProbesAreCounted();
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
  const StreamedMeans streamed = streamAttention(queries, keys);
  QVERIFY(std::abs(streamed.entropyNats - nats / static_cast<double>(3 * rows)) < 1e-5);
  QVERIFY(std::abs(streamed.jsdBits - bits / static_cast<double>(2 * rows)) < 1e-5);
}

void TestAttentionRows::threadsAgree() {
  const torch::Tensor queries = made({2, 1, 4, 100, 8}, 7), keys = made({2, 1, 4, 100, 8}, 8);
  const torch::Tensor rows = at::softmax(made({2000, 33}, 9), -1);
  at::set_num_threads(2);
  const StreamedMeans two = streamAttention(queries, keys);
  const auto many = rowEntropies(rows);
  at::set_num_threads(1);
  const StreamedMeans one = streamAttention(queries, keys);
  QCOMPARE(one.entropyNats, two.entropyNats);
  QCOMPARE(one.jsdBits, two.jsdBits);
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

QTEST_APPLESS_MAIN(TestAttentionRows)
#include "tst_attention_rows.moc"
