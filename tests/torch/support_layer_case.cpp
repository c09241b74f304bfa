// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_layer_case.h"

#include <algorithm>

#include "core/base/errors/error.h"

namespace fathom::fixtures {

namespace {
std::string activation(const SublayerSite& site, const char* what) {
  return "activation." + site.name() + "." + what;
}

MaskStyle maskStyle(const Json& configuration) {
  const std::string style = configuration.at("mask").get<std::string>();
  if (style == "add_minus_10000") return MaskStyle::AddMinus10000;
  return style == "set_minus_1e9" ? MaskStyle::SetMinus1e9 : MaskStyle::MinusInfinity;
}

StackConfiguration stackOf(const Json& configuration, StackKind kind, const std::string& chain,
                           bool fusedKernel) {
  StackConfiguration stack;
  stack.setup.kind = kind;
  stack.setup.encoderLayers = configuration.value("encoder_layers", 0);
  stack.setup.decoderLayers = configuration.value("decoder_layers", 0);
  stack.setup.width = configuration.at("d_model").get<std::int64_t>();
  stack.setup.normEps = configuration.at("eps").get<double>();
  stack.setup.finalNorm = configuration.value("final_layer_norm", false);
  stack.setup.sublayers = {SublayerKind::SelfAttention};
  if (kind == StackKind::Decoder) stack.setup.sublayers.push_back(SublayerKind::CrossAttention);
  stack.setup.sublayers.push_back(SublayerKind::FeedForward);
  stack.residual = configuration.at(std::string(stackName(kind)) + "_scheme").get<std::string>();
  stack.attention = configuration.at("attention").get<std::string>();
  stack.selfAttention.heads = configuration.at("heads").get<std::int64_t>();
  stack.selfAttention.chain = valueOf(kScoreChains, chain);
  stack.selfAttention.fusedKernel = fusedKernel;
  stack.selfAttention.relationTypes = configuration.value("relation_types", 0);
  // Relational and vanilla stacks of the SQL encoder have no bias in query, key and value maps.
  stack.selfAttention.queryKeyValueBias = !configuration.contains("relation_types");
  stack.crossAttention = stack.selfAttention;
  stack.feedForward = configuration.at("feed_forward").get<std::int64_t>();
  stack.activation = valueOf(kActivations, configuration.at("activation").get<std::string>());
  return stack;
}

std::map<std::string, torch::Tensor> parametersOf(const TensorCase& layerCase) {
  return layerCase.beginning("parameter.");
}

EmbeddingSharing sharingOf(const TensorCase& layerCase) {
  if (layerCase.has("parameter.encoder.embedding.token.weight")) {
    return layerCase.has("parameter.output_projection.weight") ? EmbeddingSharing::None
                                                               : EmbeddingSharing::Decoder;
  }
  return layerCase.has("parameter.output_projection.weight") ? EmbeddingSharing::Inputs
                                                             : EmbeddingSharing::All;
}
}  // namespace

void ActivationRecorder::stackInput(StackKind stack, const torch::Tensor& x) {
  values[std::string("activation.") + stackName(stack) + ".input"] = x.detach();
}

void ActivationRecorder::stackOutput(StackKind stack, const torch::Tensor& y) {
  values[std::string("activation.") + stackName(stack) + ".output"] = y.detach();
}

void ActivationRecorder::sublayer(const SublayerRecord& record) {
  values[activation(record.site, "branch_input")] = record.branchInput.detach();
  values[activation(record.site, "branch_output")] = record.branchOutput.detach();
  values[activation(record.site, "output")] = record.output.detach();
}

void ActivationRecorder::attention(const AttentionRecord& record) {
  values[activation(record.site, "scores")] = record.scores.detach();
  values[activation(record.site, "chain")] = record.chain.detach();
  values[activation(record.site, "masked_scores")] = record.maskedScores.detach();
  values[activation(record.site, "probabilities")] = record.probabilities.detach();
}

std::string missingFor(const Json& configuration) {
  const std::string model = configuration.at("model").get<std::string>();
  const auto& known = {"encoder_decoder", "bert", "encoder", "vanilla_stack", "relation_aware_stack"};
  if (std::find(known.begin(), known.end(), model) == known.end()) return "model " + model;
  const std::string attention = configuration.at("attention").get<std::string>();
  const auto& attentions = attentionEntries();
  if (std::none_of(attentions.begin(), attentions.end(),
                   [&](const auto& entry) { return entry.id == attention; })) {
    return "attention " + attention;
  }
  for (const char* key : {"encoder_scheme", "decoder_scheme"}) {
    if (!configuration.contains(key)) continue;
    const std::string scheme = configuration.at(key).get<std::string>();
    const auto& schemes = residualEntries();
    if (std::none_of(schemes.begin(), schemes.end(), [&](const auto& entry) { return entry.id == scheme; })) {
      return "residual scheme " + scheme;
    }
  }
  return {};
}

std::unique_ptr<EncoderDecoder> translationModel(const TensorCase& layerCase, const std::string& chain,
                                                 bool fusedKernel) {
  const Json& configuration = layerCase.json.at("configuration");
  EncoderDecoderConfiguration model;
  model.encoder = stackOf(configuration, StackKind::Encoder, chain, fusedKernel);
  model.decoder = stackOf(configuration, StackKind::Decoder, chain, fusedKernel);
  model.sharing = sharingOf(layerCase);
  model.maxPositions = 64;
  model.inputs.padId = configuration.at("pad").get<std::int64_t>();
  model.inputs.eosId = configuration.at("eos").get<std::int64_t>();
  model.inputs.sourceVocabulary = model.inputs.targetVocabulary =
      configuration.at("vocabulary").get<std::int64_t>();
  model.inputs.jointVocabulary = true;
  auto result =
      std::make_unique<EncoderDecoder>(model, engineOptions(), torch::TensorOptions(torch::kFloat64));
  result->parameters().load(parametersOf(layerCase)).value();
  for (const StackKind stack : {StackKind::Encoder, StackKind::Decoder}) {
    const std::string own = "input." + std::string(EncoderDecoder::positionTable(stack));
    if (layerCase.has(own))
      result->parameters().setBuffer(EncoderDecoder::positionTable(stack), layerCase.at(own));
  }
  return result;
}

std::unique_ptr<Bert> bertModel(const TensorCase& layerCase, const std::string& chain) {
  const Json& configuration = layerCase.json.at("configuration");
  BertConfiguration model;
  model.encoder = stackOf(configuration, StackKind::Encoder, chain, true);
  model.vocabulary = configuration.at("vocabulary").get<std::int64_t>();
  model.maxPositions = configuration.at("max_positions").get<std::int64_t>();
  model.segments = configuration.at("segments").get<std::int64_t>();
  model.embeddingLayerNorm = configuration.at("embedding_layer_norm").get<bool>();
  auto result = std::make_unique<Bert>(model, engineOptions(), torch::TensorOptions(torch::kFloat64));
  result->parameters().load(parametersOf(layerCase)).value();
  return result;
}

std::unique_ptr<LoneStack> loneStack(const TensorCase& layerCase, const std::string& chain,
                                     torch::ScalarType type) {
  auto lone = std::make_unique<LoneStack>(LoneStack{ParameterStore(torch::TensorOptions(type)), nullptr});
  const StackConfiguration stack =
      stackOf(layerCase.json.at("configuration"), StackKind::Encoder, chain, true);
  lone->stack = std::make_unique<TransformerStack>(lone->store, stack, engineOptions());
  lone->store.load(parametersOf(layerCase)).value();
  return lone;
}

torch::Tensor LoneStack::forward(const TensorCase& layerCase, const StepContext& context) const {
  const Json& configuration = layerCase.json.at("configuration");
  const torch::Tensor x = layerCase.at("input.x").to(store.options().dtype()),
                      padding = layerCase.at("input.mask").eq(0);
  const MaskStyle style = maskStyle(configuration);
  // Relational stacks mask pairs, encoders mask keys.
  const AttentionMask mask = configuration.contains("relation_types")
                                 ? makePairMask(padding, style, store.options())
                                 : makeAttentionMask(padding, false, x.size(1), style, store.options());
  const torch::Tensor none;
  const torch::Tensor relations = layerCase.has("input.relations") ? layerCase.at("input.relations") : none;
  return stack->forward(x, {mask, none, mask, relations}, context);
}

torch::Tensor smoothedLoss(const torch::Tensor& logits, const torch::Tensor& targets,
                           const torch::Tensor& mask, double smoothing) {
  const torch::Tensor logProbabilities = at::log_softmax(logits, -1);
  const torch::Tensor nll = -logProbabilities.gather(-1, targets.unsqueeze(-1)).squeeze(-1);
  const torch::Tensor even = -logProbabilities.sum(-1) / static_cast<double>(logits.size(-1));
  return ((nll * (1 - smoothing) + even * smoothing) * mask.to(logits.scalar_type())).sum();
}

}  // namespace fathom::fixtures
