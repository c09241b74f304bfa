// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/model.h"
#include "core/nn/models/transformer_stack.h"

namespace fathom {

// Which tables are one tensor. Names of the tensors: shared input table "embedding.token.weight", separate
// ones
// "<stack>.embedding.token.weight", separate projection "output_projection.weight".
enum class EmbeddingSharing {
  All,      // encoder input = decoder input = output projection
  Inputs,   // encoder input = decoder input; projection separate
  Decoder,  // decoder input = output projection; encoder input separate
  None
};

// Facts it reads: source_vocabulary, target_vocabulary, joined_vocabulary (1: source and target ids mean the
// same pieces, so that tables may be shared), pad_id, eos_id.
struct SequenceInputs {
  std::int64_t sourceVocabulary = 0, targetVocabulary = 0;
  bool jointVocabulary = false;
  std::int64_t padId = 1, eosId = 2;
};

struct EncoderDecoderConfiguration {
  StackConfiguration encoder, decoder;
  EmbeddingSharing sharing = EmbeddingSharing::All;
  double dropout = 0;  // on the embedded input
  std::int64_t maxPositions = 1024;
  SequenceInputs inputs;
};

// The fairseq translation model (docs/models.md §1): x0 = drop(sqrt(d) E[tok] + P[pos]), sinusoidal
// positions, logits = x Eᵀ.
class EncoderDecoder : public SequenceModel {
 public:
  EncoderDecoder(const EncoderDecoderConfiguration& configuration, const OptionValues& options,
                 const torch::TensorOptions& tensors);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override;
  ResidualScheme& residual(StackKind stack) override;

  EncoderMemory encode(const torch::Tensor& sourceTokens, const StepContext& context) const override;
  torch::Tensor decoderHidden(const EncoderMemory& memory, const torch::Tensor& decoderTokens,
                              const StepContext& context) const override;
  torch::Tensor outputWeight() const override { return m_outputWeight; }
  DecodeState beginDecoding(const EncoderMemory& memory) const override;
  torch::Tensor decodeStep(DecodeState& state, const torch::Tensor& lastTokens) const override;

  std::int64_t padId() const override { return m_configuration.inputs.padId; }
  std::int64_t eosId() const override { return m_configuration.inputs.eosId; }
  std::int64_t targetVocabulary() const override { return m_configuration.inputs.targetVocabulary; }
  std::int64_t maxPositions() const override { return m_configuration.maxPositions; }

  // Position tables [positions, d] are buffers "encoder.position_table" and "decoder.position_table": a
  // folded Admin model multiplies them by omega_1.
  static const char* positionTable(StackKind stack);

 private:
  torch::Tensor addTable(const std::string& name, StackKind stack, std::int64_t rows, ParameterRole role);
  void checkLength(const torch::Tensor& tokens) const;
  // How a batch's padding is left out of a training step, if it is.
  RowPacking packingFor(const torch::Tensor& padding, const StepContext& context) const;
  torch::Tensor spansOf(const EncoderMemory& memory) const;
  torch::Tensor embed(StackKind stack, const torch::Tensor& table, const torch::Tensor& tokens,
                      const torch::Tensor& positions, const StepContext& context) const;

  EncoderDecoderConfiguration m_configuration;
  ParameterStore m_store;
  torch::Tensor m_sourceTable, m_targetTable, m_outputWeight;
  std::unique_ptr<TransformerStack> m_encoder, m_decoder;
};

}  // namespace fathom
