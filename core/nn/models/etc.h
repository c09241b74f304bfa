// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/nn/models/encoder_model.h"
#include "core/nn/models/etc_heads.h"
#include "core/nn/models/etc_stack.h"

namespace fathom {

// Numbers that the data give for each global token (OpenKP: where a block stands on the page): mapped and
// added to the inputs of the global stream, or also to those of the long tokens of its sentence.
enum class EtcFeatures { None, Global, Both };
inline constexpr std::int64_t kGlobalFeatures = 8;

enum class EtcHead { None, MaskedWords, Candidates, SupportedSpan, PageAnswers, Phrases };

struct EtcConfiguration {
  StackConfiguration encoder;  // setup.normEps is used by every layer norm of the model
  GlobalLocalRules rules;
  std::int64_t vocabulary = 0, segments = 16;
  bool embeddingLayerNorm = true;
  double dropout = 0;
  EtcHead head = EtcHead::MaskedWords;
  std::int64_t headBlock = 0;      // of candidates: width inside a residual block before them, 0: none
  std::int64_t longestPhrase = 5;  // of phrases: words
  EtcFeatures features = EtcFeatures::None;
  // Where the data bring no global tokens: one for each run of so many long tokens, of this id.
  std::int64_t globalRun = 64, globalToken = 1;
};

// A padded batch of both streams.
struct LongBatch {
  torch::Tensor tokens, segments;              // int64 [B, n]; segments may be undefined: all 1
  torch::Tensor globalTokens, globalSegments;  // int64 [B, g]; segments may be undefined: all 0
  LongStructure structure;
  torch::Tensor globalFeatures = {};  // float [B, g, 8], or undefined: the data have none
};

// The structure of texts that bring none: one context, a global token for each run of `run` tokens, as the
// sentence of a text would have one. padding [B, n] bool or undefined.
LongStructure runsOfTokens(const torch::Tensor& padding, std::int64_t batch, std::int64_t length,
                           std::int64_t run);

// ETC (Ainslie et al. 2020; docs/long_inputs.md): a long and a global stream, no absolute positions. One
// token and one segment table for both, a layer norm per stream on the input. MLM head as BERT's, on the long
// stream.
class Etc : public EncoderModel {
 public:
  Etc(const EtcConfiguration& configuration, const OptionValues& options,
      const torch::TensorOptions& tensors);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override { return m_layers->descriptions(); }
  ResidualScheme& residual(StackKind stack) override { return m_layers->residual(stack); }

  GlobalLocal::Streams embedded(const LongBatch& batch, const StepContext& context) const;
  GlobalLocal::Streams streams(const LongBatch& batch, const StepContext& context) const;
  // Heads over both streams; a usage error where the configuration has another one.
  const CandidateHead& candidates() const;
  const HotpotHead& supportedSpan() const;
  const NqHead& pageAnswers() const;
  const PhraseHead& phrases() const;

  // Global tokens by runs (runsOfTokens).
  LongBatch withGlobals(const TextBatch& batch) const;

  // Of a text without global tokens: the long stream.
  torch::Tensor hidden(const TextBatch& batch, const StepContext& context) const override;
  torch::Tensor pooled(const torch::Tensor& hidden) const override;
  torch::Tensor maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const override;
  torch::Tensor maskedWeight() const override { return m_tokens; }
  torch::Tensor maskedBias() const override { return m_maskedBias; }
  bool hasNextSentence() const override { return false; }
  torch::Tensor nextSentenceLogits(const torch::Tensor& pooled) const override;
  torch::Tensor taskLogits(const torch::Tensor& hidden, const StepContext& context) const override;

 private:
  EtcConfiguration m_configuration;
  std::unique_ptr<ParameterStore> m_ownStore;
  ParameterStore& m_store;
  torch::Tensor m_tokens, m_segments, m_featureWeight, m_featureBias;
  LayerNorm m_longNorm, m_globalNorm, m_maskedNorm;
  std::unique_ptr<EtcStack> m_layers;
  void addMaskedWords();
  void addHead();
  std::optional<CandidateHead> m_candidates;
  std::optional<HotpotHead> m_supportedSpan;
  std::optional<NqHead> m_pageAnswers;
  std::optional<PhraseHead> m_phrases;
  torch::Tensor m_transformWeight, m_transformBias, m_maskedBias;
};

// Options model.etc.*. Facts they read: vocabulary.
std::vector<OptionField> etcFields();
EtcConfiguration etcConfiguration(const OptionValues& options, const ModelInputs& inputs);

}  // namespace fathom
