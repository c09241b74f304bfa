// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/kernel_pass.h"
#include "core/kernels/mask_bits.h"
#include "core/kernels/number_format.h"

namespace fathom {

// out[i] = base[i] + x[i] * kept(i), kept(i) = 0 where the mask drops number i, else 1 / (1 - p). base may be
// null, and out may be x or base. Also its own backward pass, with gradients for x. bfloat16 is multiplied
// and added in float32.
struct DropoutCall {
  NumberFormat format = NumberFormat::Float32;  // of x, base and out
  const void* x = nullptr;
  const void* base = nullptr;
  void* out = nullptr;
  std::int64_t count = 0;
  std::uint64_t firstIndex = 0;  // of x[0] in the mask
  MaskRule mask;
  double wideScale = 1;  // 1 / (1 - p) for float64; others take the mask's
};

// Puts the kernel on the stream. CUDA's error, 0 for none.
int launchSeededDropout(const DropoutCall& call, void* stream);
int launchSeededDropout64(const DropoutCall& call, void* stream);  // of float64 alone

inline constexpr KernelPass<DropoutCall> kSeededDropoutPass{"seeded_dropout"};

}  // namespace fathom
