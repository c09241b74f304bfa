// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>

#include "core/nn/models/model.h"
#include "core/nn/step_context.h"
#include "core/nn/token_masks.h"

namespace fathom {

// One forward of a model over one batch, as the owner of model and batch knows how to run it.
using ForwardPass = std::function<void(const StepContext&)>;

}  // namespace fathom
