// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <string>

#include "core/nn/parameter_store.h"
#include "core/nn/recurrent.h"

namespace fathom {

// Vector of a span without pieces: zero, or 0/0 as in DT-Fixup's released code.
enum class EmptySpan { Zero, NotANumber };

// Means of the rows of spans [S, 2] (CPU, first and one past last row): [S, width]. The vectors of words.
torch::Tensor spanMeans(const torch::Tensor& rows, const torch::Tensor& spans, EmptySpan empty);

// Vectors of schema items from the states of their pieces: a bidirectional LSTM, its output at the last piece
// plus the mean of its outputs ("avg+last"; docs/models.md §5). Spans that several items share are run once.
class ItemVectors {
 public:
  // Parameters "<prefix>.forward.*" and "<prefix>.backward.*"; width is that of the vectors, even.
  ItemVectors(ParameterStore& store, const std::string& prefix, std::int64_t inputs, std::int64_t width);
  // [S, width]; an empty span gives zeros.
  torch::Tensor operator()(const torch::Tensor& rows, const torch::Tensor& spans) const;

 private:
  LstmWeights m_forward, m_backward;
};

}  // namespace fathom
