// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/packed_matrix.h"
#include "core/nn/sql_sp/grammar_decoder.h"

namespace fathom {

// The decoder's single step for a whole search: what a step multiplies with is laid out once, and what a row
// of a table adds to the cell's gates is multiplied once for the whole table. The numbers are those of
// GrammarDecoder::step() and its readouts, summed in another order. No gradients.
class DecoderSteps {
 public:
  DecoderSteps(const GrammarDecoder& decoder, const DecoderMemory& memory);

  // Rows of a pass, one hypothesis each. int64 [rows] of tables (StepInputs), and where each row stands among
  // the slots of the memory: slot * width + place.
  struct Rows {
    torch::Tensor actions, productions, types;
    torch::Tensor vectors, parents;  // [rows, v], [rows, h]
    LstmState before;
    torch::Tensor places;
    std::int64_t width = 1;
  };
  struct States {
    LstmState cell;         // [rows, h]
    torch::Tensor vectors;  // [rows, v]
  };
  States step(const Rows& rows, const DecoderMemory& memory) const;

  torch::Tensor ruleLogP(const torch::Tensor& vectors) const;  // [rows, v] -> [rows, 46]
  // examples int64 [rows]: slot of each row; chosen bool [rows, C]. [rows, C], -infinity at padding.
  torch::Tensor columnLogP(const torch::Tensor& vectors, const torch::Tensor& examples,
                           const DecoderMemory& memory, const torch::Tensor& chosen) const;

 private:
  DecoderSteps(const GrammarDecoder& decoder, const DecoderMemory& memory, const SweepWeights& weights);

  GrammarDecoderSetup m_setup;
  torch::Tensor m_actions, m_productions, m_types;  // shares of the gates; the biases lie with the types
  PackedMatrix m_dynamic;                           // vector | parent's hidden | hidden -> gates
  PackedMatrix m_query, m_joined, m_inner, m_rules;
  torch::Tensor m_joinedBias, m_innerBias, m_ruleBias, m_gate;
};

}  // namespace fathom
