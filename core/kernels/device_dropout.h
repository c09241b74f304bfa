// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/kernels/kernel_way.h"

namespace fathom {

// Dropout, with and without an addition. Whichever way is taken, the mask is mask_bits.h's: entry i of the
// flat tensor is kept or dropped by seed and i alone.
inline constexpr KernelWays kSeededDropout{
    .lanes = KernelNeeds{.formats = {torch::kFloat32, torch::kFloat64}},
    .plugin = KernelNeeds{.formats = {torch::kFloat32, torch::kBFloat16, torch::kFloat64}}};

// The plug-in's: base + x * kept / (1 - p), base may be undefined; one kernel, no mask kept. No autograd: its
// backward pass is itself, of gradients.
torch::Tensor deviceDropout(const torch::Tensor& x, const torch::Tensor& base, double p, std::uint64_t seed);

// LibTorch's operations, on any device and of any floating-point format: x * kept / (1 - p). With autograd,
// for which the mask is kept, a byte an element.
torch::Tensor plainDropout(const torch::Tensor& x, double p, std::uint64_t seed);
// Its mask: bool [count], true where an entry is kept.
torch::Tensor keptEntries(std::int64_t count, const torch::Device& device, double p, std::uint64_t seed);

}  // namespace fathom
