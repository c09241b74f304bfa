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

// Rows of the position table. Row: 0, 1, ... (BERT). NonPad: pad id + running count of ids that are not pad,
// pads read row pad id (RoBERTa). RowFromTwo: 2, 3, ... over the whole row (DT-Fixup's released code).
enum class PositionRule { Row, NonPad, RowFromTwo };

struct BertConfiguration {
  StackConfiguration encoder;  // setup.normEps is used by every layer norm of the model
  std::int64_t vocabulary = 0, maxPositions = 512, segments = 2;
  bool embeddingLayerNorm = true;
  double dropout = 0;
  std::string head = "pretraining";  // entry id in heads.list
  ModelInputs facts;                 // for the head
  PositionRule positions = PositionRule::Row;
  std::int64_t padId = 0;      // read by PositionRule::NonPad
  std::int64_t rowGroups = 1;  // rows of a batch go through the layers in this many groups of similar length
  std::optional<StackConfiguration> extra;  // layers of its own kind between encoder and heads
  double extraInputDropout = 0;             // on what enters them
  EncoderTraining training = EncoderTraining::Whole;
  std::int64_t trainedLayers = 0;  // EncoderTraining::Top
};

// Of the models built on BERT: where their options are, and what heads may read.
inline const std::string kBertPrefix = "model.bert";
inline const std::vector<Representation> kBertOffers = {Representation::Tokens, Representation::Pooled};

// Options model.bert.*, and what they say. Facts they read: vocabulary, pad_id.
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
  torch::Tensor headStates(const TextBatch& batch, const StepContext& context) const override;
  // hidden() in two steps: the encoder's states, and what the extra layers make of them. Layers that do not
  // learn make no graph and have no dropout, nor have the tables below them.
  torch::Tensor encoderStates(const TextBatch& batch, const StepContext& context) const;
  torch::Tensor extraStates(const torch::Tensor& states, const TextBatch& batch,
                            const StepContext& context) const;
  torch::Tensor frozenStates(const TextBatch& batch) const override;
  torch::Tensor headStatesAbove(const torch::Tensor& frozen, const TextBatch& batch,
                                const StepContext& context) const override;
  bool keepsStates() const override;
  bool encoderLearns() const override { return m_configuration.training != EncoderTraining::None; }
  torch::Tensor pooled(const torch::Tensor& hidden) const override;

 private:
  Bert(StoreOwnership store, const BertConfiguration& configuration, const OptionValues& options);
  torch::Tensor addTable(const std::string& name, std::int64_t rows, ParameterRole role);
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
  torch::Tensor placeRows(const torch::Tensor& tokens) const;

  BertConfiguration m_configuration;
  std::unique_ptr<ParameterStore> m_ownStore;  // null as a part
  ParameterStore& m_store;
  torch::Tensor m_tokens, m_segments, m_positions;
  LayerNorm m_embeddingNorm;
  std::unique_ptr<TransformerStack> m_encoder, m_extra;  // m_extra may be null
  HeadMap m_pooler;                                      // undefined where the head has no use for it
};

}  // namespace fathom
