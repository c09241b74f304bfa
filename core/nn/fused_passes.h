// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

namespace fathom {

// Whether the fused passes of the processor may work on these: float32 on a CPU with AVX2 and FMA, and no
// mixed precision that would hand them other numbers. Everything else takes the plain operations.
bool takesFusedPasses(const torch::TensorOptions& tensors);
inline bool takesFusedPasses(const torch::Tensor& x) {
  return takesFusedPasses(x.options());
}

}  // namespace fathom
