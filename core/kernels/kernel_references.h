// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/device_relations.h"
#include "core/kernels/device_softmax.h"

namespace fathom {

// What the families compute in LibTorch's operations, on any device and in any format, with autograd: what
// tests compare the kernels with (referenceDropout and referenceNorm are beside their host halves).

// Scores [B, H, T, S]; the format of probabilities is that of the scores.
DeviceProbabilities referenceSoftmax(const torch::Tensor& scores, const DeviceSoftmax& how);
// [N, d] of projected [N, 3d]; reads the plan on the host. std::out_of_range where an id is outside
// of the tables.
torch::Tensor referenceRelations(const torch::Tensor& projected, const DeviceRelations& how);

}  // namespace fathom
