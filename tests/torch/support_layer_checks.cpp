// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_layer_checks.h"

#include <QTest>

#include "core/base/errors/error.h"
#include "core/init/t_fixup.h"
#include "core/nn/sinusoid_positions.h"
#include "core/objectives/label_smoothed_cross_entropy.h"

namespace fathom::fixtures {

void compareActivations(const TensorCase& layerCase, const ActivationRecorder& recorder, double tolerance) {
  int compared = 0;
  for (const auto& [rest, expected] : layerCase.beginning("activation.")) {
    const std::string name = "activation." + rest;
    const auto found = recorder.values.find(name);
    QVERIFY2(found != recorder.values.end(), (layerCase.name + ": no " + name).c_str());
    const std::string difference = layersDifference(found->second, expected, tolerance);
    QVERIFY2(difference.empty(), (layerCase.name + " " + name + ": " + difference).c_str());
    ++compared;
  }
  QVERIFY(compared > 0);
}

void compareGradients(const TensorCase& layerCase, const ParameterStore& store, double tolerance) {
  for (const Parameter& parameter : store.parameters()) {
    const torch::Tensor gradient = store.gradient(parameter);
    QVERIFY2(gradient.defined(), parameter.info.name.c_str());
    const std::string difference =
        layersDifference(gradient, layerCase.at("gradient." + parameter.info.name), tolerance);
    QVERIFY2(difference.empty(),
             (layerCase.name + " gradient." + parameter.info.name + ": " + difference).c_str());
  }
}

torch::Tensor logitsOf(const EncoderDecoder& model, const TensorCase& layerCase, const StepContext& context) {
  const EncoderMemory memory = model.encode(layerCase.at("input.source_tokens"), context);
  return model.logits(model.decoderHidden(memory, layerCase.at("input.decoder_tokens"), context));
}

torch::Tensor lossOf(const torch::Tensor& logits, const TensorCase& layerCase) {
  return smoothedLoss(logits, layerCase.at("input.target_tokens"), layerCase.at("input.target_mask"),
                      layerCase.json.at("configuration").at("label_smoothing").get<double>());
}

void compareOne(const TensorCase& layerCase, const torch::Tensor& own, const std::string& key,
                double tolerance) {
  const torch::Tensor expected = layerCase.at(key);
  const std::string difference = layersDifference(own.reshape(expected.sizes()), expected, tolerance);
  QVERIFY2(difference.empty(), (layerCase.name + " " + key + ": " + difference).c_str());
}

// The losses by the objective's own function: the projection is the identity here.
SmoothedLoss ownLoss(const TensorCase& layerCase, const torch::Tensor& logits, const torch::Tensor& targets,
                     LabelSmoothingRule rule) {
  const Json& configuration = layerCase.json.at("configuration");
  const std::int64_t vocabulary = logits.size(-1);
  return projectedSmoothedLoss(
      logits.detach().reshape({-1, vocabulary}), torch::eye(vocabulary, torch::kFloat64), targets.flatten(),
      configuration.at("pad").get<std::int64_t>(), {configuration.at("label_smoothing").get<double>(), rule});
}

void compareLosses(const TensorCase& layerCase, const torch::Tensor& logits, double tolerance) {
  const torch::Tensor targets = layerCase.at("input.target_tokens");
  const SmoothedLoss older = ownLoss(layerCase, logits, targets, LabelSmoothingRule::Uniform);
  compareOne(layerCase, older.lossSum, "output.loss", tolerance);
  compareOne(layerCase, older.nllSum, "output.nll", tolerance);
  compareOne(layerCase, ownLoss(layerCase, logits, targets, LabelSmoothingRule::ExcludeTarget).lossSum,
             "output.loss_fairseq_main", tolerance);
  torch::Tensor each = at::zeros({targets.numel()}, torch::kFloat64);
  const torch::Tensor rows = logits.reshape({targets.numel(), -1}), flat = targets.flatten();
  for (std::int64_t row = 0; row < targets.numel(); ++row)
    each[row] =
        ownLoss(layerCase, rows.narrow(0, row, 1), flat.narrow(0, row, 1), LabelSmoothingRule::Uniform)
            .lossSum;
  compareOne(layerCase, each, "output.loss_per_position", tolerance);
}

// Masks, positions and the table of sinusoids are the model's own: it gets the tokens alone.
void compareInputs(const TensorCase& layerCase, double tolerance) {
  const std::int64_t pad = layerCase.json.at("configuration").at("pad").get<std::int64_t>();
  const torch::Tensor source = layerCase.at("input.source_tokens");
  QVERIFY(source.ne(pad).to(torch::kUInt8).equal(layerCase.at("input.source_mask")));
  QVERIFY(positionIds(source, pad).equal(layerCase.at("input.source_positions")));
  QVERIFY(
      positionIds(layerCase.at("input.decoder_tokens"), pad).equal(layerCase.at("input.decoder_positions")));
  const torch::Tensor table = layerCase.at("input.position_table");
  const torch::Tensor own =
      sinusoidTable(table.size(0), table.size(1), pad, torch::TensorOptions(torch::kFloat64));
  compareOne(layerCase, own, "input.position_table", tolerance);
}

// RealFormer cases also hold the results of the other chain rules with the same parameters.
void compareOtherChains(const TensorCase& layerCase, double tolerance) {
  for (const std::string chain : {"none", "sum", "mean"}) {
    const std::string prefix = "output.chain_" + chain;
    if (!layerCase.has(prefix + ".logits")) continue;
    const auto model = translationModel(layerCase, chain);
    const torch::Tensor logits = logitsOf(*model, layerCase, StepContext());
    compareOne(layerCase, logits, prefix + ".logits", tolerance);
    compareOne(layerCase, lossOf(logits, layerCase), prefix + ".loss", tolerance);
  }
}

// T-Fixup cases also hold the tensors before scaling.
void checkTFixupScaling(const TensorCase& layerCase, double tolerance) {
  const auto model = translationModel(layerCase, "none");
  ParameterStore& store = model->parameters();
  int scaled = 0;
  for (const Parameter& parameter : store.parameters()) {
    if (!layerCase.has("before_scaling." + parameter.info.name)) continue;
    store.value(parameter).copy_(layerCase.at("before_scaling." + parameter.info.name));
    ++scaled;
  }
  if (scaled == 0) return;
  const OptionValues options = engineOptions();
  InitTarget target{*model, options, 1, {}, {}, 0, nullptr};
  scaleTFixup(target, true);
  for (const Parameter& parameter : store.parameters()) {
    const std::string difference =
        layersDifference(store.value(parameter), layerCase.at("parameter." + parameter.info.name), tolerance);
    QVERIFY2(difference.empty(),
             (layerCase.name + " scaled " + parameter.info.name + ": " + difference).c_str());
  }
}

void checkTranslation(const TensorCase& layerCase, double outputs, double gradients) {
  const Json& configuration = layerCase.json.at("configuration");
  const std::string chain = configuration.at("chain").get<std::string>();
  ActivationRecorder recorder;
  StepContext context;
  context.observer = &recorder;
  const auto model = translationModel(layerCase, chain);
  const torch::Tensor logits = logitsOf(*model, layerCase, context);
  compareActivations(layerCase, recorder, outputs);
  std::string difference = layersDifference(logits, layerCase.at("output.logits"), outputs);
  QVERIFY2(difference.empty(), (layerCase.name + " logits: " + difference).c_str());
  const torch::Tensor loss = lossOf(logits, layerCase);
  difference = layersDifference(loss.view(1), layerCase.at("output.loss"), outputs);
  QVERIFY2(difference.empty(), (layerCase.name + " loss: " + difference).c_str());
  compareLosses(layerCase, logits, outputs);
  if (layerCase.has("input.position_table")) compareInputs(layerCase, outputs);
  loss.backward();
  compareGradients(layerCase, model->parameters(), gradients);
  // The fused kernels, which run when nobody watches, give the same values and gradients.
  model->parameters().zeroGradients();
  const torch::Tensor unwatched = logitsOf(*model, layerCase, StepContext());
  difference = layersDifference(unwatched, layerCase.at("output.logits"), outputs);
  QVERIFY2(difference.empty(), (layerCase.name + " fused logits: " + difference).c_str());
  lossOf(unwatched, layerCase).backward();
  compareGradients(layerCase, model->parameters(), gradients);
  compareOtherChains(layerCase, outputs);
  checkTFixupScaling(layerCase, outputs);
}

}  // namespace fathom::fixtures
