// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

#include "core/nn/parameter_store.h"

namespace fathom {

// One direction of an LSTM: gates in the order i, f, g, o; both biases are added.
struct LstmWeights {
  torch::Tensor input;       // [4h, in]
  torch::Tensor hidden;      // [4h, h]
  torch::Tensor inputBias;   // [4h]
  torch::Tensor hiddenBias;  // [4h]
  std::int64_t width() const { return hidden.size(1); }

  LstmWeights() = default;
  // Declares "<prefix>.input.weight", "<prefix>.hidden.weight" and their biases. The maps are of role
  // Recurrent, so that an initialisation gives the biases the bounds of a recurrent layer.
  LstmWeights(ParameterStore& store, const std::string& prefix, std::int64_t inputs, std::int64_t hidden);
};

// Sequences of different lengths in one pass: those of length >= 1 in the order of falling length, which is
// what `at::lstm` wants packed.
struct RaggedSequences {
  torch::Tensor rows;       // int64 [total]: which input row each step reads, step after step
  torch::Tensor owners;     // int64 [total]: the sequence of each of them
  torch::Tensor last;       // int64 [sequences]: place in `rows` of the last step; of an empty one 0
  torch::Tensor lengths;    // int64 [sequences]
  torch::Tensor stepSizes;  // int64 [longest], on the CPU: sequences that have a step t
};
// spans: int64 [S, 2] on the CPU, first row and one past the last row of each sequence. The results but
// stepSizes are on `device`.
RaggedSequences raggedSequences(const torch::Tensor& spans, const torch::Device& device);

// Both directions over the sequences: [total, 2h] in the order of RaggedSequences::rows, states start at 0.
torch::Tensor bidirectionalLstm(const torch::Tensor& inputRows, const RaggedSequences& sequences,
                                const LstmWeights& forward, const LstmWeights& backward);

struct LstmState {
  torch::Tensor hidden, cell;  // [rows, h]
};
// One step of a batch of rows.
LstmState lstmCell(const torch::Tensor& x, const LstmState& before, const LstmWeights& weights);

// Bound of a recurrent layer's biases at the start: uniform up to one over the root of its width; 0 for any
// other parameter.
double recurrentBiasBound(const ParameterStore& store, const Parameter& parameter);

}  // namespace fathom
