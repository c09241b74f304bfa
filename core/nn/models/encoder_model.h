// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/models/model.h"

namespace fathom {

// What the host knows of a padded batch; undefined where nobody has said it.
struct TextOnHost {
  torch::Tensor tokens, segments;  // as in TextBatch
  torch::Tensor lengths;           // int64 [B]: the padding of a row is what is behind
};

// A padded batch of texts.
struct TextBatch {
  torch::Tensor tokens;    // int64 [B, T]
  torch::Tensor segments;  // int64 [B, T] or undefined (all 0)
  torch::Tensor padding;   // bool [B, T], true = pad; undefined: nothing is padded
  TextOnHost onHost = {};
};

// What masked-language-model, next-sentence and classification objectives need. Heads exist as the model's
// options say.
class EncoderModel : public Model {
 public:
  virtual torch::Tensor hidden(const TextBatch& batch, const StepContext& context) const = 0;  // [B, T, d]
  virtual torch::Tensor pooled(const torch::Tensor& hidden) const = 0;                         // [B, d]
  // Masked rows only: `positions` int64 [M] index the rows of hidden viewed as [B*T, d]. Returns [M, d],
  // which maskedWeight() and maskedBias() map to logits, so that a loss can fuse the projection.
  virtual torch::Tensor maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const = 0;
  virtual torch::Tensor maskedWeight() const = 0;  // [V, d], tied to the token table
  virtual torch::Tensor maskedBias() const = 0;    // [V]
  virtual bool hasNextSentence() const = 0;        // false: nextSentenceLogits() must not be called
  virtual torch::Tensor nextSentenceLogits(const torch::Tensor& pooled) const = 0;  // [B, 2], 1 = random next
  // Task head on the pooled vector (classification [B, classes]; multiple choice [B, 1]) or on every row
  // (span [B, T, 2]).
  virtual torch::Tensor taskLogits(const torch::Tensor& hidden, const StepContext& context) const = 0;
};

}  // namespace fathom
