// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/etc.h"

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"
#include "core/nn/dropout.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"

namespace fathom {

namespace {

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
  addHead();
}

void Etc::addMaskedWords() {
  const StackSetup& setup = m_configuration.encoder.setup;
  const auto dense = [&](const char* name, torch::Tensor& weight, torch::Tensor& bias) {
    weight =
        m_store.add(named(std::string(name) + ".weight", ParameterRole::Dense), {setup.width, setup.width});
    bias = m_store.add(named(std::string(name) + ".bias", ParameterRole::Bias), {setup.width});
  };
  dense("mlm.transform", m_transformWeight, m_transformBias);
  m_maskedNorm = {m_store, "mlm.layer_norm", named("", ParameterRole::NormWeight), setup.width,
                  setup.normEps};
  m_maskedBias = m_store.add(named("mlm.bias", ParameterRole::Bias), {m_configuration.vocabulary});
}

void Etc::addHead() {
  const StackSetup& setup = m_configuration.encoder.setup;
  const Activation activation = m_configuration.encoder.activation;
  switch (m_configuration.head) {
    case EtcHead::None:
      break;
    case EtcHead::MaskedWords:
      addMaskedWords();
      break;
    case EtcHead::Candidates:
      m_candidates.emplace(m_store, setup.width, m_configuration.headBlock, activation, setup.normEps);
      break;
    case EtcHead::SupportedSpan:
      m_supportedSpan.emplace(m_store, setup.width);
      break;
    case EtcHead::PageAnswers:
      m_pageAnswers.emplace(m_store, setup.width);
      break;
    case EtcHead::Phrases:
      m_phrases.emplace(m_store, setup.width, m_configuration.longestPhrase, activation, setup.normEps);
      break;
  }
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
      longFeatures = ofTheirSentences(features, batch.structure.sentence.to(features.device()));
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

torch::Tensor Etc::pooled(const torch::Tensor&) const {
  throw Failure(internalError("the model etc has no pooled vector"));
}
torch::Tensor Etc::nextSentenceLogits(const torch::Tensor&) const {
  throw Failure(internalError("the model etc has no head for next sentences"));
}
torch::Tensor Etc::taskLogits(const torch::Tensor&, const StepContext&) const {
  throw Failure(internalError("the model etc has no head for this task"));
}

torch::Tensor Etc::maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const {
  const torch::Tensor rows = hidden.reshape({-1, hidden.size(-1)}).index_select(0, positions);
  const torch::Tensor x = at::linear(rows, m_transformWeight, m_transformBias);
  return m_maskedNorm(activate(x, m_configuration.encoder.activation));
}

namespace {

constexpr EnumWord<EtcFeatures> kEtcFeatures[] = {
    {EtcFeatures::None, "none", "Not read"},
    {EtcFeatures::Global, "global", "Added to the global tokens"},
    {EtcFeatures::Both, "both", "Added to the global tokens and to the long ones of their sentence"}};

constexpr EnumWord<EtcHead> kEtcHeadWords[] = {
    {EtcHead::None, "none", "None"},
    {EtcHead::MaskedWords, "masked_words", "Masked words"},
    {EtcHead::Candidates, "candidates", "A number for each candidate (WikiHop)"},
    {EtcHead::SupportedSpan, "supported_span", "Supporting facts, kind and ends of an answer (HotpotQA)"},
    {EtcHead::PageAnswers, "page_answers", "Ends of short and long answers (Natural Questions)"},
    {EtcHead::Phrases, "phrases", "Key phrases (OpenKP)"}};

template <typename Head>
const Head& headOf(const std::optional<Head>& head, EtcHead wanted) {
  if (head) return *head;
  throw Failure(usageError(Phrase::tr("the model has no head '%1'")(wordOf(kEtcHeadWords, wanted)),
                           Phrase::tr("choose it as model.etc.head")));
}

}  // namespace

const CandidateHead& Etc::candidates() const {
  return headOf(m_candidates, EtcHead::Candidates);
}
const HotpotHead& Etc::supportedSpan() const {
  return headOf(m_supportedSpan, EtcHead::SupportedSpan);
}
const NqHead& Etc::pageAnswers() const {
  return headOf(m_pageAnswers, EtcHead::PageAnswers);
}
const PhraseHead& Etc::phrases() const {
  return headOf(m_phrases, EtcHead::Phrases);
}

std::vector<OptionField> etcFields() {
  return {
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
          .reference("ETC §4; RealFormer A.3"),
      choiceField("model.etc.head", "Head over the streams",
                  "What reads the last states: that of masked words the long stream, those of tasks both.",
                  choicesOf(kEtcHeadWords))
          .usually("masked_words"),
      integerField("model.etc.head_block", "Block before the candidates",
                   "Width inside a residual feed-forward block between the encoder and the numbers of the "
                   "candidates; 0: none.",
                   0)
          .between(0, 1 << 16)
          .when("model.etc.head", {"candidates"})
          .reference("ETC's code, WikiHop"),
      integerField("model.etc.longest_phrase", "Longest phrase", "Words of a key phrase.", 5)
          .between(1, 16)
          .when("model.etc.head", {"phrases"})
          .reference("ETC's code, OpenKP"),
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
  configuration.head = valueOf(kEtcHeadWords, options.text("model.etc.head"));
  configuration.headBlock = options.integer("model.etc.head_block");
  configuration.longestPhrase = options.integer("model.etc.longest_phrase");
  if (configuration.head == EtcHead::Phrases)
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
          .make = [](const OptionValues& options, const ModelInputs& inputs,
                     const torch::TensorOptions& tensors) -> std::unique_ptr<Model> {
            return std::make_unique<Etc>(etcConfiguration(options, inputs), options, tensors);
          }};
}

}  // namespace fathom
