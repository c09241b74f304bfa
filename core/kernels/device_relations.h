// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/kernels/kernel_way.h"
#include "core/kernels/relation_attention.h"

namespace fathom {

// Longest sequence that is attended in packed rows.
inline constexpr std::int64_t kLongestPacked = 512;
// Attention of whole sequences over packed rows, a head in a core's cache.
inline constexpr KernelNeeds kShortAttentionNeeds{.formats = kVectorNeeds.formats,
                                                  .mixed = kVectorNeeds.mixed,
                                                  .vectors = true,
                                                  .widthUnit = 8,
                                                  .longest = kLongestPacked};
// Attention with relations by id over packed rows. A device packs only what the processor packs, too: dropout
// of a stream counts its rows.
inline constexpr KernelWays kRelationAttention{.lanes = kShortAttentionNeeds,
                                               .plugin = KernelNeeds{.formats = {torch::kFloat32},
                                                                     .mixed = MixedPrecision::HalfApart,
                                                                     .vectors = true,
                                                                     .widthUnit = 8,
                                                                     .widest = kWidestRelationHead,
                                                                     .longest = kLongestPacked,
                                                                     .mostTypes = kMostRelations}};

// Self attention with relations by id over packed rows on a device, one kernel forward and two backward
// (relation_attention.h). Rows and tables have one number format.
struct DeviceRelations {
  torch::Tensor keys, values;  // tables [types, width of a head], contiguous
  torch::Tensor plan;          // deviceRelationPlan() on the device
  std::int64_t sequences = 0, longest = 0, heads = 1;
  bool causal = false;
  double dropout = 0;      // on the probabilities
  std::uint64_t seed = 0;  // of the dropout
};
struct DeviceRelationRows {
  torch::Tensor out;    // [N, d]
  torch::Tensor stats;  // [N, heads], for the gradients
};
struct DeviceRelationGradients {
  torch::Tensor projected, keys, values;
};

// What the kernels read of a batch, to be sent to the device: spans [B, 2], where the ids of each sequence
// begin, ids. Of uint8 ids, a block [count, count] for each span, one behind the other, all below `types`;
// int64 on the processor.
torch::Tensor deviceRelationPlan(const torch::Tensor& ids, const torch::Tensor& spans);
// projected [N, 3d] query, key, value; every row is in a span. No autograd.
DeviceRelationRows deviceRelations(const torch::Tensor& projected, const DeviceRelations& how);
DeviceRelationGradients deviceRelationsBackward(const torch::Tensor& projected, const DeviceRelations& how,
                                                const DeviceRelationRows& rows,
                                                const torch::Tensor& gradient);

}  // namespace fathom
