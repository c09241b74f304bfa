// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

// Dropout of tensors on a device with the masks of the processor (mask_bits.h): one kernel, no mask kept.
bool deviceDropoutFits(const torch::TensorOptions& tensors);
// base + x * kept / (1 - p), base may be undefined. No autograd: its backward pass is itself, of gradients.
torch::Tensor deviceDropout(const torch::Tensor& x, const torch::Tensor& base, double p, std::uint64_t seed);
// The same in LibTorch's operations, on any device: what tests compare with.
torch::Tensor referenceDropout(const torch::Tensor& x, const torch::Tensor& base, double p,
                               std::uint64_t seed);

}  // namespace fathom
