// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/nn/heads/etc_heads.h"
#include "core/nn/models/long_model.h"
#include "core/objectives/objective.h"

namespace fathom {

// Outputs of a task's head for a batch, in the task's own order.
using HeadOutputs = std::vector<torch::Tensor>;

// Base of objectives of tasks on long documents (core/tasks/long_text/long_text_task.h): both streams of
// a model of two, the walk over a part, which models they take. A batch whose gold is not there has
// predictions and no loss.
class LongTextObjective : public Objective {
 public:
  LossTerms forward(const Model& model, const DeviceBatch& batch, const StepContext& context) const override;
  TokenMasks realTokens(const DeviceBatch& batch) const override;
  NamedValues trainingValues(double lossSum, double units, const NamedValues& means) const override;
  Evaluation evaluate(const Model& model, const Task& task, const EvaluationRequest& request) const override;
  std::vector<Prediction> predict(const Model& model, const DeviceBatch& batch, std::string_view decoding,
                                  const StopToken& stop) const override;

 protected:
  // The model's input of a batch; a task that has more to say (visual features) adds it here.
  virtual LongBatch input(const DeviceBatch& batch) const;
  // Last states of both streams through the model's head.
  virtual HeadOutputs outputs(const LongModel& model, const GlobalLocal::Streams& states,
                              const DeviceBatch& batch) const = 0;
  // Loss terms of a batch with gold. The first of the sums is what an evaluation is judged by.
  virtual LossTerms terms(const HeadOutputs& outputs, const DeviceBatch& batch) const = 0;
  // One for each example of the batch. Outputs are on the CPU in float64, contiguous.
  virtual std::vector<Prediction> predictions(const HeadOutputs& outputs, const DeviceBatch& batch) const = 0;

 private:
  HeadOutputs outputsOf(const Model& model, const DeviceBatch& batch, const StepContext& context) const;
};

// Both streams of a batch of putLongRows (core/tasks/long_text/long_rows.h).
LongBatch longBatchOf(const DeviceBatch& batch);
// Bool [B, n] and [B, g]: padding of the streams.
torch::Tensor longPadding(const DeviceBatch& batch);
torch::Tensor globalPadding(const DeviceBatch& batch);

// Rules of such an objective: a model on which the head `head` fits, with that head.
std::vector<OptionRule> longHeadRules(const std::string& head, const char* whyHead);
Status acceptsLong(const Model& model);

}  // namespace fathom
