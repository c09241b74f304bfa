// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>

#include <QTest>
#include <cmath>

#include "core/decode/beam_search.h"
#include "core/init/initialisation.h"
#include "core/nn/dropout.h"
#include "core/nn/residual/residual_scheme.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

constexpr std::int64_t kPieces = 40;

std::vector<std::string> smallSizes(std::vector<std::string> more) {
  more.insert(more.end(), {"model.width=16", "model.heads=2", "model.feed_forward=24", "encoder.layers=2",
                           "decoder.layers=2", "init=xavier", "encoder.residual.admin.omega=output_linear",
                           "decoder.residual.admin.omega=output_linear"});
  return more;
}

std::unique_ptr<Model> makeModel(const std::vector<std::string>& assignments, torch::ScalarType type) {
  const ModelInputs inputs = ModelInputs::ofVocabulary(kPieces);
  const OptionValues options = engineOptions(smallSizes(assignments));
  auto model = buildModel(options, inputs, torch::TensorOptions(type)).value();
  initialiseModel(*model, options, 5).value();
  // Factors such as alpha = 0 or zero maps would hide mistakes.
  for (const Parameter& parameter : model->parameters().parameters()) {
    torch::Tensor value = model->parameters().value(parameter);
    if (value.dim() == 1) value.add_(at::arange(value.numel(), value.options()).mul(0.7).cos().mul(0.1));
  }
  return model;
}

const SequenceModel& sequence(const std::unique_ptr<Model>& model) {
  return dynamic_cast<const SequenceModel&>(*model);
}

const torch::Tensor kSource =
    at::tensor({1, 1, 5, 6, 7, 2, 8, 9, 10, 11, 12, 2, 1, 13, 14, 15, 16, 2}, torch::kInt64).view({3, 6});
const torch::Tensor kTarget =
    at::tensor({2, 9, 8, 7, 6, 2, 5, 6, 1, 1, 2, 20, 21, 22, 1}, torch::kInt64).view({3, 5});

std::vector<std::string> stacks(const std::string& encoder, const std::string& decoder) {
  return {"encoder.residual=" + encoder, "decoder.residual=" + decoder};
}

std::vector<std::string> chained(const std::string& chain, std::vector<std::string> more) {
  for (const char* key : {"encoder.self_attention", "decoder.self_attention", "decoder.cross_attention"}) {
    more.push_back(std::string(key) + ".score_chain=" + chain);
  }
  return more;
}

// Relations are distances, cut off at 2.
std::vector<std::string> related(std::vector<std::string> more) {
  for (const char* stack : {"encoder", "decoder"}) {
    more.push_back(std::string(stack) + ".attention=relation_aware");
    more.push_back(std::string(stack) + ".attention.relation_aware.distance=2");
  }
  return more;
}

// Every scheme in the list, chains, relations, and the hybrid.
void eachCombination(
    const std::function<void(const std::string& name, const std::vector<std::string>&)>& visit) {
  for (const ResidualEntry& entry : residualEntries()) visit(entry.id, stacks(entry.id, entry.id));
  visit("hybrid", stacks("post_ln", "pre_ln"));
  visit("sum", chained("sum", stacks("post_ln", "admin")));
  visit("mean", chained("mean", stacks("admin", "pre_ln")));
  visit("relations", related(stacks("post_ln", "pre_ln")));
  visit("relations, sum", related(chained("sum", stacks("admin", "post_ln"))));
}

}  // namespace

