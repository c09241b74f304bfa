// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/kernel_pass.h"
#include "core/kernels/mask_bits.h"
#include "core/kernels/number_format.h"

namespace fathom {

// Softmax of attention scores or of their running sum S (docs/score_chain.md §1), and dropout of it, row by
// row: logits = S / divisor under the mask, p = softmax(logits), kept = p * mask. Scores and their gradients
// are float32, of float64 tensors float64; probabilities are of `format`. A row all of whose keys are hidden
// by minus infinity is NaN, as LibTorch's softmax has it.
struct ChainSoftmaxCall {
  NumberFormat format = NumberFormat::Float32;  // of probabilities, kept and its gradient
  std::int64_t batch = 0, heads = 0, queries = 0, keys = 0;
  const void* scores = nullptr;  // [batch, heads, queries, keys]; forward alone
  double divisor = 1;            // 1, or layer + 1 of a running mean
  // 1 where a query does not see a key: number (sequence * hiddenBatchStride + query * hiddenQueryStride +
  // key), strides 0 where sequences or queries are alike; null: every key is seen.
  const std::uint8_t* hidden = nullptr;
  std::int64_t hiddenBatchStride = 0, hiddenQueryStride = 0;
  bool causal = false;            // a query sees no later key
  bool replaces = false;          // hidden logits become `masked`, else it is added to them
  double masked = 0;              // minus infinity, -10000, -1e9
  MaskRule mask;                  // of the probabilities, by their place in the tensor
  double wideScale = 1;           // 1 / (1 - p) for float64; others take the mask's
  void* probabilities = nullptr;  // forward writes, backward reads
  void* kept = nullptr;           // forward alone; null without dropout
};

// gradient of the scores, added to what `running` has where `adds`, else written: one buffer for all layers
// of a chain.
struct ChainSoftmaxGradients {
  const void* kept = nullptr;
  void* running = nullptr;  // [batch, heads, queries, keys]
  bool adds = false;
};

// CUDA's error, 0 for none.
int launchChainSoftmax(const ChainSoftmaxCall& call, void* stream);
int launchChainSoftmax64(const ChainSoftmaxCall& call, void* stream);
int launchChainSoftmaxBackward(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients,
                               void* stream);
int launchChainSoftmaxBackward64(const ChainSoftmaxCall& call, const ChainSoftmaxGradients& gradients,
                                 void* stream);

inline constexpr KernelPass<ChainSoftmaxCall> kChainSoftmaxPass{"chain_softmax"};
inline constexpr KernelPass<ChainSoftmaxCall, ChainSoftmaxGradients> kChainSoftmaxBackwardPass{
    "chain_softmax_backward"};

}  // namespace fathom
