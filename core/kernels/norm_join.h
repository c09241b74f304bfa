// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/kernel_pass.h"
#include "core/kernels/mask_bits.h"
#include "core/kernels/number_format.h"

namespace fathom {

// sum = x * shortcut + drop(branch), y = (sum - mean) / sqrt(var + eps) * weight + bias, row by row: the join
// of Post-LN and Admin (docs/residual_schemes.md §2, §3). x, branch, sum, y and their gradients are of
// `format`; what has the width alone, moments and sums are float32, of float64 tensors float64. Pointers of
// what is missing are null.
struct NormJoinCall {
  NumberFormat format = NumberFormat::Float32;
  std::int64_t rows = 0, width = 0;
  const void* x = nullptr;         // [rows, width]
  const void* shortcut = nullptr;  // [width]
  const void* branch = nullptr;    // [rows, width]
  MaskRule mask;                   // of the branch
  double wideScale = 1;            // 1 / (1 - p) for float64; others take the mask's
  const void* weight = nullptr;    // [width]
  const void* bias = nullptr;      // [width]
  double eps = 1e-5;
  void* sum = nullptr;  // forward writes, backward reads; null where neither shortcut nor branch is: x itself
  void* moments = nullptr;  // [rows, 2] mean and 1 / sqrt(var + eps): forward writes, backward reads
  void* y = nullptr;        // forward alone
};

struct NormJoinGradients {
  const void* y = nullptr;
  void* x = nullptr;
  void* branch = nullptr;    // null: there is no branch
  void* rowMeans = nullptr;  // scratch [rows, 2]
  void* shares = nullptr;    // scratch [normJoinShares(rows), 3, width]
  void* sums = nullptr;      // [3, width]: gradients of weight, bias, shortcut
};

// Parts into which the rows are cut for sums over them, at most 128: a function of their number alone.
constexpr std::int64_t rowsOfNormShare(std::int64_t rows) {
  return rows > 128 * 16 ? (rows + 127) / 128 : 16;
}
constexpr std::int64_t normJoinShares(std::int64_t rows) {
  return (rows + rowsOfNormShare(rows) - 1) / rowsOfNormShare(rows);
}

// CUDA's error, 0 for none.
int launchNormJoin(const NormJoinCall& call, void* stream);
int launchNormJoin64(const NormJoinCall& call, void* stream);
int launchNormJoinBackward(const NormJoinCall& call, const NormJoinGradients& gradients, void* stream);
int launchNormJoinBackward64(const NormJoinCall& call, const NormJoinGradients& gradients, void* stream);

inline constexpr KernelPass<NormJoinCall> kNormJoinPass{"norm_join"};
inline constexpr KernelPass<NormJoinCall, NormJoinGradients> kNormJoinBackwardPass{"norm_join_backward"};

}  // namespace fathom
