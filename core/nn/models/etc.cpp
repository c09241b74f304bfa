// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/etc.h"

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"
#include "core/nn/device_upload.h"
#include "core/nn/dropout.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/pooled_head.h"
#include "core/nn/models/stack_options.h"

namespace fathom {

namespace {

const std::string kEtcPrefix = "model.etc";
const std::vector<Representation> kEtcOffers = {Representation::Tokens, Representation::Pooled,
                                                Representation::States};

ParameterInfo named(const std::string& name, ParameterRole role, StackKind stack = StackKind::None) {
  ParameterInfo info;
  info.name = name;
  info.role = role;
  info.stack = stack;
  return info;
}

}  // namespace

Etc::Etc(const EtcConfiguration& configuration, const OptionValues& options,
         const torch::TensorOptions& tensors)
    : m_configuration(configuration),
      m_ownStore(std::make_unique<ParameterStore>(tensors)),
      m_store(*m_ownStore) {
  const StackSetup& setup = configuration.encoder.setup;
  m_tokens = m_store.add(named("embedding.token.weight", ParameterRole::TokenEmbedding),
                         {configuration.vocabulary, setup.width});
  m_segments = m_store.add(named("embedding.segment.weight", ParameterRole::SegmentEmbedding),
                           {configuration.segments, setup.width});
  if (configuration.embeddingLayerNorm) {
    const ParameterInfo norm = named("", ParameterRole::NormWeight);
    m_longNorm = {m_store, "embedding.layer_norm", norm, setup.width, setup.normEps};
    m_globalNorm = {m_store, "embedding.global_layer_norm", norm, setup.width, setup.normEps};
  }
  if (configuration.features != EtcFeatures::None) {
    m_featureWeight =
        m_store.add(named("embedding.features.weight", ParameterRole::Dense), {setup.width, kGlobalFeatures});
    m_featureBias = m_store.add(named("embedding.features.bias", ParameterRole::Bias), {setup.width});
  }
  m_layers = std::make_unique<EtcStack>(m_store, configuration.encoder, configuration.rules, options);
  const HeadEntry& head = fathom::headEntry(configuration.head);
  if (needsPooler(head, options, kEtcPrefix)) m_pooler = headMap(m_store, "pooler", setup.width, setup.width);
  putHead(head, {.store = m_store,
                 .options = options,
                 .prefix = kEtcPrefix,
                 .facts = m_configuration.facts,
                 .tokenTable = m_tokens,
                 .width = setup.width,
                 .activation = configuration.encoder.activation,
                 .normEps = setup.normEps,
                 .dropout = configuration.dropout});
}

const std::string& Etc::id() const {
  static const std::string own = "etc";
  return own;
}

LongStructure runsOfTokens(const torch::Tensor& padding, std::int64_t batch, std::int64_t length,
                           std::int64_t run) {
  const std::int64_t globals = (length + run - 1) / run;
  const torch::Tensor places = at::arange(length, torch::kInt32).unsqueeze(0).expand({batch, length});
  const torch::Tensor none = at::full({batch, length}, -1, torch::kInt32);
  LongStructure structure;
  structure.context = at::ones({batch, length}, torch::kInt32);
  structure.sentence = places.div(run, "trunc").to(torch::kInt32).contiguous();
  if (padding.defined()) {
    const torch::Tensor hidden = padding.to(torch::kCPU);
    structure.context.masked_fill_(hidden, 0);
    structure.sentence.masked_fill_(hidden, -1);
  }
  structure.paragraph = none;
  structure.link = none;
  // A global token whose run holds a real token.
  const torch::Tensor numbers = at::arange(globals, torch::kInt32).view({1, globals, 1});
  structure.globalContext = structure.sentence.unsqueeze(1).eq(numbers).any(2).to(torch::kInt32);
  structure.everything = at::zeros({batch, globals}, torch::kInt32);
  return structure;
}

LongBatch Etc::withGlobals(const TextBatch& batch) const {
  LongBatch both;
  both.tokens = batch.tokens;
  both.segments = batch.segments;
  both.structure =
      runsOfTokens(batch.padding, batch.tokens.size(0), batch.tokens.size(1), m_configuration.globalRun);
  both.globalTokens = at::full({batch.tokens.size(0), both.structure.globalLength()},
                               m_configuration.globalToken, batch.tokens.options());
  return both;
}

namespace {

// [B, n, d] of the global tokens [B, g, d] that long tokens belong to; 0 where they belong to none.
torch::Tensor ofTheirSentences(const torch::Tensor& globals, const torch::Tensor& sentence) {
  const torch::Tensor none = sentence.lt(0).unsqueeze(2);
  const torch::Tensor places =
      sentence.clamp_min(0).to(torch::kInt64).unsqueeze(2).expand({-1, -1, globals.size(2)});
  return globals.gather(1, places).masked_fill(none, 0.0);
}

}  // namespace

GlobalLocal::Streams Etc::embedded(const LongBatch& batch, const StepContext& context) const {
  torch::Tensor features, longFeatures;
  if (m_featureWeight.defined() && batch.globalFeatures.defined()) {
    features =
        at::linear(batch.globalFeatures.to(m_featureWeight.scalar_type()), m_featureWeight, m_featureBias);
    if (m_configuration.features == EtcFeatures::Both)
      longFeatures = ofTheirSentences(features, uploaded(batch.structure.sentence, features.device()));
  }
  const auto stream = [&](const torch::Tensor& tokens, const torch::Tensor& segments, std::int64_t standard,
                          const LayerNorm& norm, const torch::Tensor& more, const char* site) {
    const torch::Tensor kind = segments.defined()
                                   ? at::embedding(m_segments, segments)
                                   : m_segments[std::min(standard, m_configuration.segments - 1)];
    torch::Tensor x = at::embedding(m_tokens, tokens) + kind;
    if (more.defined()) x = x + more;
    if (m_configuration.embeddingLayerNorm) x = norm(x);
    return dropout(x, m_configuration.dropout, context, site);
  };
  return {stream(batch.tokens, batch.segments, 1, m_longNorm, longFeatures, "embedding"),
          stream(batch.globalTokens, batch.globalSegments, 0, m_globalNorm, features, "embedding.global")};
}

GlobalLocal::Streams Etc::streams(const LongBatch& batch, const StepContext& context) const {
  const GlobalLocal::Streams x = embedded(batch, context);
  if (context.observer) {
    context.observer->longStructure(batch.structure);
    const auto padding = [&](const torch::Tensor& contexts) {
      return contexts.eq(0).to(batch.tokens.device());
    };
    context.observer->layerInput(StackKind::Encoder, "", x.longs, padding(batch.structure.context));
    context.observer->layerInput(StackKind::Global, "", x.globals, padding(batch.structure.globalContext));
  }
  return m_layers->forward(x, batch.structure, context);
}

torch::Tensor Etc::hidden(const TextBatch& batch, const StepContext& context) const {
  return streams(withGlobals(batch), context).longs;
}

torch::Tensor Etc::pooled(const torch::Tensor& hidden) const {
  if (!m_pooler.weight.defined())
    throw Failure(internalError("the head '" + headEntry().id + "' has no pooler below it"));
  return at::tanh(m_pooler(hidden.select(1, 0)));
}

namespace {

constexpr EnumWord<EtcFeatures> kEtcFeatures[] = {
    {EtcFeatures::None, "none", "Not read"},
    {EtcFeatures::Global, "global", "Added to the global tokens"},
    {EtcFeatures::Both, "both", "Added to the global tokens and to the long ones of their sentence"}};

}  // namespace

std::vector<OptionField> etcFields() {
  const std::vector<OptionField> before = {
      integerField("model.etc.segments", "Segment kinds of both streams",
                   "Rows of the segment table of both streams; long tokens are 1, global ones 0 unless the "
                   "data say more.",
                   16)
          .between(2, 1024)
          .reference("ETC's code, segment_vocab_size"),
      flagField("model.etc.embedding_layer_norm", "Layer norms on both inputs",
                "A layer norm per stream after the sum of token and segment.", true),
      realField("model.etc.norm_eps", "ε of all layer norms", "Added to the variance.", 1e-12).above(0),
      pathField(
          "model.etc.weights", "Pre-trained weights (ETC)",
          "Folder of an imported encoder of one stream (import-encoder), which is lifted: relations keep "
          "their initial values, positions are not taken; or of a run of bert or etc, or one of its "
          "checkpoints. Empty starts from the initialisation.")
          .off("")
          .reference("ETC §4; RealFormer A.3")};
  const std::vector<OptionField> behind = {
      choiceField(
          "model.etc.features", "Places of blocks on the page",
          "Eight numbers of each block (where it and its parent stand, how large they are): mapped and "
          "added to the inputs.",
          choicesOf(kEtcFeatures))
          .when("model.etc.head", {"phrases"})
          .reference("ETC's code, OpenKP"),
      integerField("model.etc.global_run", "Tokens for a global one",
                   "Where the data bring no global tokens, each run of so many long tokens has one.", 64)
          .unit("tokens")
          .between(1, 1 << 16),
      integerField("model.etc.global_token", "Id of global tokens",
                   "Where the data bring none: piece of the vocabulary that stands for a sentence.", 1)
          .between(0, 1 << 22)
          .reference("ETC's code, an unused piece")};
  const OptionField head =
      headChoice(kEtcPrefix, kEtcOffers, "Head over the streams",
                 "What reads the last states: that of masked words the long stream, those of tasks both.",
                 "masked_words");
  // Those of heads that stand on models of one stream, too, are there twice: their titles say whose they are.
  std::vector<OptionField> ofHeads = headFields(kEtcPrefix, kEtcOffers);
  for (OptionField& field : ofHeads)
    if (field.key.ends_with(".head_input") || field.key.ends_with(".classes")) field.title += " (ETC)";
  return joinedFields({before, {head}, std::move(ofHeads), behind});
}

EtcConfiguration etcConfiguration(const OptionValues& options, const ModelInputs& inputs) {
  EtcConfiguration configuration;
  configuration.encoder = stackConfiguration(options, StackKind::Encoder);
  configuration.encoder.setup.normEps = options.real("model.etc.norm_eps");
  configuration.encoder.selfAttention.relationTypes = globalLocalTypes(options, "encoder");
  configuration.rules = globalLocalRules(options, "encoder");
  configuration.vocabulary = inputs.at("vocabulary");
  configuration.segments = options.integer("model.etc.segments");
  configuration.embeddingLayerNorm = options.flag("model.etc.embedding_layer_norm");
  configuration.dropout = options.real("model.dropout");
  configuration.head = options.text("model.etc.head");
  configuration.facts = inputs;
  if (configuration.head == "phrases")
    configuration.features = valueOf(kEtcFeatures, options.text("model.etc.features"));
  configuration.globalRun = options.integer("model.etc.global_run");
  configuration.globalToken = options.integer("model.etc.global_token");
  if (configuration.globalToken >= configuration.vocabulary)
    throw Failure(usageError(Phrase::tr("model.etc.global_token=%1: the vocabulary has %2 pieces")(
                                 configuration.globalToken, configuration.vocabulary),
                             Phrase::tr("choose a lower id")));
  return configuration;
}

namespace {

std::vector<OptionRule> etcRules() {
  return {{.when = {{"encoder.attention", OptionClause::Test::NotIn, {"global_local"}}},
           .reason = "the model ETC has a long and a global stream: choose encoder.attention=global_local",
           .keys = {"model", "encoder.attention"}}};
}

}  // namespace

ModelEntry etcEntry() {
  return {.id = "etc",
          .title = "ETC",
          .reference = "Ainslie et al. 2020",
          .fields = etcFields,
          .rules = etcRules,
          .stacks = {StackKind::Encoder},
          .offers = kEtcOffers,
          .prefix = kEtcPrefix,
          .make = [](const OptionValues& options, const ModelInputs& inputs,
                     const torch::TensorOptions& tensors) -> std::unique_ptr<Model> {
            return std::make_unique<Etc>(etcConfiguration(options, inputs), options, tensors);
          }};
}

}  // namespace fathom
