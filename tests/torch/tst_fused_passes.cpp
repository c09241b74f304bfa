// SPDX-License-Identifier: Apache-2.0
// The fused passes of the processor beside the plain operations they stand for: values and gradients in
// float32 against float64, every mask, packed against padded batches, and no dependence on threads.
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>

#include "core/base/errors/error.h"
#include "core/init/initialisation.h"
#include "core/kernels/mask_bits.h"
#include "core/nn/attention/relation_blocks.h"
#include "core/nn/attention/short_attention.h"
#include "core/nn/dropout.h"
#include "core/nn/joined_norm.h"
#include "core/nn/layer_norm.h"
#include "core/nn/models/extra_layers.h"
#include "core/nn/models/feed_forward.h"
#include "core/nn/vector_lanes.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

// Smooth numbers without a pattern a kernel could share.
torch::Tensor wave(at::IntArrayRef shape, double rate) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return at::arange(count, torch::kFloat64).mul(rate).sin().view(shape);
}

torch::Tensor leaf(const torch::Tensor& values, torch::ScalarType type) {
  return values.to(type).clone().set_requires_grad(true);
}

// What a mask of `rule` multiplies a tensor of this shape with.
torch::Tensor maskOf(const MaskRule& rule, at::IntArrayRef shape, std::uint64_t first = 0) {
  torch::Tensor mask = at::empty(shape, torch::kFloat64);
  double* values = mask.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < mask.numel(); ++i) {
    const std::uint64_t index = first + static_cast<std::uint64_t>(i);
    const bool kept = rule.bits(static_cast<std::uint32_t>(index), rule.key(index)) >= rule.threshold;
    values[i] = kept ? rule.scale : 0;
  }
  return mask;
}

struct Sequence {
  std::int64_t first, count;
};

torch::Tensor spansOf(const std::vector<Sequence>& sequences) {
  torch::Tensor spans = at::empty({static_cast<std::int64_t>(sequences.size()), 2}, torch::kInt64);
  for (std::size_t b = 0; b < sequences.size(); ++b) {
    spans[static_cast<std::int64_t>(b)][0] = sequences[b].first;
    spans[static_cast<std::int64_t>(b)][1] = sequences[b].count;
  }
  return spans;
}

// The formula, head by head and sequence by sequence, in float64. Masks are numbered as the kernel numbers
// them: rows of keys padded to 8.
torch::Tensor plainAttention(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                             const std::vector<Sequence>& queries, const std::vector<Sequence>& keys,
                             std::int64_t heads, bool causal, const MaskRule& rule) {
  const std::int64_t width = query.size(1) / heads;
  torch::Tensor out = at::zeros_like(query);
  std::uint64_t first = 0;
  for (std::size_t b = 0; b < queries.size(); ++b) {
    const std::int64_t t = queries[b].count, s = keys[b].count, padded = (s + 7) / 8 * 8;
    for (std::int64_t h = 0; h < heads; ++h) {
      const auto part = [&](const torch::Tensor& x, const Sequence& rows) {
        return x.narrow(0, rows.first, rows.count).narrow(1, h * width, width);
      };
      torch::Tensor scores = part(query, queries[b]).mm(part(key, keys[b]).t()) / std::sqrt(width);
      if (causal) {
        const torch::Tensor later = at::ones({t, s}, torch::kBool).triu(queries[b].first - keys[b].first + 1);
        scores = scores.masked_fill(later, -INFINITY);
      }
      torch::Tensor kept = scores.softmax(1);
      if (rule.active()) kept = kept * maskOf(rule, {t, padded}, first).narrow(1, 0, s);
      first += static_cast<std::uint64_t>(t * padded);
      const torch::Tensor rows = at::arange(queries[b].first, queries[b].first + t, torch::kInt64);
      const torch::Tensor mine =
          at::zeros_like(out).narrow(1, 0, width).index_copy(0, rows, kept.mm(part(value, keys[b])));
      out = out + at::constant_pad_nd(mine, {h * width, (heads - 1 - h) * width});
    }
  }
  return out;
}

