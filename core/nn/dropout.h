// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string_view>

#include "core/nn/step_context.h"

namespace fathom {

// Inverted dropout: entries are zeroed with probability p, the others divided by 1 - p. Identity when not
// training or p = 0. The mask is a pure function of (context seed, update, micro-batch, site, flat index),
// the same for any number of threads, on any device and in any format of x. Where code of ours computes it
// (core/kernels/kernel_way.h) it is made again in the backward pass instead of being kept.
torch::Tensor dropout(const torch::Tensor& x, double p, const StepContext& context, std::string_view site);

// The same with the seed of a mask that is known, p > 0.
torch::Tensor seededDropout(const torch::Tensor& x, double p, std::uint64_t seed);

// Seed of a site's mask, for passes that apply it themselves (mask_bits.h).
std::uint64_t dropoutSeed(const StepContext& context, std::string_view site);

// x + dropout(branch): one pass over memory.
torch::Tensor addDropout(const torch::Tensor& x, const torch::Tensor& branch, double p,
                         const StepContext& context, std::string_view site);

}  // namespace fathom
