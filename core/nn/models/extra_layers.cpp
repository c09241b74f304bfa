// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/extra_layers.h"

#include <utility>

#include "core/base/options/field_builder.h"
#include "core/nn/attention/relation_blocks.h"
#include "core/nn/attention/relative_positions.h"
#include "core/nn/device_upload.h"
#include "core/nn/dropout.h"
#include "core/nn/models/bert.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"
#include "core/nn/on_host.h"

namespace fathom {

ExtraLayers::ExtraLayers(std::vector<FeaturePart> parts, const StackConfiguration& stack,
                         const OptionValues& options, const torch::TensorOptions& tensors)
    : ExtraLayers(ownedStore(tensors), std::move(parts), stack, options) {}

ExtraLayers::ExtraLayers(ParameterStore& store, std::vector<FeaturePart> parts,
                         const StackConfiguration& stack, const OptionValues& options)
    : ExtraLayers(StoreOwnership{nullptr, store}, std::move(parts), stack, options) {}

ExtraLayers::ExtraLayers(StoreOwnership store, std::vector<FeaturePart> parts,
                         const StackConfiguration& stack, const OptionValues& options)
    : m_parts(std::move(parts)),
      m_ownStore(std::move(store.own)),
      m_store(store.store),
      m_relationTypes(stack.selfAttention.relationTypes) {
  for (const FeaturePart& part : m_parts) {
    ParameterInfo info;
    info.name = part.name + "_projection.weight";
    info.role = ParameterRole::Dense;
    m_projections.push_back(m_store.add(info, {stack.setup.width, part.width}));
  }
  m_stack = std::make_unique<TransformerStack>(m_store, stack, options);
}

const std::string& ExtraLayers::id() const {
  static const std::string name = "extra_layers";
  return name;
}

torch::Tensor ExtraLayers::projectedPart(std::size_t part, const torch::Tensor& states,
                                         const StepContext& context) const {
  const FeaturePart& own = m_parts[part];
  return at::linear(dropout(states, own.dropout, context, own.name + "_projection"), m_projections[part]);
}

torch::Tensor ExtraLayers::projected(const Features& features, const StepContext& context) const {
  std::vector<torch::Tensor> rows;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    const torch::Tensor& states = features.states[i];
    torch::Tensor padding;
    if (features.padding.defined()) padding = features.padding.narrow(1, first, states.size(1));
    const StackKind kind = m_stack->residual().setup().kind;
    if (context.observer) context.observer->layerInput(kind, m_parts[i].name, states, padding);
    rows.push_back(projectedPart(i, states, context));
    if (context.observer) context.observer->layerInput(kind, "", rows.back(), padding);
    first += states.size(1);
  }
  return at::cat(rows, 1);
}

torch::Tensor ExtraLayers::paddedForward(const torch::Tensor& x, const torch::Tensor& padding,
                                         const torch::Tensor& relations, const StepContext& context) const {
  const AttentionMask mask =
      padding.defined() ? makePairMask(padding, MaskStyle::SetMinus1e9, m_store.options()) : AttentionMask();
  const torch::Tensor none;
  return m_stack->forward(x, {mask, none, mask, relations}, context);
}

torch::Tensor ExtraLayers::forward(const Features& features, const StepContext& context) const {
  const torch::Tensor x = projected(features, context);
  if (context.observer != nullptr && context.observer->layerInputsAlone()) return x;
  const bool fits = isOnHost(x) && m_stack->takesPackedRows(m_store.options(), x.size(1));
  if (fits && context.observer == nullptr) return packedForward(x, features, context);
  return paddedForward(x, features.padding, features.relations, context);
}

namespace {

// bool [B, n], true at padding; undefined where there is none.
torch::Tensor paddingOf(const RowPacking& packing) {
  const std::int64_t places = packing.batch * packing.length;
  if (packing.rows.numel() == places) return {};
  return at::ones({places}, torch::TensorOptions(torch::kBool).device(packing.rows.device()))
      .index_fill(0, packing.rows, false)
      .view({packing.batch, packing.length});
}

}  // namespace

