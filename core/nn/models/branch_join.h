// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/residual/residual_scheme.h"
#include "core/nn/step_context.h"

namespace fathom {

// x_i from x_{i-1} and what a branch gave: dropout where the stack has it, the scheme's join, in one pass
// where nobody looks. Tells the observer.
torch::Tensor joinBranch(const ResidualScheme& residual, const SublayerSite& site, const torch::Tensor& x,
                         const torch::Tensor& branchInput, const torch::Tensor& branchOutput,
                         const StepContext& context);

}  // namespace fathom
