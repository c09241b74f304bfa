// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/nn/models/encoder_model.h"
#include "core/objectives/encoder_features.h"
#include "core/objectives/objective.h"

namespace fathom {

// Base of objectives of tasks on encoded texts (core/tasks/encoded_text_task.h): states of the encoder,
// those of a frozen one from its features; the walk over a part; which models they take. A batch whose gold
// is not there has predictions and no loss.
class EncodedTextObjective : public Objective {
 public:
  explicit EncodedTextObjective(const OptionValues& options) : m_options(options) {}
  bool prepare(const Model& model, const Task& task, const PrepareRequest& request) override;
  std::int64_t preparedBytes() const override { return m_features.bytes(); }
  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override;
  std::optional<PassFacts> passFacts(const DeviceBatch& batch) const override;
  TokenMasks realTokens(const DeviceBatch& batch) const override;
  NamedValues trainingValues(double lossSum, double units, const NamedValues& means) const override;
  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override;
  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view decoding,
                                  const StopToken& stop) const override;

 protected:
  // The head's output for the rows of a batch: [R, ...], as it is.
  torch::Tensor logits(const Model& model, const DeviceBatch& batch, const StepContext& context) const;
  // Asked of a batch that brings what the loss of the head reads (HeadEntry::lossInputs).
  virtual bool hasGold(const DeviceBatch&) const { return true; }
  // Tensors that terms() sends to the device, as PassFacts::uploads.
  virtual std::vector<torch::Tensor> termUploads(const DeviceBatch&) const { return {}; }
  // Loss terms of a batch with gold. The first of the sums is what an evaluation is judged by.
  virtual LossTerms terms(const torch::Tensor& logits, const DeviceBatch& batch) const = 0;
  // One for each example of the batch. Logits are on the CPU in float64.
  virtual std::vector<Prediction> predictions(const torch::Tensor& logits,
                                              const DeviceBatch& batch) const = 0;

 private:
  torch::Tensor states(const Model& model, const TextBatch& text, const StepContext& context) const;

  OptionValues m_options;
  EncoderFeatures m_features;
};

// Rules of such an objective: a model on which the head `head` fits, with that head, and rows of at most as
// many tokens as option `lengthKey` says.
std::vector<OptionRule> encoderHeadRules(const std::string& head, const char* whyHead,
                                         const std::string& lengthKey);
Status acceptsEncoder(const Model& model);
// Failure where the position table is too short for the longest row of the task.
void checkPositions(const OptionValues& options, const Task& task, const std::string& lengthKey);

}  // namespace fathom