ExtraLayers::PackedRows ExtraLayers::projectedRows(const RaggedFeatures& features,
                                                   const StepContext& context) const {
  const std::size_t batch = features.counts[0].size();
  const StackKind kind = m_stack->residual().setup().kind;
  std::vector<torch::Tensor> rows;
  std::vector<std::int64_t> totals(batch, 0), next(m_parts.size(), 0), order;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    rows.push_back(projectedPart(i, features.states[i], context));
    if (context.observer) {  // who looks wants to know the examples
      const RowPacking own = packingOf(features.counts[i], rows[i].device());
      const torch::Tensor padding = paddingOf(own);
      context.observer->layerInput(kind, m_parts[i].name, unpacked(features.states[i], own), padding);
      context.observer->layerInput(kind, "", unpacked(rows[i], own), padding);
    }
    next[i] = before;
    before += rows[i].size(0);
    for (std::size_t b = 0; b < batch; ++b) totals[b] += features.counts[i][b];
  }
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
      for (std::int64_t k = 0; k < features.counts[i][b]; ++k) order.push_back(next[i]++);
    }
  }
  const torch::Device device = rows[0].device();
  const torch::Tensor places = uploaded(order, device);
  return {at::cat(rows, 0).index_select(0, places), packingOf(totals, device)};
}

ExtraLayers::PackedRows ExtraLayers::forward(const RaggedFeatures& features,
                                             const StepContext& context) const {
  PackedRows stream = projectedRows(features, context);
  const RowPacking& packing = stream.packing;
  if (context.observer != nullptr && context.observer->layerInputsAlone()) return stream;
  if (context.observer == nullptr && m_stack->takesPackedRows(m_store.options(), packing.length)) {
    AttentionMask mask;
    mask.querySpans = mask.keySpans = packing.spans;
    mask.padded = true;
    torch::Tensor blocks;
    if (features.relations.defined())
      blocks = relationBlocks(features.relations, packing.spans, m_relationTypes, stream.rows.device());
    const torch::Tensor none;
    stream.rows = m_stack->forward(stream.rows, {mask, none, mask, blocks}, context);
    return stream;
  }
  torch::Tensor relations;
  if (features.relations.defined())
    relations = relationMatrices(features.relations, packing, m_relationTypes, stream.rows.device());
  stream.rows = paddedForward(unpacked(stream.rows, packing), paddingOf(packing), relations, context)
                    .flatten(0, 1)
                    .index_select(0, packing.rows);
  return stream;
}

torch::Tensor ExtraLayers::packedForward(const torch::Tensor& x, const Features& features,
                                         const StepContext& context) const {
  const torch::Tensor padding =
      features.padding.defined() ? features.padding : at::zeros({x.size(0), x.size(1)}, torch::kBool);
  const RowPacking packing = packingOf(padding);
  AttentionMask mask;
  mask.querySpans = mask.keySpans = packing.spans;
  mask.padded = true;
  torch::Tensor blocks;
  if (features.relations.defined()) blocks = relationBlocks(features.relations, packing, m_relationTypes);
  const torch::Tensor none;
  const torch::Tensor rows = x.flatten(0, 1).index_select(0, packing.rows);
  return unpacked(m_stack->forward(rows, {mask, none, mask, blocks}, context), packing);
}

namespace {
constexpr EnumWord<DropoutPlace> kDropoutPlaces[] = {{DropoutPlace::Stream, "stream", "Stream"},
                                                     {DropoutPlace::Branch, "branch", "Branch"}};
}  // namespace

StackConfiguration extraStackConfiguration(const OptionValues& options) {
  const std::string key = "model.extra_layers.";
  StackConfiguration stack;
  StackSetup& setup = stack.setup;
  setup.kind = StackKind::Extra;
  setup.encoderLayers = options.integer("extra.layers");
  setup.width = options.integer("model.width");
  setup.sublayers = {SublayerKind::SelfAttention, SublayerKind::FeedForward};
  setup.dropout = options.real(key + "dropout");
  setup.dropoutPlace = valueOf(kDropoutPlaces, options.text(key + "dropout_place"));
  setup.finalNorm = options.flag(key + "final_norm");
  stack.residual = options.text("extra.residual");
  stack.attention = options.text("extra.attention");
  stack.selfAttention.heads = options.integer(key + "heads");
  stack.selfAttention.chain = valueOf(kScoreChains, options.text("extra.self_attention.score_chain"));
  stack.selfAttention.queryKeyValueBias = options.flag(key + "query_key_value_bias");
  stack.selfAttention.relationTypes = options.integer(key + "relation_types");
  stack.selfAttention.fusedKernel = options.flag("model.fused_attention");
  stack.feedForward = options.integer(key + "feed_forward");
  stack.activation = valueOf(kActivations, options.text(key + "activation"));
  return stack;
}

