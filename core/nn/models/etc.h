// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/etc_stack.h"
#include "core/nn/models/long_model.h"

namespace fathom {

// Numbers that the data give for each global token (OpenKP: where a block stands on the page): mapped and
// added to the inputs of the global stream, or also to those of the long tokens of its sentence.
enum class EtcFeatures { None, Global, Both };
inline constexpr std::int64_t kGlobalFeatures = 8;

struct EtcConfiguration {
  StackConfiguration encoder;  // setup.normEps is used by every layer norm of the model
  GlobalLocalRules rules;
  std::int64_t vocabulary = 0, segments = 16;
  bool embeddingLayerNorm = true;
  double dropout = 0;
  std::string head = "masked_words";  // entry id in heads.list
  ModelInputs facts;                  // for the head
  EtcFeatures features = EtcFeatures::None;
  // Where the data bring no global tokens: one for each run of so many long tokens, of this id.
  std::int64_t globalRun = 64, globalToken = 1;
};

// ETC (Ainslie et al. 2020; docs/long_inputs.md): a long and a global stream, no absolute positions. One
// token and one segment table for both, a layer norm per stream on the input. MLM head as BERT's, on the long
// stream.
class Etc : public LongModel {
 public:
  Etc(const EtcConfiguration& configuration, const OptionValues& options,
      const torch::TensorOptions& tensors);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override { return m_layers->descriptions(); }
  ResidualScheme& residual(StackKind stack) override { return m_layers->residual(stack); }

  GlobalLocal::Streams embedded(const LongBatch& batch, const StepContext& context) const;
  GlobalLocal::Streams streams(const LongBatch& batch, const StepContext& context) const override;
  // Global tokens by runs (runsOfTokens).
  LongBatch withGlobals(const TextBatch& batch) const;

  // Of a text without global tokens: the long stream, and BERT's pooler over its first token.
  torch::Tensor hidden(const TextBatch& batch, const StepContext& context) const override;
  torch::Tensor pooled(const torch::Tensor& hidden) const override;

 private:
  EtcConfiguration m_configuration;
  std::unique_ptr<ParameterStore> m_ownStore;
  ParameterStore& m_store;
  torch::Tensor m_tokens, m_segments, m_featureWeight, m_featureBias;
  LayerNorm m_longNorm, m_globalNorm;
  std::unique_ptr<EtcStack> m_layers;
  HeadMap m_pooler;  // of the first long token; undefined where the head has no use for it
};

// Options model.etc.*. Facts they read: vocabulary.
std::vector<OptionField> etcFields();
EtcConfiguration etcConfiguration(const OptionValues& options, const ModelInputs& inputs);

}  // namespace fathom
