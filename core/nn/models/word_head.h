// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/models/head.h"

namespace fathom {

// Masked words (docs/models.md §2): dense, activation and layer norm, then the tied token table and a bias;
// with `next` two outputs on the pooled vector beside it. Parameters "mlm.…" and "nsp.…".
class WordHead final : public Head {
 public:
  WordHead(const HeadSite& site, bool next);
  // `positions` int64 [M] index the rows of hidden viewed as [B*T, d]. Returns [M, d], which weight() and
  // bias() map to logits, so that a loss can fuse the projection.
  torch::Tensor hidden(const torch::Tensor& states, const torch::Tensor& positions) const;
  const torch::Tensor& weight() const { return m_table; }
  const torch::Tensor& bias() const { return m_bias; }
  bool hasNext() const { return m_next.weight.defined(); }
  torch::Tensor nextLogits(const torch::Tensor& pooled) const { return m_next(pooled); }

 private:
  HeadMap m_transform, m_next;
  LayerNorm m_norm;
  Activation m_activation;
  torch::Tensor m_table, m_bias;
};

// The next token of every place: the tied token table, no bias and no parameters of its own. weight() [V, d]
// maps states to logits, so that a loss can fuse the projection.
class NextWordHead final : public Head {
 public:
  explicit NextWordHead(torch::Tensor table) : m_table(std::move(table)) {}
  const torch::Tensor& weight() const { return m_table; }

 private:
  torch::Tensor m_table;
};

}  // namespace fathom
