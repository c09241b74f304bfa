// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_axis_kinds.h"

#include "core/init/initialisation.h"
#include "core/nn/models/bert.h"
#include "core/nn/models/extra_layers.h"
#include "core/objectives/label_smoothed_cross_entropy.h"
#include "core/train/parts/run_options.h"

namespace fathom::test {

namespace {

torch::Tensor idRows(const Model& model, std::initializer_list<std::int64_t> values, std::int64_t rows) {
  return at::tensor(at::ArrayRef<std::int64_t>(values), torch::kInt64)
      .view({rows, -1})
      .to(model.parameters().options().device());
}
torch::Tensor idList(const Model& model, std::initializer_list<std::int64_t> values) {
  return idRows(model, values, 1).view({-1});
}

// A network that trains fits it better and better.
torch::Tensor translationLoss(const Model& model, const StepContext& context) {
  const auto& sequence = dynamic_cast<const SequenceModel&>(model);
  const torch::Tensor source = idRows(model, {1, 5, 6, 7, 2, 8, 9, 10, 11, 2}, 2);
  const torch::Tensor shifted = idRows(model, {2, 9, 8, 7, 2, 5, 6, 1}, 2),
                      target = idRows(model, {9, 8, 7, 2, 5, 6, 2, 1}, 2);
  const torch::Tensor hidden = sequence.decoderHidden(sequence.encode(source, context), shifted, context);
  return projectedSmoothedLoss(hidden.flatten(0, 1), sequence.outputWeight(), target.flatten(), 1, {.1, {}})
      .lossSum;
}

torch::Tensor maskedLoss(const Model& model, const StepContext& context) {
  const auto& bert = dynamic_cast<const EncoderModel&>(model);
  const TextBatch batch{idRows(model, {3, 4, 5, 6, 7, 3, 8, 2, 0, 0}, 2),
                        idRows(model, {0, 0, 0, 1, 1, 0, 1, 1, 0, 0}, 2),
                        idRows(model, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, 2).to(torch::kBool)};
  const torch::Tensor hidden = bert.hidden(batch, context);
  const torch::Tensor rows = bert.maskedHidden(hidden, idList(model, {1, 3, 6}));
  const SmoothedLoss masked = projectedSmoothedLoss(rows, bert.maskedWeight(), idList(model, {4, 9, 12}), -1,
                                                    {}, 0, bert.maskedBias());
  return masked.lossSum +
         at::cross_entropy_loss(bert.nextSentenceLogits(bert.pooled(hidden)), idList(model, {0, 1}));
}

// Long and global stream: the masked words alone, the model has no other head.
torch::Tensor longLoss(const Model& model, const StepContext& context) {
  const auto& etc = dynamic_cast<const EncoderModel&>(model);
  const TextBatch batch{idRows(model, {3, 4, 5, 6, 7, 3, 8, 2, 0, 0}, 2),
                        idRows(model, {0, 0, 0, 1, 1, 0, 1, 1, 0, 0}, 2),
                        idRows(model, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, 2).to(torch::kBool)};
  const torch::Tensor rows = etc.maskedHidden(etc.hidden(batch, context), idList(model, {1, 3, 6}));
  return projectedSmoothedLoss(rows, etc.maskedWeight(), idList(model, {4, 9, 12}), -1, {}, 0,
                               etc.maskedBias())
      .lossSum;
}

torch::Tensor featureLoss(const Model& model, const StepContext& context) {
  const auto& layers = dynamic_cast<const ExtraLayers&>(model);
  const auto wave = [&](torch::IntArrayRef shape, double step) {
    const std::int64_t count = at::empty(shape, torch::TensorOptions().device(torch::kMeta)).numel();
    return at::arange(count, torch::kFloat32).mul(step).sin().view(shape).to(model.parameters().options());
  };
  const ExtraLayers::Features features{
      {wave({2, 3, 12}, .7), wave({2, 2, 6}, 1.3)},
      idRows(model, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 2).to(torch::kBool),
      at::arange(50, torch::kInt64).remainder(5).view({2, 5, 5}).to(model.parameters().options().device())};
  const torch::Tensor real = features.padding.logical_not().unsqueeze(-1);
  const torch::Tensor wanted = wave({2, 5, 16}, .37);
  return (layers.forward(features, context) - wanted).square().mul(real).sum();
}

}  // namespace

const std::vector<AxisKind>& axisKinds() {
  static const std::vector<AxisKind> all = {
      {"translation", {"model=encoder_decoder"}, {"encoder", "decoder"}, translationLoss},
      {"translation, relations",
       {"model=encoder_decoder", "encoder.attention=relation_aware", "decoder.attention=relation_aware"},
       {"encoder", "decoder"},
       translationLoss},
      {"bert", {"model=bert"}, {"encoder"}, maskedLoss},
      {"bert, relations", {"model=bert", "encoder.attention=relation_aware"}, {"encoder"}, maskedLoss},
      {"etc", {"model=etc", "encoder.attention=global_local"}, {"encoder"}, longLoss},
      {"extra layers", {"model=extra_layers"}, {"extra"}, maskedLoss},
      {"extra layers, relations",
       {"model=extra_layers", "extra.attention=relation_aware"},
       {"extra"},
       maskedLoss},
      {"given features", {"model=extra_layers", "extra.attention=relation_aware"}, {"extra"}, featureLoss}};
  return all;
}

std::vector<std::string> axisAssignments(const AxisKind& kind, const std::string& scheme,
                                         const std::string& chain, const std::string& init) {
  std::vector<std::string> all = kind.options;
  all.insert(all.end(), {"model.width=16", "model.heads=2", "model.feed_forward=32", "encoder.layers=2",
                         "decoder.layers=2", "extra.layers=2", "model.bert.max_positions=8",
                         "model.extra_layers.heads=2", "model.extra_layers.feed_forward=32",
                         "model.extra_layers.relation_types=5", "model.etc.global_run=2",
                         "encoder.attention.global_local.radius=1", "model.dropout=0", "init=" + init,
                         "optimizer=adam", "optimizer.beta2=0.98"});
  for (const std::string& stack : kind.stacks) {
    all.push_back(stack + ".residual=" + scheme);
    all.push_back(stack + ".self_attention.score_chain=" + chain);
    const bool measured = init == "by_scheme" || init == "admin_profile";
    if (scheme == "admin" && !measured) all.push_back(stack + ".residual.admin.omega=output_log");
  }
  if (kind.stacks.size() == 2) all.push_back("decoder.cross_attention.score_chain=" + chain);
  return all;
}

bool axisInitFits(const std::string& init, const std::string& scheme, const AxisKind& kind) {
  if (init == "admin_profile") return scheme == "admin";
  if (init == "look_linear") return scheme == "post_ln";
  if (init == "dt_fixup")
    return scheme == "unnormalised" && kind.loss != translationLoss && kind.loss != longLoss;
  return true;
}

std::unique_ptr<Model> axisNetwork(const AxisKind& kind, const OptionValues& options,
                                   const torch::TensorOptions& tensors) {
  if (kind.loss == featureLoss)
    return std::make_unique<ExtraLayers>(std::vector<FeaturePart>{{"question", 12}, {"schema", 6}},
                                         extraStackConfiguration(options), options, tensors);
  return buildModel(options, ModelInputs::ofVocabulary(kAxisPieces), tensors).value();
}

void fillAxisNetwork(Model& model, const AxisKind& kind, const OptionValues& options) {
  const auto pass = [&](std::int64_t, const StepContext& context) {
    const at::NoGradGuard noGrad;
    kind.loss(model, context);
  };
  initialiseModel(model, options, 3, pass, 1).value();
}

}  // namespace fathom::test
