// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/nn/models/encoder_model.h"
#include "core/objectives/objective.h"

namespace fathom {

// Results of a batch of a part: loss terms where its gold is known, a prediction for each example.
struct JudgedBatch {
  std::optional<LossTerms> terms;
  std::vector<Prediction> predictions;
};

// Number of batches of the part; the walk over them is announced to the request's progress. Throws Failure
// where there are none.
std::int64_t beginPart(const Task& task, const EvaluationRequest& request);

// Objective::evaluate of tasks that are judged batch by batch: sums over the part, completed predictions,
// their scores where every batch has gold. The first of the sums is what an evaluation is judged by. Called
// without gradients. Throws Failure.
Evaluation evaluatePart(const Task& task, const EvaluationRequest& request, const torch::Device& device,
                        const std::function<JudgedBatch(const DeviceBatch&)>& judge);

// True if the batch has what the loss of the model's head reads (HeadEntry::lossInputs).
bool brings(const DeviceBatch& batch, const EncoderModel& model);

// {"loss"} and the means: a perplexity of so few answers means nothing.
NamedValues lossAndMeans(double lossSum, double units, const NamedValues& means);

}  // namespace fathom
