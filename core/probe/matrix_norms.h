// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

#include "core/analysis/norms/epoch_norm.h"
#include "core/nn/models/model.h"
#include "core/nn/step_context.h"

namespace fathom {

// The summed loss of one batch.
using BatchLoss = std::function<torch::Tensor(const StepContext&)>;

// Query, key, value and output matrices of every attention that learns: what Admin Figs 5 and 11 follow.
// Copies on the CPU, float64, in the order of the parameters.
std::vector<torch::Tensor> attentionMatrices(const Model& model);

// Norms of those matrices: of the gradient of the sum of `losses`, one of each batch (evaluation mode;
// gradients held by the parameters stay as they are), and of what changed since `before` (attentionMatrices
// of an earlier moment; empty = unknown, NaN). A model without attention gives an empty list.
std::vector<MatrixNorm> matrixNorms(const Model& model, const std::vector<BatchLoss>& losses,
                                    StepContext context, const std::vector<torch::Tensor>& before);

}  // namespace fathom
