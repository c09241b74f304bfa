// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/causal_decoder.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/base/options/field_builder.h"
#include "core/nn/dropout.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"

namespace fathom {

namespace {

const std::string kCausalPrefix = "model.causal_decoder";
const std::vector<Representation> kCausalOffers = {Representation::Causal};

torch::Tensor causalTable(ParameterStore& store, const char* name, ParameterRole role, std::int64_t rows,
                          std::int64_t width) {
  ParameterInfo info;
  info.name = name;
  info.role = role;
  return store.add(info, {rows, width});
}

}  // namespace

CausalDecoder::CausalDecoder(const CausalConfiguration& configuration, const OptionValues& options,
                             const torch::TensorOptions& tensors)
    : m_configuration(configuration), m_store(tensors) {
  const StackSetup& setup = configuration.decoder.setup;
  m_tokens = causalTable(m_store, "embedding.token.weight", ParameterRole::TokenEmbedding,
                         configuration.vocabulary, setup.width);
  m_positions = causalTable(m_store, "embedding.position.weight", ParameterRole::PositionEmbedding,
                            configuration.maxPositions, setup.width);
  m_decoder = std::make_unique<TransformerStack>(m_store, configuration.decoder, options);
  putHead(fathom::headEntry(configuration.head), {.store = m_store,
                                                  .options = options,
                                                  .prefix = kCausalPrefix,
                                                  .facts = m_configuration.facts,
                                                  .tokenTable = m_tokens,
                                                  .width = setup.width,
                                                  .activation = configuration.decoder.activation,
                                                  .normEps = setup.normEps,
                                                  .dropout = configuration.dropout});
}

const std::string& CausalDecoder::id() const {
  static const std::string name = "causal_decoder";
  return name;
}

// tokens [B, T] that stand at `first` and behind.
torch::Tensor CausalDecoder::embedded(const torch::Tensor& tokens, std::int64_t first,
                                      const StepContext& context) const {
  const std::int64_t length = tokens.size(1);
  if (first + length > m_configuration.maxPositions)
    throw Failure(dataError(Phrase::tr("a text of %1 tokens does not fit the position table of %2 rows")(
                                first + length, m_configuration.maxPositions),
                            Phrase::tr("raise model.causal_decoder.max_positions or cut longer texts")));
  const torch::Tensor sum = at::embedding(m_tokens, tokens) + m_positions.narrow(0, first, length);
  return dropout(sum, m_configuration.dropout, context, "embedding");
}

torch::Tensor CausalDecoder::hidden(const TextBatch& batch, const StepContext& context) const {
  const torch::Tensor x = embedded(batch.tokens, 0, context), none;
  if (context.observer) context.observer->layerInput(StackKind::Decoder, "", x, batch.padding);
  if (context.observer && context.observer->layerInputsAlone()) return x;
  const AttentionMask mask =
      makeAttentionMask({}, true, batch.tokens.size(1), MaskStyle::MinusInfinity, m_store.options());
  return m_decoder->forward(x, {mask, none, mask, none}, context);
}

torch::Tensor CausalDecoder::pooled(const torch::Tensor&) const {
  throw Failure(internalError("a causal model has no vector for a whole text"));
}

DecodeState CausalDecoder::beginText(std::int64_t rows) const {
  DecodeState state;
  state.selfAttention.resize(static_cast<std::size_t>(m_configuration.decoder.setup.layers()));
  state.rows = rows;
  return state;
}

torch::Tensor CausalDecoder::readToken(DecodeState& state, const torch::Tensor& tokens) const {
  const StepContext context;
  const torch::Tensor x = embedded(tokens.unsqueeze(1), state.step, context), none;
  const AttentionMask mask;
  const torch::Tensor hidden = m_decoder->forward(x, {mask, none, mask, none, &state}, context);
  ++state.step;
  return hidden.select(1, 0);
}

std::vector<OptionField> causalDecoderFields() {
  const std::vector<OptionField> own = {
      integerField(kCausalPrefix + ".max_positions", "Longest text",
                   "Rows of the learned position table; longer texts are refused.", 1024)
          .unit("tokens")
          .between(2, 1 << 20)
          .reference("Radford et al. 2019"),
      realField(kCausalPrefix + ".norm_eps", "ε of the layer norms", "Added to the variance.", 1e-5).above(0),
      headChoice(kCausalPrefix, kCausalOffers, "Head over the places", "What is put on top of the layers.",
                 "next_words"),
      pathField(
          kCausalPrefix + ".weights", "Pre-trained weights (GPT-2)",
          "Folder of an imported GPT-2 (import-encoder), of one as Hugging Face writes it, or of a run of "
          "this model or one of its checkpoints. Empty starts from the initialisation.")
          .off("")};
  return joinedFields({own, headFields(kCausalPrefix, kCausalOffers)});
}

CausalConfiguration causalConfiguration(const OptionValues& options, const ModelInputs& inputs) {
  CausalConfiguration configuration;
  configuration.decoder = stackConfiguration(options, StackKind::Decoder);
  StackSetup& setup = configuration.decoder.setup;
  std::erase(setup.sublayers, SublayerKind::CrossAttention);
  setup.normEps = options.real(kCausalPrefix + ".norm_eps");
  configuration.vocabulary = inputs.at("vocabulary");
  configuration.maxPositions = options.integer(kCausalPrefix + ".max_positions");
  configuration.dropout = options.real("model.dropout");
  configuration.head = options.text(kCausalPrefix + ".head");
  configuration.facts = inputs;
  return configuration;
}

ModelEntry causalDecoderEntry() {
  return {.id = "causal_decoder",
          .title = "Decoder alone (GPT-2)",
          .reference = "Radford et al. 2019",
          .fields = causalDecoderFields,
          .stacks = {StackKind::Decoder},
          .offers = kCausalOffers,
          .prefix = kCausalPrefix,
          .make = [](const OptionValues& options, const ModelInputs& inputs,
                     const torch::TensorOptions& tensors) -> std::unique_ptr<Model> {
            return std::make_unique<CausalDecoder>(causalConfiguration(options, inputs), options, tensors);
          }};
}

}  // namespace fathom
