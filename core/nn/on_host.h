// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

namespace fathom {

// Whether the processor has these numbers: the host then reads them without a wait, and an operation is no
// launch. Which code computes a pass is another question (core/kernels/kernel_way.h).
inline bool isOnHost(const torch::Device& device) {
  return device.is_cpu();
}
inline bool isOnHost(const torch::Tensor& tensor) {
  return isOnHost(tensor.device());
}

}  // namespace fathom
