// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/nn/attention/attention.h"

namespace fathom {

// Whether shortAttention() can do this attention: kShortAttentionNeeds (device_relations.h), no score chain,
// nobody who wants to see scores.
bool shortAttentionFits(const AttentionSetup& setup, const torch::TensorOptions& tensors,
                        std::int64_t longestKeys);

struct ShortAttention {
  torch::Tensor querySpans, keySpans;  // int64 [B, 2] on the CPU: first row and count of each sequence
  std::int64_t heads = 1;
  bool causal = false;
  double dropout = 0;      // on the probabilities
  std::uint64_t seed = 0;  // of the dropout
};

// Relation terms by id (docs/attention.md §3): tables [types, d/H], shared by the heads, and the ids that
// relationBlocks() made for the spans of the attention.
struct ShortRelations {
  torch::Tensor keys, values, blocks;
};

// Softmax attention of whole sequences, one head in one core's cache, forward and backward (docs/attention.md
// §1). Reads and writes rows of streams, so neither heads are copied apart nor padding is computed.
// Self attention: projected [N, 3d] holds query, key, value. Result [N, d]; rows outside the spans are 0.
torch::Tensor shortAttention(const torch::Tensor& projected, const ShortAttention& how);
// The same with relation terms; nothing of size n x n is kept but the probabilities.
torch::Tensor shortAttention(const torch::Tensor& projected, const ShortRelations& relations,
                             const ShortAttention& how);
// Cross attention: query [N, d], keyValue [M, 2d].
torch::Tensor shortAttention(const torch::Tensor& query, const torch::Tensor& keyValue,
                             const ShortAttention& how);

}  // namespace fathom
