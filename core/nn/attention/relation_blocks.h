// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/nn/attention/short_attention.h"
#include "core/nn/row_packing.h"

namespace fathom {

// Relation ids as the fused attention reads them: for each sequence the block [count, count] of its real
// positions, one block behind the other, int32 [sum of count^2 + 8] on the CPU. relations: int64 [B, n, n].
// Data error for an id that is not in [0, types).
torch::Tensor relationBlocks(const torch::Tensor& relations, const RowPacking& packing, std::int64_t types);

// Self attention with relation terms by id, one head in one core's cache, forward and backward
// (text2sql.md §1.4); nothing of size n x n is kept but the probabilities of the heads.
// projected [N, 3d] holds query, key, value; blocks from relationBlocks for the spans of `how`; tables
// [types, d/H], shared by the heads. Result [N, d]. Where shortAttentionFits().
torch::Tensor relationAttention(const torch::Tensor& projected, const torch::Tensor& relationKeys,
                                const torch::Tensor& relationValues, const torch::Tensor& blocks,
                                const ShortAttention& how);

}  // namespace fathom
