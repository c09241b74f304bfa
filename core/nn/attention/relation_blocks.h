// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/nn/row_packing.h"

namespace fathom {

// Relation ids as the fused attention reads them: for each sequence the block [count, count] of its real
// positions, one block behind the other, int32 [sum of count^2 + 8] on the CPU. relations: int64 [B, n, n].
// Data error for an id that is not in [0, types).
torch::Tensor relationBlocks(const torch::Tensor& relations, const RowPacking& packing, std::int64_t types);

// Ids that come as blocks already: uint8 [sum of count^2] on the CPU, [query][key], one sequence behind the
// other. The same blocks for the fused attention of the processor, or what ours of another device reads of
// them (deviceRelationPlan()); and padded for the plain one, int64 [B, n, n] with 0 at padding, on `device`.
// Internal error where their number does not fit the packing.
torch::Tensor relationBlocks(const torch::Tensor& ids, const torch::Tensor& spans, std::int64_t types,
                             const torch::Device& device = torch::kCPU);
torch::Tensor relationMatrices(const torch::Tensor& ids, const RowPacking& packing, std::int64_t types,
                               const torch::Device& device);

}  // namespace fathom
