// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/nn/attention/attention.h"

namespace fathom {

// What a running sum S is divided by in the logits of a layer: 1 but for a mean.
double chainDivisor(ScoreChain kind, std::int64_t layer);

// Mask, softmax and dropout of a layer's scores, or of their running sum, where a device has our kernels; its
// reference is what the attentions write in LibTorch's operations.
struct ChainedSoftmax {
  double divisor = 1;  // of the scores: layer + 1 of a running mean
  double dropout = 0;
  std::uint64_t seed = 0;  // of the dropout
};
// Of `chain`, the sum S of this layer, a chain of another layer takes its own: the gradients of a chain are
// then added up in one tensor.
struct KeptProbabilities {
  torch::Tensor kept;   // [B, H, T, S] what meets the values
  torch::Tensor chain;  // S [B, H, T, S], to be handed on
};

bool chainedSoftmaxFits(const torch::Tensor& scores, const AttentionMask& mask);
KeptProbabilities chainedSoftmax(const torch::Tensor& scores, const AttentionMask& mask,
                                 const ChainedSoftmax& how);

}  // namespace fathom
