// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/nn/decode_state.h"
#include "core/nn/models/encoder_model.h"

namespace fathom {

// A network whose states know nothing of what comes behind them, so that a text can be written on token by
// token.
class CausalModel : public EncoderModel {
 public:
  // A state before the first token of each row.
  virtual DecodeState beginText(std::int64_t rows) const = 0;
  // The next token of each row, int64 [R]; the state of its place [R, d], as hidden() gives it.
  virtual torch::Tensor readToken(DecodeState& state, const torch::Tensor& tokens) const = 0;
  virtual std::int64_t maxPositions() const = 0;  // of a text, in tokens
};

}  // namespace fathom