// Relation-aware attention with the n x n x d tensors that the kernel avoids.
torch::Tensor plainRelationAttention(const torch::Tensor& projected, const torch::Tensor& relationKeys,
                                     const torch::Tensor& relationValues, const torch::Tensor& blocks,
                                     const torch::Tensor& spans, std::int64_t heads, const MaskRule& rule) {
  const std::int64_t d = projected.size(1) / 3, width = d / heads;
  std::vector<torch::Tensor> sequences;
  std::int64_t start = 0;
  std::uint64_t first = 0;
  for (std::int64_t b = 0; b < spans.size(0); ++b) {
    const std::int64_t row = spans[b][0].item<std::int64_t>(), n = spans[b][1].item<std::int64_t>();
    const torch::Tensor ids = blocks.narrow(0, start, n * n).to(torch::kInt64).view({n, n});
    start += n * n;
    std::vector<torch::Tensor> parts;
    for (std::int64_t h = 0; h < heads; ++h) {
      const auto part = [&](std::int64_t which) {
        return projected.narrow(0, row, n).narrow(1, which * d + h * width, width);
      };
      const torch::Tensor query = part(0).unsqueeze(1);
      const torch::Tensor keys = part(1).unsqueeze(0) + at::embedding(relationKeys, ids);
      torch::Tensor kept = ((query * keys).sum(-1) / std::sqrt(width)).softmax(1);
      const std::int64_t padded = (n + 7) / 8 * 8;
      if (rule.active()) kept = kept * maskOf(rule, {n, padded}, first).narrow(1, 0, n);
      first += static_cast<std::uint64_t>(n * padded);
      const torch::Tensor values = part(2).unsqueeze(0) + at::embedding(relationValues, ids);
      parts.push_back((kept.unsqueeze(-1) * values).sum(1));
    }
    sequences.push_back(at::cat(parts, 1));
  }
  return at::cat(sequences, 0);
}

void compare(const char* what, const torch::Tensor& actual, const torch::Tensor& expected, double tolerance) {
  const std::string problem = layersDifference(actual.to(torch::kFloat64), expected, tolerance);
  QVERIFY2(problem.empty(), (std::string(what) + ": " + problem).c_str());
}

}  // namespace

