// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/recurrent.h"
#include "core/nn/sql_sp/derivation_plan.h"

namespace fathom {

// Memory that the grammar decoder attends to: made once per batch. Queries are compared with keys
// without a factor. Examples in the order of the batch, or of a plan.
struct AttendedMemory {
  torch::Tensor keys, values;  // [B, H, N, d/H]
  torch::Tensor blocked;       // bool [B, 1, N]: padding; undefined where there is none
};

// The recurrent part of the grammar decoder (docs/models.md §5).
struct SweepWeights {
  LstmWeights cell;
  torch::Tensor query;  // [d, h]
  // vector = tanh([hidden | attended] joined^T + bias): the output map of the attention is folded in.
  torch::Tensor joined;  // [v, h + d]
  torch::Tensor bias;    // [v]
};

// h q^T against the memory, several rows per example: query [B, G, d] -> attended [B, G, d] and the
// probabilities [B, H, G, N].
struct Attended {
  torch::Tensor values, probabilities;
};
Attended attend(const torch::Tensor& query, const AttendedMemory& memory);

struct SweepStates {
  torch::Tensor vectors;        // [rows, v], after dropout: what readouts and the next step read
  torch::Tensor hidden, cells;  // [rows, h], no gradient: for those who look
};

// All steps of a plan, teacher forced. previous [rows, a] is the embedding of the action before, frontier
// [rows, a + t] those of the parent's production and the open field's type; mask [rows, v] multiplies the
// vectors (dropout) or is undefined. The memory is in the plan's order.
//
// One step feeds the next, so only the recurrence itself goes step by step; products with what is known
// before, and every product of the backward pass that makes a weight's gradient, are made over all steps at
// once. The cell's input has the columns action | vector | production | type | hidden of the parent.
SweepStates decoderSweep(const DerivationPlan& plan, const SweepWeights& weights,
                         const AttendedMemory& memory, const torch::Tensor& previous,
                         const torch::Tensor& frontier, const torch::Tensor& mask);

}  // namespace fathom
