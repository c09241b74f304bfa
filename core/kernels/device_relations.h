// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

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

bool deviceRelationsFit(const torch::TensorOptions& rows, std::int64_t headWidth, std::int64_t types);
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
