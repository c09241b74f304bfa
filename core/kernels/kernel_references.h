// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/device_norm.h"
#include "core/kernels/device_relations.h"
#include "core/kernels/device_softmax.h"

namespace fathom {

// What the families compute in LibTorch's operations, on any device and in any format, with autograd: what
// tests compare the kernels with.

// base + x * kept / (1 - p); base may be undefined.
torch::Tensor referenceDropout(const torch::Tensor& x, const torch::Tensor& base, double p,
                               std::uint64_t seed);
// y of the joined norm.
torch::Tensor referenceNorm(const DeviceNorm& norm);

// Scores [B, H, T, S]; the format of probabilities is that of the scores.
DeviceProbabilities referenceSoftmax(const torch::Tensor& scores, const DeviceSoftmax& how);
// [N, d] of projected [N, 3d]; reads the plan on the host. std::out_of_range where an id is outside
// of the tables.
torch::Tensor referenceRelations(const torch::Tensor& projected, const DeviceRelations& how);

}  // namespace fathom
