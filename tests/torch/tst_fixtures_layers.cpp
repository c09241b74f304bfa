// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/error.h"
#include "core/init/t_fixup.h"
#include "tests/torch/support_layer_case.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

void compareActivations(const TensorCase& layerCase, const ActivationRecorder& recorder, double tolerance) {
  int compared = 0;
  for (const auto& [name, expected] : layerCase.tensors) {
    if (name.compare(0, 11, "activation.") != 0) continue;
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

// RealFormer cases also hold the results of the other chain rules with the same parameters.
void compareOtherChains(const TensorCase& layerCase, double tolerance) {
  for (const std::string chain : {"none", "sum", "mean"}) {
    const std::string prefix = "output.chain_" + chain;
    if (!layerCase.has(prefix + ".logits")) continue;
    const auto model = translationModel(layerCase, chain);
    const torch::Tensor logits = logitsOf(*model, layerCase, StepContext());
    const std::string difference = layersDifference(logits, layerCase.at(prefix + ".logits"), tolerance);
    QVERIFY2(difference.empty(), (layerCase.name + " " + prefix + ": " + difference).c_str());
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

struct BertResults {
  torch::Tensor mlmLogits, nspLogits, loss;
};

BertResults runBert(const Bert& model, const TensorCase& layerCase, const StepContext& context,
                    ActivationRecorder* recorder) {
  const TextBatch batch{layerCase.at("input.tokens"), layerCase.at("input.segments"),
                        layerCase.at("input.mask").eq(0)};
  const torch::Tensor positions = layerCase.at("input.mlm_positions"),
                      weights = layerCase.at("input.mlm_weights");
  const torch::Tensor rows =
      at::arange(batch.tokens.size(0), torch::kInt64).unsqueeze(1) * batch.tokens.size(1);
  const torch::Tensor hidden = model.hidden(batch, context);
  const torch::Tensor pooled = model.pooled(hidden);
  const torch::Tensor masked = model.maskedHidden(hidden, (positions + rows).view(-1));
  if (recorder) {
    const std::int64_t width = masked.size(-1);
    recorder->values["activation.embedding.sum"] = model.embedded(batch).detach();
    recorder->values["activation.pooler.output"] = pooled.detach();
    recorder->values["activation.mlm.transform.output"] =
        masked.detach().view({positions.size(0), positions.size(1), width});
  }
  BertResults results;
  results.mlmLogits = at::linear(masked, model.maskedWeight(), model.maskedBias())
                          .view({positions.size(0), positions.size(1), -1});
  results.nspLogits = model.nextSentenceLogits(pooled);
  const torch::Tensor nll = -at::log_softmax(results.mlmLogits, -1)
                                 .gather(-1, layerCase.at("input.mlm_labels").unsqueeze(-1))
                                 .squeeze(-1);
  const torch::Tensor next = -at::log_softmax(results.nspLogits, -1)
                                  .gather(-1, layerCase.at("input.nsp_labels").unsqueeze(-1))
                                  .mean();
  results.loss = (nll * weights).sum() / (weights.sum() + 1e-5) + next;
  return results;
}

void checkBert(const TensorCase& layerCase, double outputs, double gradients) {
  const auto model = bertModel(layerCase, layerCase.json.at("configuration").at("chain").get<std::string>());
  ActivationRecorder recorder;
  StepContext context;
  for (const bool watched : {true, false}) {
    context.observer = watched ? &recorder : nullptr;
    model->parameters().zeroGradients();
    const BertResults results = runBert(*model, layerCase, context, watched ? &recorder : nullptr);
    if (watched) compareActivations(layerCase, recorder, outputs);
    const std::pair<torch::Tensor, const char*> compared[] = {{results.mlmLogits, "output.mlm_logits"},
                                                              {results.nspLogits, "output.nsp_logits"},
                                                              {results.loss.view(1), "output.loss"}};
    for (const auto& [own, key] : compared) {
      const std::string difference = layersDifference(own, layerCase.at(key), outputs);
      QVERIFY2(difference.empty(), (layerCase.name + " " + key + ": " + difference).c_str());
    }
    results.loss.backward();
    compareGradients(layerCase, model->parameters(), gradients);
  }
}

void checkStack(const TensorCase& layerCase, double outputs, double gradients) {
  const auto lone = loneStack(layerCase, layerCase.json.at("configuration").at("chain").get<std::string>());
  ActivationRecorder recorder;
  StepContext context;
  context.observer = &recorder;
  const torch::Tensor output = lone->forward(layerCase, context);
  compareActivations(layerCase, recorder, outputs);
  const torch::Tensor real = layerCase.at("input.mask").to(torch::kFloat64).unsqueeze(-1);
  const torch::Tensor loss = 0.5 * ((output - layerCase.at("input.target")).square() * real).sum();
  const std::string difference = layersDifference(loss.view(1), layerCase.at("output.loss"), outputs);
  QVERIFY2(difference.empty(), (layerCase.name + " loss: " + difference).c_str());
  loss.backward();
  compareGradients(layerCase, lone->store, gradients);
}

}  // namespace

class TestFixturesLayers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void layerCase_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("layers");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
    if (all.empty()) QTest::newRow("none") << -1;
  }
  void layerCase() {
    QFETCH(int, index);
    if (index < 0) QSKIP("no fixtures");
    const TensorCase layerCase = readCase(cases("layers")[static_cast<std::size_t>(index)]);
    const Json& configuration = layerCase.json.at("configuration");
    const std::string missing = missingFor(configuration);
    QVERIFY2(missing.empty(), (layerCase.name + " needs " + missing).c_str());
    const double outputs = layerCase.json.at("tolerance").at("outputs").get<double>();
    const double gradients = layerCase.json.at("tolerance").at("gradients").get<double>();
    if (configuration.at("model").get<std::string>() == "encoder_decoder") {
      checkTranslation(layerCase, outputs, gradients);
    } else if (configuration.at("model").get<std::string>() == "bert") {
      checkBert(layerCase, outputs, gradients);
    } else {
      checkStack(layerCase, outputs, gradients);
    }
  }
};

QTEST_APPLESS_MAIN(TestFixturesLayers)
#include "tst_fixtures_layers.moc"
