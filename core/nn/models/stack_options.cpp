// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/stack_options.h"

#include "core/nn/attention/relative_positions.h"
#include "core/nn/field_builder.h"

namespace fathom {

std::vector<OptionField> stackOptionFields(StackKind kind) {
  const bool decoder = kind == StackKind::Decoder, extra = kind == StackKind::Extra;
  const std::string prefix = stackName(kind);
  const std::string title = decoder ? "Decoder" : extra ? "Extra" : "Encoder";
  std::vector<OptionField> fields = {
      FieldBuilder(prefix + ".layers", OptionType::Integer, 6)
          .title(title + " layers")
          .help(extra ? "Number of layers on top of the encoder." : "Number of layers of the " + prefix + ".")
          .unit("layers")
          .atLeast(1)
          .atMost(1000)
          .group("Model")};
  for (OptionField& field : residualOptionFields(prefix, title + " residual scheme"))
    fields.push_back(std::move(field));
  for (OptionField& field : attentionOptionFields(prefix, title + " attention"))
    fields.push_back(std::move(field));
  fields.push_back(
      scoreChainField(prefix + ".self_attention.score_chain", title + " self-attention score chain"));
  if (decoder)
    fields.push_back(scoreChainField(prefix + ".cross_attention.score_chain", "Cross-attention score chain"));
  return fields;
}

std::vector<OptionField> sharedOptionFields() {
  const auto probability = [](const char* key, const char* title, const char* help, double value) {
    return FieldBuilder(key, OptionType::Real, value)
        .title(title)
        .help(help)
        .atLeast(0)
        .below(1)
        .off(0.0)
        .group("Model");
  };
  return {
      FieldBuilder("model.width", OptionType::Integer, 512)
          .title("Width d")
          .help("Entries of a hidden vector.")
          .atLeast(2)
          .atMost(65536)
          .group("Model"),
      FieldBuilder("model.heads", OptionType::Integer, 8)
          .title("Heads h")
          .help("Attention heads; the width must be a multiple.")
          .atLeast(1)
          .atMost(1024)
          .group("Model"),
      FieldBuilder("model.feed_forward", OptionType::Integer, 2048)
          .title("Feed-forward width f")
          .help("Hidden entries of the feed-forward sub-layer.")
          .atLeast(1)
          .atMost(1 << 20)
          .group("Model"),
      FieldBuilder("model.activation", OptionType::Choice, "relu")
          .title("Activation")
          .help("Non-linearity of the feed-forward sub-layer.")
          .choices({{"relu", "ReLU"}, {"gelu_erf", "GELU (erf)"}, {"gelu_tanh", "GELU (tanh)"}})
          .group("Model"),
      probability("model.dropout", "Dropout", "On the embedded input and on every branch output.", 0.1),
      probability("model.attention_dropout", "Attention dropout", "On attention probabilities.", 0.0),
      probability("model.activation_dropout", "Activation dropout", "Inside the feed-forward sub-layer.",
                  0.0),
      FieldBuilder("model.fused_attention", OptionType::Flag, true)
          .title("Fused attention")
          .help(
              "Use a fused attention kernel where nobody needs the scores; results differ by rounding only.")
          .group("Model")};
}

std::vector<OptionRule> sharedOptionRules() {
  OptionRule odd;
  odd.when = {{"model.width", OptionClause::Test::NotMultiple, {Json{{"key", "model.heads"}}}}};
  odd.reason = "the width must be a multiple of the number of heads";
  odd.keys = {"model.width", "model.heads"};
  return {odd};
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
  self.chain = scoreChainFromId(options.text(prefix + ".self_attention.score_chain"));
  configuration.crossAttention = self;
  configuration.relativeDistance = relativeDistance(options, prefix);
  self.relationTypes = relativeTypes(configuration.relativeDistance);
  if (decoder) {
    configuration.crossAttention.chain =
        scoreChainFromId(options.text(prefix + ".cross_attention.score_chain"));
  }
  configuration.feedForward = options.integer("model.feed_forward");
  configuration.activation = activationFromId(options.text("model.activation"));
  configuration.activationDropout = options.real("model.activation_dropout");
  return configuration;
}

}  // namespace fathom
