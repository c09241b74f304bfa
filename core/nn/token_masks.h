// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/parameter_store.h"

namespace fathom {

// Which positions of a stack's stream are real tokens: bool [B, T], true = real. Undefined = all.
struct TokenMasks {
  torch::Tensor encoder, decoder;
  const torch::Tensor& of(StackKind stack) const { return stack == StackKind::Decoder ? decoder : encoder; }
};

}  // namespace fathom
