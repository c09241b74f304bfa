// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/attention/attention.h"

namespace fathom {

// The query, key, value and output maps that all attentions share. Self attention keeps the first three in
// one [3d, d] tensor (one GEMM), cross attention key and value in one [2d, d]; the parts have their own
// names.
class AttentionProjections {
 public:
  AttentionProjections(ParameterStore& store, const ParameterInfo& where, const AttentionSetup& setup);

  struct Projected {
    torch::Tensor query, key, value;  // [B, H, T or S, d/H], contiguous
  };
  // Appends to, or reads, the cache of an incremental decoding.
  Projected project(const BranchInputs& inputs) const;
  KeyValueCache projectMemory(const torch::Tensor& memory) const;
  // Projections before heads are taken apart: self [N, 3d] alone; cross, and self with a memory, query [N, d]
  // and key and value [M, 2d].
  struct ProjectedRows {
    torch::Tensor query, keyValue;
  };
  ProjectedRows projectRows(const BranchInputs& inputs) const;
  // [B, H, T, d/H] -> [B, T, d] through the output map.
  torch::Tensor output(const torch::Tensor& heads) const;
  // Rows [N, d] through the output map, in the shape of the query stream.
  torch::Tensor outputRows(const torch::Tensor& rows, const torch::Tensor& query) const;
  const AttentionSetup& setup() const { return m_setup; }
  double scale() const;  // (d/H)^-1/2

  // This layer's scaled product q k^T (d/H)^-1/2, [B, H, T, S].
  torch::Tensor scores(const Projected& projected) const;
  // before [B, H, T, S] + scores(), added up by the matrix product: for a chain whose own scores nobody
  // wants.
  torch::Tensor addedScores(const Projected& projected, const torch::Tensor& before) const;
  // The mask, after chain and division. `inPlace`: nobody else reads the logits.
  static torch::Tensor applyMask(const torch::Tensor& logits, const AttentionMask& mask, bool inPlace);

 private:
  torch::Tensor split(const torch::Tensor& x, std::int64_t parts) const;

  AttentionSetup m_setup;
  bool m_cross;
  torch::Tensor m_inWeight, m_inBias;        // self: [3d, d] query, key, value; cross: [2d, d] key, value
  torch::Tensor m_queryWeight, m_queryBias;  // cross only
  torch::Tensor m_outWeight, m_outBias;
};

}  // namespace fathom
