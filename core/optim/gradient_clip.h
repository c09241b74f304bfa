// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/nn/parameter_store.h"

namespace fathom {

// Fairseq: max/(norm+1e-6) if norm > max. Torch: min(1, max/(norm+1e-6)). Bert: max/max(norm, max).
enum class ClipRule { Off, Fairseq, Torch, Bert };

// L2 norm over all gradients, summed in float64 in a fixed order (independent of the thread count). Undefined
// gradients count as zero. Non-finite gradients give a non-finite norm.
double gradientNorm(const std::vector<torch::Tensor>& parameters);
double gradientNorm(const ParameterStore& store);

// The same of gradients on a device, where it stays: [] float64; undefined where there is no gradient. As
// many operators for a thousand tensors as for one.
torch::Tensor gradientNormOnDevice(const std::vector<torch::Tensor>& parameters);
// clipFactor() of such a norm; undefined where it would always be 1.
torch::Tensor clipFactorOnDevice(ClipRule rule, double maxNorm, const torch::Tensor& norm);

// Factor for Optimizer::step. maxNorm <= 0: off. A non-finite norm gives 1 (the caller sees the norm).
double clipFactor(ClipRule rule, double maxNorm, double norm);

ClipRule clipRule(const OptionValues& options);
std::vector<OptionField> gradientClipOptionFields();

}  // namespace fathom
