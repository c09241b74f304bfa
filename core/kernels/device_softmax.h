// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/kernels/kernel_way.h"

namespace fathom {

inline constexpr KernelWays kChainSoftmax{.plugin =
                                              KernelNeeds{.formats = {torch::kFloat32, torch::kFloat64}}};

// Mask, softmax and dropout of attention scores, or of their running sum, on a device in one kernel each way
// (chain_softmax.h). Scores [B, H, T, S] contiguous.
struct DeviceSoftmax {
  double divisor = 1;    // of the scores: layer + 1 of a running mean
  torch::Tensor hidden;  // bool [1 or B, 1, 1 or T, S], contiguous; undefined: every key is seen
  bool causal = false;   // a query sees no later key
  bool replaces = false;
  double masked = 0;  // what is added to hidden logits, or replaces them
  double dropout = 0;
  std::uint64_t seed = 0;                           // of the dropout
  torch::ScalarType probabilities = torch::kFloat;  // their format: of float64 scores float64
};
struct DeviceProbabilities {
  torch::Tensor all;   // [B, H, T, S]
  torch::Tensor kept;  // behind the dropout; `all` without one
};

// No autograd.
DeviceProbabilities deviceSoftmax(const torch::Tensor& scores, const DeviceSoftmax& how);
// Gradient of the scores: added to what `running` has, or a new tensor where it is undefined.
torch::Tensor deviceSoftmaxBackward(const torch::Tensor& probabilities, const torch::Tensor& keptGradient,
                                    const torch::Tensor& running, const DeviceSoftmax& how);

}  // namespace fathom
