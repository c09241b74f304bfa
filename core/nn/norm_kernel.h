// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/mask_bits.h"

namespace fathom {

// Layer norm of a joined stream on the CPU, float32: sum = x * shortcut + drop(branch),
// y = (sum - mean) / sqrt(var + eps) * weight + bias. Rows of `width` numbers, a multiple of 8; pointers of
// what is missing are null. Row r of a call is row firstRow + r of the stream, for the dropout.
struct NormRows {
  std::int64_t rows = 0, width = 0, firstRow = 0;
  const float* x = nullptr;
  const float* shortcut = nullptr;  // [width]
  const float* branch = nullptr;
  MaskRule mask;
  const float* weight = nullptr;
  const float* bias = nullptr;
  float eps = 1e-5f;
  float* sum = nullptr;      // forward writes, backward reads; null: x itself
  float* moments = nullptr;  // [rows, 2] mean and 1 / sqrt(var + eps)
};

struct NormGradients {
  const float* y = nullptr;
  float* x = nullptr;
  float* branch = nullptr;  // may be null, or x where both are equal
  float* sums = nullptr;    // [3, width], added to: weight, bias, shortcut
};

// Only where vectorLanesRun().
void normRows(const NormRows& rows, float* y);
void normRowsBackward(const NormRows& rows, const NormGradients& gradients);

}  // namespace fathom
