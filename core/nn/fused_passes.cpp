// SPDX-License-Identifier: Apache-2.0
#include "core/nn/fused_passes.h"

#include <ATen/autocast_mode.h>

#include "core/nn/vector_lanes.h"

namespace fathom {

bool takesFusedPasses(const torch::TensorOptions& tensors) {
  return vectorLanesRun() && tensors.device().is_cpu() && tensors.dtype() == torch::kFloat32 &&
         !at::autocast::is_autocast_enabled(at::kCPU);
}

}  // namespace fathom
