// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/nn/models/encoder_model.h"
#include "core/nn/models/encoder_training.h"
#include "core/nn/models/transformer_stack.h"

namespace fathom {

enum class BertHead { None, PreTraining, MaskedWords, Classification, MultipleChoice, Span };

// Rows of the position table. Row: 0, 1, ... (BERT). NonPad: pad id + running count of ids that are not pad,
// pads read row pad id (RoBERTa). RowFromTwo: 2, 3, ... over the whole row (DT-Fixup's released code).
enum class PositionRule { Row, NonPad, RowFromTwo };

// What the heads for classes and for choices read: the pooled vector, or the state of the first token.
enum class HeadInput { Pooled, First };

struct BertConfiguration {
  StackConfiguration encoder;  // setup.normEps is used by every layer norm of the model
  std::int64_t vocabulary = 0, maxPositions = 512, segments = 2, classes = 2;
  bool embeddingLayerNorm = true;
  double dropout = 0;
  BertHead head = BertHead::PreTraining;
  HeadInput headInput = HeadInput::Pooled;
  PositionRule positions = PositionRule::Row;
  std::int64_t padId = 0;      // read by PositionRule::NonPad
  std::int64_t rowGroups = 1;  // rows of a batch go through the layers in this many groups of similar length
  std::optional<StackConfiguration> extra;  // layers of its own kind between encoder and heads
  double extraInputDropout = 0;             // on what enters them
  EncoderTraining training = EncoderTraining::Whole;
  std::int64_t trainedLayers = 0;  // EncoderTraining::Top
};

// Options model.bert.*, shared with the models built on BERT, and what they say. Facts they read: vocabulary,
// pad_id.
std::vector<OptionField> bertFields();
BertConfiguration bertConfiguration(const OptionValues& options, const ModelInputs& inputs);

// BERT (docs/models.md §2): token + segment + learned position -> LN -> dropout; mask -10000 added;
// pooler tanh(dense([CLS])); MLM head dense + activation + LN with the tied table and a bias; the MLM
// transform uses the encoder's activation. With extra layers (model extra_layers) they read the
// encoder's output and heads read theirs.
class Bert : public EncoderModel {
 public:
  Bert(const BertConfiguration& configuration, const OptionValues& options,
       const torch::TensorOptions& tensors);
  // As a part of a larger model: its parameters, by the same names, in that model's store.
  Bert(ParameterStore& store, const BertConfiguration& configuration, const OptionValues& options);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override;
  ResidualScheme& residual(StackKind stack) override;

  // Sum of the three tables before layer norm and dropout [B, T, d].
  torch::Tensor embedded(const TextBatch& batch) const;
  torch::Tensor hidden(const TextBatch& batch, const StepContext& context) const override;
  // What taskLogits() reads: hidden(), or the states of the first tokens alone [B, 1, d] where the head reads
  // no others and the last layer need not compute them.
  torch::Tensor headStates(const TextBatch& batch, const StepContext& context) const;
  // hidden() in two steps: the encoder's states, and what the extra layers make of them. Layers that do not
  // learn make no graph and have no dropout, nor have the tables below them.
  torch::Tensor encoderStates(const TextBatch& batch, const StepContext& context) const;
  torch::Tensor extraStates(const torch::Tensor& states, const TextBatch& batch,
                            const StepContext& context) const;
  // headStates() in two steps, so that the first can be kept: the states above the layers that do not learn
  // [B, T, d], and what those that do make of them. Only where keepsStates().
  torch::Tensor frozenStates(const TextBatch& batch) const;
  torch::Tensor headStatesAbove(const torch::Tensor& frozen, const TextBatch& batch,
                                const StepContext& context) const;
  bool keepsStates() const;
  bool encoderLearns() const { return m_configuration.training != EncoderTraining::None; }
  torch::Tensor pooled(const torch::Tensor& hidden) const override;
  torch::Tensor maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const override;
  torch::Tensor maskedWeight() const override { return m_tokens; }
  torch::Tensor maskedBias() const override { return m_maskedBias; }
  bool hasNextSentence() const override { return m_configuration.head == BertHead::PreTraining; }
  torch::Tensor nextSentenceLogits(const torch::Tensor& pooled) const override;
  torch::Tensor taskLogits(const torch::Tensor& hidden, const StepContext& context) const override;

 private:
  struct Linear {
    torch::Tensor weight, bias;
  };
  Bert(StoreOwnership store, const BertConfiguration& configuration, const OptionValues& options);
  torch::Tensor addTable(const std::string& name, std::int64_t rows, ParameterRole role);
  Linear addLinear(const std::string& name, std::int64_t out);
  void addHeads();
  torch::Tensor layers(const TextBatch& batch, const StepContext& context) const;
  torch::Tensor encoderLayers(const torch::Tensor& x, const torch::Tensor& padding, const StackRange& range,
                              const StepContext& context) const;
  bool endsHere() const;
  std::int64_t frozenLayers() const;
  StepContext inEncoder(const StepContext& context) const;
  torch::Tensor encoderInput(torch::Tensor sum, const StepContext& context) const;
  torch::Tensor inGroups(const TextBatch& batch, const StepContext& context) const;
  bool watched(const StepContext& context) const;
  bool packs(const TransformerStack& stack, const TextBatch& batch, const StepContext& context) const;
  bool readsFirstAlone(const TransformerStack& last, const TextBatch& batch) const;
  RowPacking packingOf(const TextBatch& batch) const;
  torch::Tensor packedStates(const TextBatch& batch, const StepContext& context, bool firstAlone) const;
  torch::Tensor packedEncoder(const TextBatch& batch, const RowPacking& packing, const StepContext& context,
                              bool firstAlone) const;
  torch::Tensor packedExtra(const torch::Tensor& rows, const RowPacking& packing, const TextBatch& batch,
                            const StepContext& context, bool firstAlone) const;
  torch::Tensor packedEmbedded(const TextBatch& batch, const RowPacking& packing) const;
  torch::Tensor placeIds(const torch::Tensor& tokens) const;
  bool poolsForHead() const;
  torch::Tensor placeRows(const torch::Tensor& tokens) const;

  BertConfiguration m_configuration;
  std::unique_ptr<ParameterStore> m_ownStore;  // null as a part
  ParameterStore& m_store;
  torch::Tensor m_tokens, m_segments, m_positions;
  LayerNorm m_embeddingNorm, m_maskedNorm;
  std::unique_ptr<TransformerStack> m_encoder, m_extra;  // m_extra may be null
  Linear m_pooler, m_maskedTransform, m_nextSentence, m_task;
  torch::Tensor m_maskedBias;
};

}  // namespace fathom
