// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

// The widths that the tensors of a sweep say.
struct SweepWidths {
  std::int64_t action, frontier, vector, hidden, memory, heads, keys;
};

// The tensors of a sweep in the order in which they are handed to autograd.
struct SweepTensors {
  torch::Tensor previous, frontier, input, recurrent, inputBias, hiddenBias, query, joined, bias, keys,
      values;
  SweepWidths widths() const {
    return {previous.size(1), frontier.size(1), joined.size(0), recurrent.size(1),
            query.size(0),    keys.size(1),     keys.size(2)};
  }
  // Maps of vector and parent's hidden state, and the recurrent one: [4h, v + 2h], what a step multiplies.
  torch::Tensor dynamic(const SweepWidths& w) const {
    return at::cat({input.narrow(1, w.action, w.vector),
                    input.narrow(1, w.action + w.vector + w.frontier, w.hidden), recurrent},
                   1);
  }
  torch::Tensor actionMap(const SweepWidths& w) const { return input.narrow(1, 0, w.action); }
  torch::Tensor frontierMap(const SweepWidths& w) const {
    return input.narrow(1, w.action + w.vector, w.frontier);
  }
};

// Trace that the steps leave for the backward pass, one row per step and example.
struct SweepTrace {
  torch::Tensor dynamic;        // [rows, v + 2h]: vector before | parent's hidden | hidden before
  torch::Tensor gates;          // [rows, 4h], after their functions
  torch::Tensor cells;          // [rows, h]
  torch::Tensor states;         // [rows, h + d]: hidden | attended
  torch::Tensor queries;        // [rows, d]
  torch::Tensor probabilities;  // [rows, H, N]
  torch::Tensor raw;            // [rows, v]: vectors before dropout
};

// Gradients by row, from the last step to the first; what multiplies them into gradients of weights comes
// after.
struct SweepSlopes {
  torch::Tensor gates;     // [rows, 4h], before their functions
  torch::Tensor vectors;   // [rows, v], before tanh
  torch::Tensor attended;  // [rows, d]
  torch::Tensor scores;    // [rows, H, N]
  torch::Tensor queries;   // [rows, d]
};

}  // namespace fathom
