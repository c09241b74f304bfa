// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/parameter_store.h"

namespace fathom {

// Which positions of a stack's stream are real tokens: bool [B, T], true = real. Undefined = all.
struct TokenMasks {
  torch::Tensor encoder, decoder;
  torch::Tensor extra{};   // of a stack that reads another stream than the encoder; undefined: the encoder's
  torch::Tensor global{};  // of the global stream beside an encoder's long one
  const torch::Tensor& of(StackKind stack) const {
    if (stack == StackKind::Global) return global;
    if (stack == StackKind::Extra && extra.defined()) return extra;
    return stack == StackKind::Decoder ? decoder : encoder;
  }
};

}  // namespace fathom
