// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/base/errors/error.h"
#include "tests/torch/support_layer_checks.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

struct BertResults {
  torch::Tensor mlmLogits, nspLogits, mlmLoss, nspLoss, loss;
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
  results.mlmLoss = (nll * weights).sum() / (weights.sum() + 1e-5);
  results.nspLoss = next;
  results.loss = results.mlmLoss + next;
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
                                                              {results.mlmLoss.view(1), "output.mlm_loss"},
                                                              {results.nspLoss.view(1), "output.nsp_loss"},
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
  void initTestCase() {
    if (const std::string why = absence({"layers"}); !why.empty()) QSKIP(why.c_str());
  }
  void layerCase_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("layers");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }
  void layerCase() {
    QFETCH(int, index);
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

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("layers");
    QVERIFY2(unread.empty(), unread.c_str());
  }
};

QTEST_APPLESS_MAIN(TestFixturesLayers)
#include "tst_fixtures_layers.moc"
