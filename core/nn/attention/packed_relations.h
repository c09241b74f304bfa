// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/kernels/kernel_way.h"
#include "core/nn/attention/attention.h"

namespace fathom {

// How relation-aware attention of such weights is computed: over packed rows by the processor
// (short_attention.h) or a device's plug-in (below), or as relation_aware.cpp writes it in LibTorch's
// operations.
KernelWay packedRelationsWay(const AttentionSetup& setup, const torch::TensorOptions& tensors,
                             std::int64_t longest);

struct PackedRelations {
  torch::Tensor keys, values;  // tables [types, d/H]
  torch::Tensor plan;          // deviceRelationPlan() on the device
  torch::Tensor spans;         // int64 [B, 2] on the processor
  std::int64_t heads = 1;
  bool causal = false;
  double dropout = 0;      // on the probabilities
  std::uint64_t seed = 0;  // of the dropout
};
// projected [N, 3d] of the device; result [N, d].
torch::Tensor packedRelations(const torch::Tensor& projected, const PackedRelations& how);

}  // namespace fathom
