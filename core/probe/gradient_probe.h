// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>
#include <string>
#include <vector>

#include "core/nn/step_context.h"

namespace fathom {

// |dL/dx_i| of every sub-layer output of one batch (Admin Fig 3; docs/analyses.md §5): Frobenius norm over
// the whole tensor, pads included as they come. Divide with relativeToLargest (core/analysis). Sub-layers
// below everything that learns (layers of a frozen encoder) have none.
struct SublayerGradient {
  SublayerSite site;
  double norm = 0;
};

// `loss` runs the forward with the context it is given and returns the summed loss. Parameter gradients are
// left as they were.
std::vector<SublayerGradient> probeGradients(const std::function<torch::Tensor(const StepContext&)>& loss,
                                             StepContext context);

}  // namespace fathom
