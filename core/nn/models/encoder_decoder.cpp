// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/encoder_decoder.h"

#include <cmath>

#include "core/base/errors/error.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/field_builder.h"
#include "core/nn/dropout.h"
#include "core/nn/models/model_entry.h"
#include "core/nn/models/stack_options.h"
#include "core/nn/on_host.h"
#include "core/nn/sinusoid_positions.h"

namespace fathom {

EncoderDecoder::EncoderDecoder(const EncoderDecoderConfiguration& configuration, const OptionValues& options,
                               const torch::TensorOptions& tensors)
    : m_configuration(configuration), m_store(tensors) {
  const SequenceInputs& in = configuration.inputs;
  const EmbeddingSharing sharing = configuration.sharing;
  const bool sharedInputs = sharing == EmbeddingSharing::All || sharing == EmbeddingSharing::Inputs;
  if (sharedInputs) {
    m_sourceTable = addTable("embedding.token.weight", StackKind::None, in.targetVocabulary,
                             ParameterRole::TokenEmbedding);
    m_targetTable = m_sourceTable;
  } else {
    m_sourceTable = addTable("encoder.embedding.token.weight", StackKind::Encoder, in.sourceVocabulary,
                             ParameterRole::TokenEmbedding);
    m_targetTable = addTable("decoder.embedding.token.weight", StackKind::Decoder, in.targetVocabulary,
                             ParameterRole::TokenEmbedding);
  }
  m_outputWeight = m_targetTable;
  if (sharing == EmbeddingSharing::Inputs || sharing == EmbeddingSharing::None) {
    m_outputWeight = addTable("output_projection.weight", StackKind::None, in.targetVocabulary,
                              ParameterRole::OutputProjection);
  }
  m_encoder = std::make_unique<TransformerStack>(m_store, configuration.encoder, options);
  m_decoder = std::make_unique<TransformerStack>(m_store, configuration.decoder, options);
  const torch::Tensor table = sinusoidTable(in.padId + 1 + configuration.maxPositions,
                                            configuration.encoder.setup.width, in.padId, tensors);
  m_store.setBuffer(positionTable(StackKind::Encoder), table);
  m_store.setBuffer(positionTable(StackKind::Decoder), table);
}

torch::Tensor EncoderDecoder::addTable(const std::string& name, StackKind stack, std::int64_t rows,
                                       ParameterRole role) {
  ParameterInfo info;
  info.name = name;
  info.role = role;
  info.stack = stack;
  if (role == ParameterRole::TokenEmbedding) info.padRow = m_configuration.inputs.padId;
  return m_store.add(info, {rows, m_configuration.encoder.setup.width});
}

const std::string& EncoderDecoder::id() const {
  static const std::string name = "encoder_decoder";
  return name;
}

const char* EncoderDecoder::positionTable(StackKind stack) {
  return stack == StackKind::Decoder ? "decoder.position_table" : "encoder.position_table";
}

std::vector<StackDescription> EncoderDecoder::stacks() const {
  return {m_encoder->description(), m_decoder->description()};
}

ResidualScheme& EncoderDecoder::residual(StackKind stack) {
  return stack == StackKind::Decoder ? m_decoder->residual() : m_encoder->residual();
}

torch::Tensor EncoderDecoder::embed(StackKind stack, const torch::Tensor& table, const torch::Tensor& tokens,
                                    const torch::Tensor& positions, const StepContext& context) const {
  const torch::Tensor positionRows = m_store.buffer(positionTable(stack));
  const double scale = std::sqrt(static_cast<double>(m_configuration.encoder.setup.width));
  const torch::Tensor embedded = at::embedding(table, tokens, padId());
  const torch::Tensor x = at::add(at::embedding(positionRows, positions), embedded, scale);
  return dropout(x, m_configuration.dropout, context, std::string(stackName(stack)) + ".embedding");
}

void EncoderDecoder::checkLength(const torch::Tensor& tokens) const {
  if (tokens.size(1) <= m_configuration.maxPositions) return;
  throw Failure(dataError(Phrase::tr("a sequence of %1 tokens does not fit the position table of %2")(
                              tokens.size(1), m_configuration.maxPositions),
                          Phrase::tr("raise model.encoder_decoder.max_positions or drop longer pairs")));
}

namespace {
// Undefined when no token is a pad: kernels then skip the mask.
torch::Tensor paddingOf(const torch::Tensor& tokens, std::int64_t padId) {
  const torch::Tensor padding = tokens.eq(padId);
  return isOnHost(tokens) && !padding.any().item<bool>() ? torch::Tensor() : padding;
}

// Everybody sees their own sequence only.
AttentionMask packedMask(const torch::Tensor& querySpans, const torch::Tensor& keySpans, bool triangle) {
  AttentionMask mask;
  mask.querySpans = querySpans;
  mask.keySpans = keySpans;
  mask.triangle = triangle;
  mask.padded = true;
  return mask;
}
}  // namespace

RowPacking EncoderDecoder::packingFor(const torch::Tensor& padding, const StepContext& context) const {
  if (!padding.defined() || !context.training || context.observer) return {};
  const std::int64_t length = padding.size(1);
  const torch::TensorOptions tensors = m_store.options();
  if (!m_encoder->takesPackedRows(tensors, length) || !m_decoder->takesPackedRows(tensors, length)) return {};
  return packingOf(padding);
}

EncoderMemory EncoderDecoder::encode(const torch::Tensor& sourceTokens, const StepContext& context) const {
  checkLength(sourceTokens);
  const torch::Tensor padding = paddingOf(sourceTokens, padId());
  const torch::Tensor positions = positionIds(sourceTokens, padId());
  const RowPacking packing = packingFor(padding, context);
  const torch::Tensor none;
  if (packing.packed()) {
    const AttentionMask mask = packedMask(packing.spans, packing.spans, false);
    const torch::Tensor x = embed(StackKind::Encoder, m_sourceTable, packed(sourceTokens, packing),
                                  packed(positions, packing), context);
    return {m_encoder->forward(x, {mask, none, mask, none}, context), padding, packing};
  }
  const torch::Tensor x = embed(StackKind::Encoder, m_sourceTable, sourceTokens, positions, context);
  const AttentionMask mask =
      makeAttentionMask(padding, false, sourceTokens.size(1), MaskStyle::MinusInfinity, m_store.options());
  return {m_encoder->forward(x, {mask, none, mask, none}, context), padding, {}};
}

// Rows of the sequences of a memory, where a packed decoder can read it.
torch::Tensor EncoderDecoder::spansOf(const EncoderMemory& memory) const {
  if (memory.packing.packed()) return memory.packing.spans;
  const std::int64_t length = memory.states.size(1);
  if (memory.keyPadding.defined() || !m_decoder->takesPackedRows(m_store.options(), length)) return {};
  return wholeSpans(memory.states.size(0), length);
}

torch::Tensor EncoderDecoder::decoderHidden(const EncoderMemory& memory, const torch::Tensor& decoderTokens,
                                            const StepContext& context) const {
  checkLength(decoderTokens);
  const torch::Tensor padding = paddingOf(decoderTokens, padId());
  const torch::Tensor positions = positionIds(decoderTokens, padId());
  const RowPacking packing = packingFor(padding, context);
  const torch::Tensor none;
  const torch::Tensor memorySpans = spansOf(memory);
  if (packing.packed() && memorySpans.defined()) {
    const torch::Tensor x = embed(StackKind::Decoder, m_targetTable, packed(decoderTokens, packing),
                                  packed(positions, packing), context);
    const AttentionMask selfMask = packedMask(packing.spans, packing.spans, true);
    const AttentionMask memoryMask = packedMask(packing.spans, memorySpans, false);
    return unpacked(m_decoder->forward(x, {selfMask, memory.states, memoryMask, none}, context), packing);
  }
  const torch::Tensor x = embed(StackKind::Decoder, m_targetTable, decoderTokens, positions, context);
  const std::int64_t length = decoderTokens.size(1);
  const AttentionMask selfMask =
      makeAttentionMask(padding, true, length, MaskStyle::MinusInfinity, m_store.options());
  const AttentionMask memoryMask =
      makeAttentionMask(memory.keyPadding, false, length, MaskStyle::MinusInfinity, m_store.options());
  const torch::Tensor states = unpacked(memory.states, memory.packing);
  return m_decoder->forward(x, {selfMask, states, memoryMask, none}, context);
}

DecodeState EncoderDecoder::beginDecoding(const EncoderMemory& memory) const {
  DecodeState state;
  const torch::Tensor states = unpacked(memory.states, memory.packing);
  state.crossAttention = m_decoder->projectMemory(states);
  state.selfAttention.resize(state.crossAttention.size());
  state.memoryPadding = memory.keyPadding;
  state.rows = states.size(0);
  return state;
}

torch::Tensor EncoderDecoder::decodeStep(DecodeState& state, const torch::Tensor& lastTokens) const {
  const StepContext context;
  const torch::Tensor positions = at::full_like(lastTokens, padId() + 1 + state.step).unsqueeze(1);
  const torch::Tensor x =
      embed(StackKind::Decoder, m_targetTable, lastTokens.unsqueeze(1), positions, context);
  const AttentionMask selfMask;
  const AttentionMask memoryMask =
      makeAttentionMask(state.memoryPadding, false, 1, MaskStyle::MinusInfinity, m_store.options());
  const torch::Tensor none;
  const torch::Tensor hidden = m_decoder->forward(x, {selfMask, none, memoryMask, none, &state}, context);
  ++state.step;
  return hidden.select(1, 0);
}

namespace {

constexpr EnumWord<EmbeddingSharing> kEmbeddingSharings[] = {
    {EmbeddingSharing::All, "all", "Source, target and output"},
    {EmbeddingSharing::Inputs, "inputs", "Source and target"},
    {EmbeddingSharing::Decoder, "decoder", "Target and output"},
    {EmbeddingSharing::None, "none", "None"}};

std::vector<OptionField> encoderDecoderFields() {
  return {choiceField("model.encoder_decoder.embedding_sharing", "Shared tables",
                      "Which of the input tables and the output projection are one tensor.",
                      choicesOf(kEmbeddingSharings))
              .reference("Admin App. D"),
          integerField("model.encoder_decoder.max_positions", "Longest sequence",
                       "Rows of the position tables; longer sequences are refused.", 1024)
              .unit("tokens")
              .between(2, 1 << 20)};
}

std::unique_ptr<Model> makeEncoderDecoder(const OptionValues& options, const ModelInputs& inputs,
                                          const torch::TensorOptions& tensors) {
  EncoderDecoderConfiguration configuration;
  SequenceInputs& in = configuration.inputs;
  in.sourceVocabulary = inputs.at("source_vocabulary");
  in.targetVocabulary = inputs.at("target_vocabulary");
  in.jointVocabulary = inputs.value("joined_vocabulary", 0) != 0;
  in.padId = inputs.value("pad_id", in.padId);
  in.eosId = inputs.value("eos_id", in.eosId);
  configuration.encoder = stackConfiguration(options, StackKind::Encoder);
  configuration.decoder = stackConfiguration(options, StackKind::Decoder);
  configuration.encoder.setup.decoderLayers = configuration.decoder.setup.decoderLayers;
  configuration.decoder.setup.encoderLayers = configuration.encoder.setup.encoderLayers;
  configuration.dropout = options.real("model.dropout");
  configuration.maxPositions = options.integer("model.encoder_decoder.max_positions");
  const std::string sharing = options.text("model.encoder_decoder.embedding_sharing");
  configuration.sharing = valueOf(kEmbeddingSharings, sharing);
  const bool sharesInputs =
      configuration.sharing == EmbeddingSharing::All || configuration.sharing == EmbeddingSharing::Inputs;
  if (sharesInputs && (!in.jointVocabulary || in.sourceVocabulary != in.targetVocabulary)) {
    throw Failure(aboutKey(
        "model.encoder_decoder.embedding_sharing",
        usageError(
            Phrase::tr(
                "model.encoder_decoder.embedding_sharing=%1 needs one vocabulary for source and target")(
                sharing),
            Phrase::tr("train a joint vocabulary, or use 'decoder' or 'none'"))));
  }
  return std::make_unique<EncoderDecoder>(configuration, options, tensors);
}

}  // namespace

ModelEntry encoderDecoderEntry() {
  return {.id = "encoder_decoder",
          .title = "Encoder-decoder",
          .reference = "Vaswani et al. 2017; fairseq",
          .fields = encoderDecoderFields,
          .stacks = {StackKind::Encoder, StackKind::Decoder},
          .offers = {Representation::Targets},
          .make = makeEncoderDecoder};
}

}  // namespace fathom
