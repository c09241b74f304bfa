// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

// Dropout, shortcut factor, branch and layer norm of a stream on a device in one kernel, three backwards
// (norm_join.h). Streams [..., d] contiguous; shortcut, weight and bias [d] in the format of sums.
struct DeviceNorm {
  torch::Tensor x, shortcut, branch, weight, bias;  // shortcut and branch may be undefined
  double eps = 1e-5, dropout = 0;                   // on the branch
  std::uint64_t seed = 0;                           // of the dropout
};
struct DeviceNormSums {
  torch::Tensor y;
  torch::Tensor sum;      // x * shortcut + drop(branch); undefined where it is x
  torch::Tensor moments;  // [rows, 2]
};
struct DeviceNormGradients {
  torch::Tensor x, branch;
  torch::Tensor sums;  // [3, d] weight, bias, shortcut
};

bool deviceNormFits(const torch::TensorOptions& tensors, std::int64_t width);
// No autograd.
DeviceNormSums deviceNorm(const DeviceNorm& norm);
// `norm` without its branch, which is not needed again; `withBranch`: there was one.
DeviceNormGradients deviceNormBackward(const DeviceNorm& norm, bool withBranch, const DeviceNormSums& sums,
                                       const torch::Tensor& gradient);
// y in LibTorch's operations, on any device, with autograd: what tests compare with.
torch::Tensor referenceNorm(const DeviceNorm& norm);

}  // namespace fathom