class TestFusedPasses : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!vectorLanesRun()) QSKIP("SKIPPED-ALL this processor takes the plain operations");
  }

  void attention_data() {
    QTest::addColumn<bool>("cross");
    QTest::addColumn<bool>("causal");
    QTest::addColumn<double>("dropout");
    QTest::newRow("self") << false << false << 0.0;
    QTest::newRow("causal") << false << true << 0.0;
    QTest::newRow("causal, dropout") << false << true << 0.3;
    QTest::newRow("cross") << true << false << 0.0;
    QTest::newRow("cross, dropout") << true << false << 0.2;
  }
  void attention() {
    QFETCH(bool, cross);
    QFETCH(bool, causal);
    QFETCH(double, dropout);
    // Rows 13 and 22 to 24 belong to nobody; one sequence has a single key.
    const std::vector<Sequence> queries = {{0, 13}, {14, 1}, {15, 7}}, memory = {{1, 9}, {10, 1}, {11, 19}};
    const std::vector<Sequence>& keys = cross ? memory : queries;
    const std::int64_t heads = 3, d = 24 * heads;
    const std::vector<torch::Tensor> values = {wave({25, cross ? d : 3 * d}, 0.37), wave({30, 2 * d}, 0.73)};
    const torch::Tensor out = wave({25, d}, 0.51);
    ShortAttention how{spansOf(queries), spansOf(keys), heads, causal, dropout, 991};
    const torch::Tensor query = leaf(values[0], torch::kFloat32), both = leaf(values[1], torch::kFloat32);
    const torch::Tensor fused = cross ? shortAttention(query, both, how) : shortAttention(query, how);
    fused.backward(out.to(torch::kFloat32));
    const torch::Tensor query64 = leaf(values[0], torch::kFloat64), both64 = leaf(values[1], torch::kFloat64);
    const auto parts = cross ? both64.chunk(2, 1) : query64.narrow(1, d, 2 * d).chunk(2, 1);
    const MaskRule rule = dropout > 0 ? MaskRule(dropout, 991) : MaskRule();
    const torch::Tensor plain = plainAttention(cross ? query64 : query64.narrow(1, 0, d), parts[0], parts[1],
                                               queries, keys, heads, causal, rule);
    plain.backward(out);
    compare("value", fused, plain.detach(), 2e-6);
    compare("query", query.grad(), query64.grad(), 4e-6);
    if (cross) compare("memory", both.grad(), both64.grad(), 4e-6);
  }

  void attentionTakesLargeScores() {
    const torch::Tensor x = wave({6, 3 * 8}, 0.9).mul(60).to(torch::kFloat32);
    const ShortAttention how{spansOf({{0, 6}}), spansOf({{0, 6}}), 1};
    const torch::Tensor y = shortAttention(x, how);
    const torch::Tensor wide = x.to(torch::kFloat64);
    const auto parts = wide.chunk(3, 1);
    compare("value", y, plainAttention(parts[0], parts[1], parts[2], {{0, 6}}, {{0, 6}}, 1, false, {}), 1e-4);
    torch::Tensor broken = x.clone();
    broken[2][3] = NAN;
    QVERIFY(shortAttention(broken, how)[2].isnan().all().item<bool>());
  }

  void relationAttention_data() {
    QTest::addColumn<double>("dropout");
    QTest::newRow("plain") << 0.0;
    QTest::newRow("dropout") << 0.3;
  }
  void relationAttention() {
    QFETCH(double, dropout);
    constexpr std::int64_t kBatch = 3, kLength = 13, kTypes = 11, kHeads = 2, kWidth = 16;
    torch::Tensor padding = at::zeros({kBatch, kLength}, torch::kBool);
    padding[1].narrow(0, 4, 3).fill_(true);  // a hole: two parts, each padded
    padding[1][12].fill_(true);
    padding[2].narrow(0, 1, 12).fill_(true);
    const RowPacking packing = packingOf(padding);
    const torch::Tensor relations =
        at::arange(kBatch * kLength * kLength).mul(37).remainder(kTypes).view({kBatch, kLength, kLength});
    const torch::Tensor blocks = relationBlocks(relations, packing, kTypes);
    QCOMPARE(blocks.numel(), std::int64_t{13 * 13 + 9 * 9 + 1 + 8});
    QCOMPARE(blocks[13 * 13 + 4].item<int>(), relations[1][0][7].item<int>());
    QVERIFY_THROWS_EXCEPTION(Failure, relationBlocks(relations, packing, kTypes - 1));
    const std::int64_t rows = packing.rows.numel(), d = kHeads * kWidth;
    const torch::Tensor values[] = {wave({rows, 3 * d}, 0.37), wave({kTypes, kWidth}, 0.71),
                                    wave({kTypes, kWidth}, 1.1)};
    const torch::Tensor out = wave({rows, d}, 0.51);
    std::vector<torch::Tensor> narrow, wide;
    for (const torch::Tensor& value : values) {
      narrow.push_back(leaf(value, torch::kFloat32));
      wide.push_back(leaf(value, torch::kFloat64));
    }
    const torch::Tensor fused = shortAttention(narrow[0], ShortRelations{narrow[1], narrow[2], blocks},
                                               {packing.spans, packing.spans, kHeads, false, dropout, 991});
    fused.backward(out.to(torch::kFloat32));
    const MaskRule rule = dropout > 0 ? MaskRule(dropout, 991) : MaskRule();
    const torch::Tensor plain =
        plainRelationAttention(wide[0], wide[1], wide[2], blocks, packing.spans, kHeads, rule);
    plain.backward(out);
    compare("value", fused, plain.detach(), 4e-6);
    for (std::size_t i = 0; i < 3; ++i) compare("gradient", narrow[i].grad(), wide[i].grad(), 2e-5);
  }

  // Whole relational and vanilla layers: packed and fused against observed (plain, padded).
  void packedExtraLayersEqualPadded_data() {
    QTest::addColumn<QString>("attention");
    QTest::addColumn<QString>("residual");
    for (const char* attention : {"relation_aware", "multi_head"})
      for (const char* residual : {"post_ln", "unnormalised"})
        QTest::addRow("%s %s", attention, residual) << attention << residual;
  }
  void packedExtraLayersEqualPadded() {
    QFETCH(QString, attention);
    QFETCH(QString, residual);
    const OptionValues options =
        engineOptions({"model=extra_layers", "model.width=32", "model.heads=4", "model.extra_layers.heads=4",
                       "model.extra_layers.feed_forward=48", "model.extra_layers.relation_types=7",
                       "extra.layers=2", "init=xavier", "extra.attention=" + attention.toStdString(),
                       "extra.residual=" + residual.toStdString()});
    torch::Tensor padding = at::zeros({2, 9}, torch::kBool);
    padding[1].narrow(0, 3, 2).fill_(true);
    const torch::Tensor relations = at::arange(2 * 9 * 9).mul(29).remainder(7).view({2, 9, 9});
    const torch::Tensor real = padding.logical_not().unsqueeze(-1);
    ForwardObserver idle;
    std::vector<std::vector<torch::Tensor>> results;
    for (ForwardObserver* observer : {static_cast<ForwardObserver*>(nullptr), &idle}) {
      ExtraLayers model({{"question", 10}, {"schema", 6}}, extraStackConfiguration(options), options,
                        torch::TensorOptions(torch::kFloat32));
      initialiseModel(model, options, 5).value();
      const ExtraLayers::Features features{
          {wave({2, 5, 10}, .3).to(torch::kFloat32), wave({2, 4, 6}, .7).to(torch::kFloat32)},
          padding,
          relations};
      const torch::Tensor y = model.forward(features, {.training = true, .observer = observer}) * real;
      (y * wave({2, 9, 32}, 0.21).to(torch::kFloat32)).sum().backward();
      results.push_back({y.detach()});
      for (const Leaf& parameter : model.parameters().leaves())
        results.back().push_back(parameter.tensor.grad());
    }
    for (std::size_t i = 0; i < results[0].size(); ++i)
      compare("value or gradient", results[0][i], results[1][i].to(torch::kFloat64), 2e-5);
  }

  void joinedNorm_data() {
    QTest::addColumn<bool>("branch");
    QTest::addColumn<bool>("shortcut");
    QTest::addColumn<double>("dropout");
    QTest::newRow("norm alone") << false << false << 0.0;
    QTest::newRow("sum") << true << false << 0.0;
    QTest::newRow("sum, dropout") << true << false << 0.25;
    QTest::newRow("omega") << true << true << 0.0;
    QTest::newRow("omega, dropout") << true << true << 0.25;
  }
  void joinedNorm() {
    QFETCH(bool, branch);
    QFETCH(bool, shortcut);
    QFETCH(double, dropout);
    constexpr std::int64_t kRows = 150, kWidth = 40;  // more than two blocks of rows
    const torch::Tensor values[] = {wave({kRows, kWidth}, 0.7), wave({kRows, kWidth}, 0.31),
                                    wave({kWidth}, 1.3) + 1.2, wave({kWidth}, 0.9) + 0.8,
                                    wave({kWidth}, 0.2)};
    const torch::Tensor out = wave({kRows, kWidth}, 0.43);
    std::vector<torch::Tensor> narrow, wide;
    for (const torch::Tensor& value : values) {
      narrow.push_back(leaf(value, torch::kFloat32));
      wide.push_back(leaf(value, torch::kFloat64));
    }
    LayerNorm norm;
    norm.weight = narrow[3];
    norm.bias = narrow[4];
    QVERIFY(joinedNormFits(narrow[0], norm));
    const torch::Tensor none;
    const torch::Tensor fused = fathom::joinedNorm(
        {narrow[0], shortcut ? narrow[2] : none, branch ? narrow[1] : none, dropout, 77}, norm);
    fused.backward(out.to(torch::kFloat32));
    torch::Tensor sum = shortcut ? wide[0] * wide[2] : wide[0];
    if (branch)
      sum = sum + (dropout > 0 ? wide[1] * maskOf(MaskRule(dropout, 77), {kRows, kWidth}) : wide[1]);
    const torch::Tensor plain = at::layer_norm(sum, {kWidth}, wide[3], wide[4], 1e-5);
    plain.backward(out);
    compare("value", fused, plain.detach(), 4e-6);
    const char* const names[] = {"x", "branch", "shortcut", "weight", "bias"};
    for (std::size_t i = 0; i < 5; ++i) {
      if ((i == 1 && !branch) || (i == 2 && !shortcut)) continue;
      compare(names[i], narrow[i].grad(), wide[i].grad(), 2e-5);
    }
  }

  void feedForward() {
    for (const double p : {0.0, 0.4}) {
      std::vector<std::vector<torch::Tensor>> gradients;
      torch::Tensor outputs[2];
      for (const auto type : {torch::kFloat64, torch::kFloat32}) {
        ParameterStore store{torch::TensorOptions(type)};
        const FeedForward branch(store, {.name = "ff"}, 24, 40, Activation::Relu, p, true);
        double rate = 0.3;
        for (const Leaf& parameter : store.leaves()) {
          const at::NoGradGuard noGrad;
          parameter.tensor.copy_(wave(parameter.tensor.sizes(), rate += 0.21));
        }
        const torch::Tensor x = leaf(wave({3, 17, 24}, 0.83), type);
        const StepContext context{.seed = 3, .training = true};
        const SublayerSite site;
        outputs[type == torch::kFloat32] = branch.forward(x, {}, site, context);
        outputs[type == torch::kFloat32].backward(wave({3, 17, 24}, 0.17).to(type));
        gradients.push_back({x.grad()});
        for (const Leaf& parameter : store.leaves()) gradients.back().push_back(parameter.tensor.grad());
      }
      compare("value", outputs[1], outputs[0].detach(), 1e-5);
      for (std::size_t i = 0; i < gradients[0].size(); ++i)
        compare("gradient", gradients[1][i], gradients[0][i], 2e-5);
    }
  }

  // A training step of a whole model: packed rows and fused passes against an observed (plain, padded) one.
  void packedStepEqualsPadded_data() {
    QTest::addColumn<QString>("scheme");
    QTest::addColumn<QString>("attention");
    for (const char* scheme : {"post_ln", "pre_ln", "admin", "rezero", "fixup", "deepnet"})
      QTest::newRow(scheme) << QString::fromLatin1(scheme) << "multi_head";
    QTest::newRow("relations by distance") << "post_ln"
                                           << "relation_aware";
  }
  void packedStepEqualsPadded() {
    QFETCH(QString, scheme);
    QFETCH(QString, attention);
    const std::string kind = attention.toStdString();
    const std::string residual = scheme.toStdString();
    const ModelInputs inputs = ModelInputs::ofVocabulary(40);
    const OptionValues options = engineOptions(
        {"model.width=16", "model.heads=2", "model.feed_forward=24", "encoder.layers=2", "decoder.layers=2",
         "init=xavier", "encoder.residual=" + residual, "decoder.residual=" + residual, "model.dropout=0",
         "encoder.residual.admin.omega=output_linear", "decoder.residual.admin.omega=output_linear",
         "encoder.attention=" + kind, "decoder.attention=" + kind,
         "encoder.attention.relation_aware.distance=2", "decoder.attention.relation_aware.distance=3",
         "model.attention_dropout=0", "model.activation_dropout=0"});
    const torch::Tensor source =
        at::tensor({1, 1, 5, 6, 7, 2, 8, 9, 10, 11, 12, 2, 1, 13, 14, 15, 16, 2}, torch::kInt64).view({3, 6});
    const torch::Tensor input =
        at::tensor({2, 9, 8, 7, 6, 2, 5, 6, 1, 1, 2, 20, 21, 22, 1}, torch::kInt64).view({3, 5});
    const torch::Tensor target =
        at::tensor({9, 8, 7, 6, 2, 5, 6, 2, 1, 1, 20, 21, 22, 2, 1}, torch::kInt64).view({3, 5});
    ForwardObserver idle;
    std::vector<std::vector<torch::Tensor>> gradients;
    std::vector<double> losses;
    for (ForwardObserver* observer : {static_cast<ForwardObserver*>(nullptr), &idle}) {
      const auto model = buildModel(options, inputs, torch::TensorOptions(torch::kFloat32)).value();
      initialiseModel(*model, options, 5).value();
      const auto& m = dynamic_cast<const SequenceModel&>(*model);
      const StepContext context{.training = true, .observer = observer};
      const EncoderMemory memory = m.encode(source, context);
      QCOMPARE(memory.packing.packed(), observer == nullptr);
      const torch::Tensor hidden = m.decoderHidden(memory, input, context);
      const SmoothedLoss loss =
          projectedSmoothedLoss(hidden.flatten(0, 1), m.outputWeight(), target.flatten(), m.padId(), {0.1});
      loss.lossSum.backward();
      losses.push_back(loss.lossSum.item<double>());
      gradients.emplace_back();
      for (const Leaf& parameter : model->parameters().leaves())
        gradients.back().push_back(parameter.tensor.grad());
    }
    QVERIFY(std::abs(losses[0] - losses[1]) < 1e-5 * losses[1]);
    for (std::size_t i = 0; i < gradients[0].size(); ++i) {
      QCOMPARE(gradients[0][i].defined(), gradients[1][i].defined());
      if (gradients[0][i].defined())
        compare("gradient", gradients[0][i], gradients[1][i].to(torch::kFloat64), 2e-5);
    }
  }

  void threadsDoNotMatter() {
    const int before = at::get_num_threads();
    std::vector<torch::Tensor> results[2];
    for (const int threads : {1, 2}) {
      at::set_num_threads(threads);
      const torch::Tensor x = leaf(wave({900, 96}, 0.77), torch::kFloat32);
      LayerNorm norm;
      norm.weight = leaf(wave({96}, 0.5) + 1, torch::kFloat32);
      norm.bias = leaf(wave({96}, 0.4), torch::kFloat32);
      const torch::Tensor projected = leaf(wave({900, 288}, 0.35), torch::kFloat32);
      std::vector<Sequence> sequences;
      for (std::int64_t b = 0; b < 60; ++b) sequences.push_back({15 * b, 15});
      const torch::Tensor spans = spansOf(sequences);
      const torch::Tensor branch = shortAttention(projected, {spans, spans, 4, true, 0.1, 5});
      const torch::Tensor y = fathom::joinedNorm({x, {}, branch, 0.1, 6}, norm);
      y.backward(wave({900, 96}, 0.21).to(torch::kFloat32));
      results[threads - 1] = {y, x.grad(), projected.grad(), norm.weight.grad(), norm.bias.grad()};
      const torch::Tensor keys = leaf(wave({33, 24}, 0.3), torch::kFloat32);
      const torch::Tensor values = leaf(wave({33, 24}, 0.6), torch::kFloat32);
      const torch::Tensor ids = at::arange(60 * 15 * 15 + 8).mul(13).remainder(33).to(torch::kInt32);
      const torch::Tensor related =
          shortAttention(projected, ShortRelations{keys, values, ids}, {spans, spans, 4, false, 0.1, 5});
      related.backward(wave({900, 96}, 0.21).to(torch::kFloat32));
      results[threads - 1].insert(results[threads - 1].end(), {related, keys.grad(), values.grad()});
    }
    at::set_num_threads(before);
    for (std::size_t i = 0; i < results[0].size(); ++i) QVERIFY(results[0][i].equal(results[1][i]));
  }

  void masksDropTheirShare() {
    const StepContext context{.seed = 9, .update = 4, .training = true};
    const torch::Tensor ones = at::ones({400, 250}, torch::kFloat32);
    const torch::Tensor y = dropout(ones, 0.3, context, "site");
    QVERIFY(std::abs(y.eq(0).to(torch::kFloat64).mean().item<double>() - 0.3) < 0.005);
    // Neighbours, rows and streams are independent: the share of common drops is the product.
    const torch::Tensor zero = y.eq(0).to(torch::kFloat64);
    const torch::Tensor other = dropout(ones, 0.3, context, "other").eq(0).to(torch::kFloat64);
    QVERIFY(std::abs((zero.narrow(1, 0, 249) * zero.narrow(1, 1, 249)).mean().item<double>() - 0.09) < 0.005);
    QVERIFY(std::abs((zero.narrow(0, 0, 399) * zero.narrow(0, 1, 399)).mean().item<double>() - 0.09) < 0.005);
    QVERIFY(std::abs((zero * other).mean().item<double>() - 0.09) < 0.005);
    const torch::Tensor mask = maskOf(MaskRule(0.3, dropoutSeed(context, "site")), {400, 250});
    QVERIFY(y.to(torch::kFloat64).equal(mask));
  }
};

QTEST_GUILESS_MAIN(TestFusedPasses)
#include "tst_fused_passes.moc"
