// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

struct LayerNorm;

// LN(x * shortcut + drop(branch)) in one pass over memory each way: the join of Post-LN and Admin
// (docs/residual_schemes.md §2, §3). Sums over rows are taken in blocks of fixed size, so results know
// nothing of threads.
struct JoinedNorm {
  torch::Tensor x;         // [..., d]
  torch::Tensor shortcut;  // [d] or undefined = 1
  torch::Tensor branch;    // like x, or undefined: the layer norm of x alone
  double dropout = 0;      // on the branch
  std::uint64_t seed = 0;  // of the dropout
};
// The processor, float32, rows of whole vectors; or a device with our kernels (core/kernels).
bool joinedNormFits(const torch::Tensor& x, const LayerNorm& norm);
torch::Tensor joinedNorm(const JoinedNorm& join, const LayerNorm& norm);

}  // namespace fathom
