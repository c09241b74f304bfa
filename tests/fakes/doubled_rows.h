// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/kernel_pass.h"

namespace fathom {

// Doubles float32 numbers where they lie.
struct DoubledRowsCall {
  float* numbers = nullptr;
  std::int64_t count = 0;
};

inline constexpr KernelPass<DoubledRowsCall> kDoubledRowsPass{"doubled_rows"};

}  // namespace fathom
