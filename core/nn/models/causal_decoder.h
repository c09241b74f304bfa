// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/causal_model.h"
#include "core/nn/models/transformer_stack.h"

namespace fathom {

struct CausalConfiguration {
  StackConfiguration decoder;  // without cross attention; setup.normEps is used by every layer norm
  std::int64_t vocabulary = 0, maxPositions = 1024;
  double dropout = 0;               // on the input of the layers
  std::string head = "next_words";  // entry id in heads.list
  ModelInputs facts;                // for the head
};

// GPT-2 (docs/models.md §6): token + learned position -> dropout -> layers in which no place sees a later
// one. With the residual scheme pre_ln, activation gelu_tanh and a norm on top it is GPT-2 itself; logits are
// x Eᵀ.
class CausalDecoder final : public CausalModel {
 public:
  CausalDecoder(const CausalConfiguration& configuration, const OptionValues& options,
                const torch::TensorOptions& tensors);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override { return {m_decoder->description()}; }
  ResidualScheme& residual(StackKind) override { return m_decoder->residual(); }

  // Padding stands behind the texts, where nobody sees it.
  torch::Tensor hidden(const TextBatch& batch, const StepContext& context) const override;
  torch::Tensor pooled(const torch::Tensor& hidden) const override;
  DecodeState beginText(std::int64_t rows) const override;
  torch::Tensor readToken(DecodeState& state, const torch::Tensor& tokens) const override;
  std::int64_t maxPositions() const override { return m_configuration.maxPositions; }

 private:
  torch::Tensor embedded(const torch::Tensor& tokens, std::int64_t first, const StepContext& context) const;

  CausalConfiguration m_configuration;
  ParameterStore m_store;
  torch::Tensor m_tokens, m_positions;
  std::unique_ptr<TransformerStack> m_decoder;
};

// Options model.causal_decoder.*. Facts they read: vocabulary.
std::vector<OptionField> causalDecoderFields();
CausalConfiguration causalConfiguration(const OptionValues& options, const ModelInputs& inputs);

}  // namespace fathom
