// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/stack_options.h"

#include "core/base/options/field_builder.h"
#include "core/nn/attention/relative_positions.h"
#include "core/nn/models/model_choice.h"

namespace fathom {

std::vector<OptionField> stackOptionFields(StackKind kind) {
  const bool decoder = kind == StackKind::Decoder, extra = kind == StackKind::Extra;
  const std::string prefix = stackName(kind);
  const std::string title = decoder ? "Decoder" : extra ? "Extra" : "Encoder";
  std::vector<OptionField> fields = joinedFields(
      {{integerField(
            prefix + ".layers", title + " layers",
            extra ? "Number of layers on top of the encoder." : "Number of layers of the " + prefix + ".", 6)
            .unit("layers")
            .between(1, 1000)
            .group("Model")},
       residualOptionFields(prefix, title + " residual scheme"),
       attentionOptionFields(prefix, title + " attention"),
       {scoreChainField(prefix + ".self_attention.score_chain", title + " self-attention score chain")}});
  if (decoder)
    fields.push_back(scoreChainField(prefix + ".cross_attention.score_chain", "Cross-attention score chain"));
  return fields;
}

std::vector<OptionField> sharedOptionFields() {
  const auto probability = [](const char* key, const char* title, const char* help, double value) {
    return realField(key, title, help, value).atLeast(0).below(1).off(0.0);
  };
  return inGroup(
      "Model",
      {integerField("model.width", "Width d", "Entries of a hidden vector.", 512).between(2, 65536),
       integerField("model.heads", "Heads h", "Attention heads; the width must be a multiple.", 8)
           .between(1, 1024),
       integerField("model.feed_forward", "Feed-forward width f",
                    "Hidden entries of the feed-forward sub-layer.", 2048)
           .between(1, 1 << 20),
       choiceField("model.activation", "Activation", "Non-linearity of the feed-forward sub-layer.",
                   choicesOf(kActivations)),
       probability("model.dropout", "Dropout", "On the embedded input and on every branch output.", 0.1),
       probability("model.attention_dropout", "Attention dropout", "On attention probabilities.", 0.0),
       probability("model.activation_dropout", "Activation dropout", "Inside the feed-forward sub-layer.",
                   0.0),
       flagField(
           "model.fused_attention", "Fused attention",
           "Use a fused attention kernel where nobody needs the scores; results differ by rounding only.",
           true)});
}

std::vector<OptionRule> sharedOptionRules() {
  return {{.when = {{"model.width", OptionClause::Test::NotMultiple, {Json{{"key", "model.heads"}}}}},
           .reason = "the width must be a multiple of the number of heads",
           .keys = {"model.width", "model.heads"}},
          {.when = {modelNotGiving(Representation::States),
                    {"encoder.attention", OptionClause::Test::In, {"global_local"}}},
           .reason = "global-local attention joins a long and a global stream: choose the model ETC",
           .keys = {"model", "encoder.attention"}}};
}

StackConfiguration stackConfiguration(const OptionValues& options, StackKind kind) {
  const bool decoder = kind == StackKind::Decoder;
  const std::string prefix = stackName(kind);
  StackConfiguration configuration;
  StackSetup& setup = configuration.setup;
  setup.kind = kind;
  (decoder ? setup.decoderLayers : setup.encoderLayers) = options.integer(prefix + ".layers");
  setup.width = options.integer("model.width");
  setup.sublayers = {SublayerKind::SelfAttention};
  if (decoder) setup.sublayers.push_back(SublayerKind::CrossAttention);
  setup.sublayers.push_back(SublayerKind::FeedForward);
  setup.dropout = options.real("model.dropout");
  configuration.residual = options.text(prefix + ".residual");
  configuration.attention = options.text(prefix + ".attention");
  AttentionSetup& self = configuration.selfAttention;
  self.width = setup.width;
  self.heads = options.integer("model.heads");
  self.dropout = options.real("model.attention_dropout");
  self.fusedKernel = options.flag("model.fused_attention");
  self.chain = valueOf(kScoreChains, options.text(prefix + ".self_attention.score_chain"));
  configuration.crossAttention = self;
  configuration.relativeDistance = relativeDistance(options, prefix);
  self.relationTypes = relativeTypes(configuration.relativeDistance);
  if (decoder) {
    configuration.crossAttention.chain =
        valueOf(kScoreChains, options.text(prefix + ".cross_attention.score_chain"));
  }
  configuration.feedForward = options.integer("model.feed_forward");
  configuration.activation = valueOf(kActivations, options.text("model.activation"));
  configuration.activationDropout = options.real("model.activation_dropout");
  return configuration;
}

}  // namespace fathom
