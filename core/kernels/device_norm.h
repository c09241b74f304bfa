// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

#include "core/kernels/kernel_way.h"

namespace fathom {

// Dropout, shortcut factor, branch and layer norm of a joined stream. The plug-in's grid has a second
// direction for the width; LibTorch's mixed precision widens what a norm reads.
inline constexpr KernelWays kNormJoin{
    .lanes =
        KernelNeeds{
            .formats = kVectorNeeds.formats, .mixed = kVectorNeeds.mixed, .vectors = true, .widthUnit = 8},
    .plugin = KernelNeeds{.formats = {torch::kFloat32, torch::kBFloat16, torch::kFloat64},
                          .mixed = MixedPrecision::NarrowRowsApart,
                          .widest = 65535 * 128}};

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

// No autograd.
DeviceNormSums deviceNorm(const DeviceNorm& norm);
// `norm` without its branch, which is not needed again; `withBranch`: there was one.
DeviceNormGradients deviceNormBackward(const DeviceNorm& norm, bool withBranch, const DeviceNormSums& sums,
                                       const torch::Tensor& gradient);

}  // namespace fathom
