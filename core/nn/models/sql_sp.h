// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/nn/models/bert.h"
#include "core/nn/models/encoder_training.h"
#include "core/nn/models/query_model.h"

namespace fathom {

struct SqlSpConfiguration {
  BertConfiguration encoder;
  SqlNetworkSetup network;  // `inputs` is the encoder's width
  EncoderTraining training = EncoderTraining::Whole;
  std::int64_t trainedLayers = 0;  // EncoderTraining::Top
};
// Facts it reads: vocabulary, pad_id, relation_types.
SqlSpConfiguration sqlSpConfiguration(const OptionValues& options, const ModelInputs& inputs);

// DT-Fixup's parser of questions into SQL (docs/models.md §5): a pre-trained encoder and the network on top
// of it, one store, one checkpoint. The encoder's names are those of BERT, so that weights are imported into
// it alike; the stack is "extra.".
class SqlSp : public QueryModel {
 public:
  SqlSp(const SqlSpConfiguration& configuration, const OptionValues& options,
        const torch::TensorOptions& tensors);
  const std::string& id() const override;
  ParameterStore& parameters() override { return m_store; }
  std::vector<StackDescription> stacks() const override;
  ResidualScheme& residual(StackKind stack) override;

  torch::Tensor pieceStates(const TextBatch& rows, const StepContext& context) const override;
  const SqlNetwork& network() const override { return *m_network; }
  bool encoderLearns() const override { return m_configuration.training != EncoderTraining::None; }

 private:
  SqlSpConfiguration m_configuration;
  ParameterStore m_store;
  std::unique_ptr<Bert> m_encoder;
  std::unique_ptr<SqlNetwork> m_network;
};

}  // namespace fathom
