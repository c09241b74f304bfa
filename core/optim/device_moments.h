// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <vector>

#include "core/optim/moment_kernels.h"

namespace fathom {

// Numbers of an update that lie on the device and that the host has not read.
struct DeviceScale {
  torch::Tensor factor;   // [] float64: gradients are multiplied by it (normalisation and clipping)
  torch::Tensor leftOut;  // [] float32: 1 leaves parameters and moments as they are, 0 not; may be undefined
  torch::Tensor divisor = {};  // [] float32: 1 / factor, which is as exact as float32 gradients are
  void makeDivisor() { divisor = factor.reciprocal().to(torch::kFloat32); }
};

// Tensors of a device that are updated with the same constants, in lists that are made once: one operator
// each update. Parameters and moments are contiguous, of one device and one number format.
//
// The operator is PyTorch's fused AdamW at a step so far away that both of its bias corrections are 1; what
// an optimiser of ours corrects goes into rate and epsilon:
//   decay p - stepSize m / (sqrt(v) / rootScale + eps) - added decay p
//   = (decay (1 - added)) p - (stepSize rootScale) m / (sqrt(v) + eps rootScale)
class DeviceMoments {
 public:
  void add(const torch::Tensor& parameter, const torch::Tensor& first, const torch::Tensor& second);
  // Updates the parameters that have a gradient. Gradients change.
  void apply(const MomentUpdate& update, const DeviceScale& scale);

 private:
  struct Lists {
    std::vector<torch::Tensor> parameters, firsts, seconds, steps;
  };
  void step(const Lists& lists, std::vector<torch::Tensor> gradients, const MomentUpdate& update,
            const DeviceScale& scale);

  std::vector<torch::Tensor> m_leaves;  // with their gradients
  Lists m_all;
};

}  // namespace fathom