class TestEncoderDecoder : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void finiteDifferences() {
    eachCombination([](const std::string& name, const std::vector<std::string>& assignments) {
      std::vector<std::string> options = assignments;
      options.insert(options.end(), {"model.dropout=0.2", "model.attention_dropout=0.1",
                                     "model.activation_dropout=0.1", "model.activation=gelu_erf"});
      const auto model = makeModel(options, torch::kFloat64);
      std::vector<torch::Tensor> tensors;
      for (const Leaf& leaf : model->parameters().leaves()) tensors.push_back(leaf.tensor);
      StepContext context;
      context.training = true;
      const torch::Tensor weights =
          at::arange(3 * 5 * kPieces, torch::kFloat64).mul(0.61).sin().view({3, 5, kPieces});
      const double error = gradientError(
          [&] {
            const auto& m = sequence(model);
            return (m.logits(m.decoderHidden(m.encode(kSource, context), kTarget, context)) * weights).sum();
          },
          tensors, 2, 1e-5);
      QVERIFY2(error < 1e-6, (name + ": " + std::to_string(error)).c_str());
    });
  }

  void oracle09IncrementalEqualsFull() {
    for (const auto type : {torch::kFloat64, torch::kFloat32}) {
      eachCombination([&](const std::string& name, const std::vector<std::string>& assignments) {
        const at::NoGradGuard noGrad;
        const auto model = makeModel(assignments, type);
        const auto& m = sequence(model);
        const EncoderMemory memory = m.encode(kSource, StepContext());
        const torch::Tensor tokens = kTarget.clone().masked_fill(kTarget.eq(1), 30);
        const torch::Tensor full = m.decoderHidden(memory, tokens, StepContext());
        DecodeState state = m.beginDecoding(memory);
        for (std::int64_t t = 0; t < tokens.size(1); ++t) {
          const torch::Tensor step = m.decodeStep(state, tokens.select(1, t));
          const double tolerance = type == torch::kFloat64 ? 1e-12 : 2e-5;
          const std::string difference = layersDifference(step, full.select(1, t), tolerance);
          QVERIFY2(difference.empty(), (name + " step " + std::to_string(t) + ": " + difference).c_str());
        }
      });
    }
  }

  void reorderedRowsDecodeLikeTheirParents() {
    const at::NoGradGuard noGrad;
    const auto model = makeModel(chained("sum", stacks("pre_ln", "pre_ln")), torch::kFloat64);
    const auto& m = sequence(model);
    const EncoderMemory memory = m.encode(kSource, StepContext());
    DecodeState state = m.beginDecoding(memory);
    m.decodeStep(state, at::tensor({2, 2, 2}, torch::kInt64));
    state.reorder(at::tensor({2, 0, 2, 1}, torch::kInt64));
    QCOMPARE(state.rows, 4);
    const torch::Tensor step = m.decodeStep(state, at::tensor({9, 8, 7, 6}, torch::kInt64));
    const std::int64_t parents[] = {2, 0, 2, 1}, last[] = {9, 8, 7, 6};
    for (std::int64_t row = 0; row < 4; ++row) {
      const EncoderMemory one = m.encode(kSource.narrow(0, parents[row], 1), StepContext());
      const torch::Tensor full = m.decoderHidden(
          one, at::tensor({std::int64_t{2}, last[row]}, torch::kInt64).view({1, 2}), StepContext());
      QVERIFY(layersDifference(step[row], full[0][1], 1e-12).empty());
    }
  }

  void paddingDoesNotMatter() {
    const at::NoGradGuard noGrad;
    const auto model = makeModel(chained("mean", stacks("admin", "admin")), torch::kFloat64);
    const auto& m = sequence(model);
    const torch::Tensor batch = m.decoderHidden(m.encode(kSource, StepContext()), kTarget, StepContext());
    const torch::Tensor alone =
        m.decoderHidden(m.encode(kSource[0].narrow(0, 2, 4).unsqueeze(0), StepContext()),
                        kTarget[0].unsqueeze(0), StepContext());
    QVERIFY(layersDifference(batch[0], alone[0], 1e-12).empty());
  }

  void fusedAttentionEqualsPlain() {
    const auto fused = makeModel(stacks("post_ln", "pre_ln"), torch::kFloat32);
    std::vector<std::string> options = stacks("post_ln", "pre_ln");
    options.push_back("model.fused_attention=false");
    const auto plain = makeModel(options, torch::kFloat32);
    torch::Tensor results[2];
    for (const auto& [model, index] : {std::pair{&fused, 0}, std::pair{&plain, 1}}) {
      const auto& m = sequence(*model);
      results[index] = m.logits(m.decoderHidden(m.encode(kSource, StepContext()), kTarget, StepContext()));
      results[index].sum().backward();
    }
    QVERIFY(layersDifference(results[0], results[1], 1e-5).empty());
    for (const Parameter& parameter : fused->parameters().parameters()) {
      const std::string difference = layersDifference(
          fused->parameters().gradient(parameter), plain->parameters().gradient(parameter.info.name), 2e-5);
      QVERIFY2(difference.empty(), (parameter.info.name + ": " + difference).c_str());
    }
  }

  void dropoutIsAFunctionOfPlaceAndUpdate() {
    const torch::Tensor x = at::ones({20001}, torch::kFloat32);
    StepContext context;
    context.training = true;
    const torch::Tensor a = dropout(x, 0.3, context, "site");
    at::set_num_threads(2);
    const torch::Tensor b = dropout(x, 0.3, context, "site");
    at::set_num_threads(1);
    QVERIFY(a.equal(b));
    QVERIFY(std::abs(a.ne(0).to(torch::kFloat64).mean().item<double>() - 0.7) < 0.02);
    QVERIFY(std::abs(a.max().item<double>() - 1 / 0.7) < 1e-6);
    QVERIFY(!a.equal(dropout(x, 0.3, context, "other")));
    context.update = 1;
    QVERIFY(!a.equal(dropout(x, 0.3, context, "site")));
    context.update = 0;
    context.microBatch = 1;
    QVERIFY(!a.equal(dropout(x, 0.3, context, "site")));
    context.training = false;
    QVERIFY(dropout(x, 0.3, context, "site").is_same(x));
  }

  void deeperNetsShareTheirFirstLayers() {
    const auto shallow = makeModel(stacks("post_ln", "post_ln"), torch::kFloat32);
    std::vector<std::string> options = stacks("post_ln", "post_ln");
    const ModelInputs inputs = ModelInputs::ofVocabulary(kPieces);
    OptionValues values = engineOptions(smallSizes(options));
    QVERIFY(values.setText("encoder.layers=5").ok());
    const auto deep = buildModel(values, inputs, torch::TensorOptions(torch::kFloat32)).value();
    initialiseModel(*deep, values, 5).value();
    const std::string name = "encoder.layers.1.self_attention.value.weight";
    QVERIFY(shallow->parameters().value(name).equal(deep->parameters().value(name)));
    QVERIFY(!deep->parameters().value(name).equal(
        deep->parameters().value("encoder.layers.2.self_attention.value.weight")));
  }

  void translateIsGreedyForBeamOne() {
    const auto model = makeModel(stacks("post_ln", "post_ln"), torch::kFloat32);
    const auto& m = sequence(model);
    BeamOptions options;
    options.beam = 1;
    options.maxLengthB = 12;
    const auto results = translate(m, kSource, options);
    QCOMPARE(results.size(), std::size_t{3});
    const at::NoGradGuard noGrad;
    for (std::int64_t row = 0; row < 3; ++row) {
      std::vector<std::int64_t> tokens = {2};
      const EncoderMemory memory = m.encode(kSource.narrow(0, row, 1), StepContext());
      while (tokens.size() < 13) {
        const torch::Tensor input = at::tensor(tokens, torch::kInt64).unsqueeze(0);
        torch::Tensor logits = m.logits(m.decoderHidden(memory, input, StepContext())[0][-1]).clone();
        logits[1] = -1e30;
        if (tokens.size() == 1) logits[2] = -1e30;
        const auto best = logits.argmax().item<std::int64_t>();
        tokens.push_back(best);
        if (best == 2) break;
      }
      tokens.erase(tokens.begin());
      if (tokens.back() != 2) tokens.push_back(2);
      QVERIFY(results[static_cast<std::size_t>(row)][0].tokens == tokens);
    }
  }

  void refusals() {
    const ModelInputs inputs{{"source_vocabulary", 30}, {"target_vocabulary", kPieces}};
    const torch::TensorOptions tensors(torch::kFloat32);
    const auto shared = buildModel(engineOptions(smallSizes({})), inputs, tensors);
    QVERIFY(!shared.ok());
    QCOMPARE(shared.error().key, std::string("model.encoder_decoder.embedding_sharing"));
    QVERIFY(buildModel(engineOptions(smallSizes({"model.encoder_decoder.embedding_sharing=decoder"})), inputs,
                       tensors)
                .ok());
    OptionValues odd = engineOptions(smallSizes({}));
    QVERIFY(odd.setText("model.heads=3").ok());
    QVERIFY(!odd.check().ok());
    OptionValues profile = engineOptions({"init=admin_profile"});
    const Status refused = profile.check();
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("nothing to profile") != std::string::npos);
    const auto model = makeModel({"model.encoder_decoder.max_positions=4"}, torch::kFloat32);
    QVERIFY_THROWS_EXCEPTION(Failure, sequence(model).encode(kSource, StepContext()));
    std::map<std::string, torch::Tensor> weights;
    for (const auto& [name, tensor] : model->parameters().state()) weights[name] = tensor;
    weights.erase("encoder.layers.0.self_attention.query.weight");
    const Status loaded = model->parameters().load(weights);
    QVERIFY(loaded.error().message.find("encoder.layers.0.self_attention.query.weight") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestEncoderDecoder)
#include "tst_encoder_decoder.moc"
