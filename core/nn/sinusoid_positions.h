// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

// fairseq's sinusoids (docs/models.md §1): half = d/2, freq_k = exp(-k ln(10000)/(half-1)), row p = [sin(p
// freq) || cos(p freq)]; two blocks, not interleaved; odd d: one zero column; row padId is 0. [rows, d]
torch::Tensor sinusoidTable(std::int64_t rows, std::int64_t width, std::int64_t padId,
                            const torch::TensorOptions& tensors);

// padId + running count of non-pad tokens; pads keep padId. First real token: padId + 1 on either padding
// side. int64, like tokens.
torch::Tensor positionIds(const torch::Tensor& tokens, std::int64_t padId);

}  // namespace fathom
