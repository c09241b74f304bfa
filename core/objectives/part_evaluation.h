// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "core/nn/models/encoder_model.h"
#include "core/objectives/judged_batches.h"

namespace fathom {

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
