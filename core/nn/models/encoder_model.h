// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <memory>

#include "core/nn/models/head.h"
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

// A network that reads texts, and the head that the options put on top of it (heads.list).
class EncoderModel : public Model {
 public:
  virtual torch::Tensor hidden(const TextBatch& batch, const StepContext& context) const = 0;  // [B, T, d]
  virtual torch::Tensor pooled(const torch::Tensor& hidden) const = 0;                         // [B, d]

  const HeadEntry& headEntry() const { return *m_headEntry; }
  // The head as one of this kind; null where the options put another one there.
  template <typename Kind>
  const Kind* headAs() const {
    return dynamic_cast<const Kind*>(m_head.get());
  }
  // The same; a usage error naming the head where there is another one.
  template <typename Kind>
  const Kind& head() const {
    if (const Kind* own = headAs<Kind>()) return *own;
    refuseHead();
  }

  // Of heads for masked words (word_head.h). `positions` int64 [M] index the rows of hidden viewed as
  // [B*T, d]. Returns [M, d], which maskedWeight() and maskedBias() map to logits, so that a loss can fuse
  // the projection.
  torch::Tensor maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const;
  torch::Tensor maskedWeight() const;  // [V, d], tied to the token table
  torch::Tensor maskedBias() const;    // [V]
  bool hasNextSentence() const;        // false: nextSentenceLogits() must not be called
  torch::Tensor nextSentenceLogits(const torch::Tensor& pooled) const;  // [B, 2], 1 = random next
  // Of heads that read one stream: classification [B, classes], multiple choice [B, 1], span [B, T, 2].
  torch::Tensor taskLogits(const torch::Tensor& hidden, const StepContext& context) const;

  // What taskLogits() reads: hidden(), or the states of the first tokens alone [B, 1, d] where the head reads
  // no others and the last layer need not compute them.
  virtual torch::Tensor headStates(const TextBatch& batch, const StepContext& context) const {
    return hidden(batch, context);
  }
  // headStates() in two steps, so that the first can be kept: the states above the layers that do not learn
  // [B, T, d], and what those that do make of them. Only where keepsStates().
  virtual bool keepsStates() const { return false; }
  virtual torch::Tensor frozenStates(const TextBatch& batch) const;
  virtual torch::Tensor headStatesAbove(const torch::Tensor& frozen, const TextBatch& batch,
                                        const StepContext& context) const;
  virtual bool encoderLearns() const { return true; }

 protected:
  // Once, when everything below the head has its parameters.
  void putHead(const HeadEntry& entry, const HeadSite& site);

 private:
  [[noreturn]] void refuseHead() const;

  const HeadEntry* m_headEntry = nullptr;
  std::unique_ptr<Head> m_head;
};

}  // namespace fathom