std::vector<OptionField> extraLayersFields() {
  const std::string key = "model.extra_layers.";
  return {
      integerField(key + "heads", "Heads of the extra layers",
                   "Attention heads; the width must be a multiple.", 8)
          .between(1, 1024)
          .reference("DT-Fixup App. C"),
      integerField(key + "feed_forward", "Feed-forward width of the extra layers",
                   "Hidden entries of their feed-forward sub-layers.", 1024)
          .between(1, 1 << 20)
          .reference("DT-Fixup App. C"),
      choiceField(key + "activation", "Activation of the extra layers",
                  "Non-linearity of their feed-forward sub-layers.", choicesOf(kActivations)),
      realField(key + "dropout", "Dropout of the extra layers", "The released configuration has none.", 0.0)
          .atLeast(0)
          .below(1)
          .off(0.0),
      choiceField(key + "dropout_place", "Place of the dropout",
                  "On the whole stream after the addition, as released, or on the branch before it.",
                  choicesOf(kDropoutPlaces))
          .reference("DT-Fixup's released code, transformer"),
      flagField(key + "final_norm", "Norm above the extra layers",
                "One more layer norm on top when the layers are normalised.", true)
          .when("extra.residual", {"post_ln", "admin"})
          .reference("DT-Fixup's released code, transformer"),
      flagField(key + "query_key_value_bias", "Biases of query, key and value",
                "The released layers have none.")
          .reference("DT-Fixup's released code, transformer"),
      integerField(key + "relation_types", "Relation types",
                   "Rows of the tables of relation-aware layers on given features; on text the relations are "
                   "distances.",
                   33)
          .between(1, 4096)
          .when("extra.attention", {"relation_aware"})
          .reference("DT-Fixup's released code, rat")};
}

namespace {

// Options of the encoder below the layers.
std::vector<OptionField> fieldsOfWhole() {
  return {
      choiceField("model.extra_layers.encoder", "Encoder below the layers",
                  "Whether the pre-trained encoder learns with the rest; a frozen one is run once, before "
                  "the training, and its states are kept.",
                  choicesOf(kEncoderTrainings))
          .reference("DT-Fixup App. D"),
      integerField("model.extra_layers.trained_layers", "Trained layers below",
                   "Counted from the top of the encoder; tables and layers below stay as they are.", 2)
          .unit("layers")
          .between(1, 1000)
          .when("model.extra_layers.encoder", {"top"}),
      realField("model.extra_layers.input_dropout", "Dropout on the input of the layers",
                "On the states that enter the extra layers; the paper takes 0.4 on ReClor.", 0.0)
          .atLeast(0)
          .below(1)
          .off(0.0)
          .reference("DT-Fixup App. D")};
}

std::vector<OptionField> fieldsWithBert() {
  return joinedFields({fieldsOfWhole(), extraLayersFields(), bertFields()});
}

std::vector<OptionRule> extraLayersRules() {
  const OptionRule odd{
      .when = {{"model.width", OptionClause::Test::NotMultiple, {Json{{"key", "model.extra_layers.heads"}}}}},
      .reason = "the width must be a multiple of the number of heads of the extra layers",
      .keys = {"model.width", "model.extra_layers.heads"}};
  const OptionRule tooMany{.when = {{"model.extra_layers.encoder", OptionClause::Test::In, {"top"}},
                                    {"encoder.layers",
                                     OptionClause::Test::AtMost,
                                     {Json{{"key", "model.extra_layers.trained_layers"}, {"plus", -1}}}}},
                           .reason = "the encoder has fewer layers than are to be trained",
                           .keys = {"model.extra_layers.trained_layers", "encoder.layers"}};
  return {odd, tooMany};
}

std::unique_ptr<Model> makeExtraLayers(const OptionValues& options, const ModelInputs& inputs,
                                       const torch::TensorOptions& tensors) {
  BertConfiguration configuration = bertConfiguration(options, inputs);
  StackConfiguration extra = extraStackConfiguration(options);
  extra.relativeDistance = relativeDistance(options, stackName(StackKind::Extra));
  extra.selfAttention.relationTypes = relativeTypes(extra.relativeDistance);
  configuration.extra = extra;
  configuration.extraInputDropout = options.real("model.extra_layers.input_dropout");
  configuration.training = valueOf(kEncoderTrainings, options.text("model.extra_layers.encoder"));
  configuration.trainedLayers = options.integer("model.extra_layers.trained_layers");
  return std::make_unique<Bert>(configuration, options, tensors);
}

}  // namespace

ModelEntry extraLayersEntry() {
  return {.id = "extra_layers",
          .title = "Extra layers on BERT",
          .reference = "DT-Fixup §4",
          .fields = fieldsWithBert,
          .rules = extraLayersRules,
          .stacks = {StackKind::Encoder, StackKind::Extra},
          .offers = kBertOffers,
          .prefix = kBertPrefix,
          .make = makeExtraLayers};
}

}  // namespace fathom
