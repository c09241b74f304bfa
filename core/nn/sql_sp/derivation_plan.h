// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "core/spider/grammar/action_sequence.h"

namespace fathom {

// Past that the decoder reads for one step, as rows of tables: of actions (0..45, then kNoAction, then
// the columns of all examples one behind the other), of productions (0..44, then kNoAction) and of types
// (0..15, then kNoType).
constexpr std::int64_t kNoAction = kReduce + 1;
constexpr std::int64_t kFirstColumnRow = kNoAction + 1;
constexpr std::int64_t kNoType = kGrammarTypes;
struct StepInputs {
  std::int64_t action = kNoAction, production = kNoAction, type = kNoType;
};
// Inputs of the step after `state`; `last` is the action that led there, firstColumn the row of its example's
// first column. Before the first step everything is zero.
StepInputs stepInputs(const GrammarState& state, GrammarAction last, std::int64_t firstColumn);

// The teacher-forced steps of a batch of derivations, laid out for one sweep: examples by falling number of
// steps, so that step t has the rows [offsets[t], offsets[t] + live[t]) of the first live[t] examples. Index
// tensors are int64 on `device`.
struct DerivationPlan {
  std::vector<std::int64_t> live, offsets;  // by step
  std::int64_t rows = 0;
  torch::Tensor order;                                   // [B]: example at each place
  torch::Tensor previousAction, parentProduction, type;  // [rows], StepInputs
  torch::Tensor parentRow;                               // [rows]: creation step of the parent; at step 0 -1
  torch::Tensor place, step;                             // [rows]: place in `order`, step
  torch::Tensor example;                                 // [rows]
  // Rows whose action is a rule or Reduce, and those actions.
  torch::Tensor ruleRows, ruleTargets;
  // Rows that select a column, by example: [B, most of one example], padded with row 0; which entries are
  // real; the column; and which columns of the example were selected before [B, most, columns].
  torch::Tensor columnRows, columnReal, columnTargets, chosen;
  std::int64_t ruleCount = 0, columnCount = 0;
};

// actions: of every example; columns: how many each has. A data error names an action that the grammar does
// not allow at its step, and a derivation that ends early.
DerivationPlan derivationPlan(const std::vector<std::vector<GrammarAction>>& actions,
                              const std::vector<std::int64_t>& columns, const torch::Device& device);

}  // namespace fathom
