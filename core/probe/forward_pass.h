// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <functional>

#include "core/nn/model.h"
#include "core/nn/step_context.h"

namespace fathom {

// One forward of a model over one batch, as the owner of model and batch knows how to run it.
using ForwardPass = std::function<void(const StepContext&)>;

// Which positions of a stack's stream are real tokens: bool [B, T] on the CPU, true = real. Undefined = all.
struct TokenMasks {
  torch::Tensor encoder, decoder;
  const torch::Tensor& of(StackKind stack) const { return stack == StackKind::Decoder ? decoder : encoder; }
};

}  // namespace fathom
