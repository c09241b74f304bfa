// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/parameter_store.h"
#include "core/nn/recurrent.h"
#include "core/nn/row_packing.h"
#include "core/nn/sql_sp/decoder_sweep.h"
#include "core/nn/sql_sp/derivation_plan.h"
#include "core/nn/step_context.h"

namespace fathom {

struct GrammarDecoderSetup {
  std::int64_t memory = 256;  // width of the memory and of the attention
  std::int64_t heads = 8;     // of the attention
  std::int64_t action = 128, type = 128, hidden = 512, vector = 256;
  double dropout = 0;    // on the vector
  double smoothing = 0;  // of columns: a share of the target is spread over all columns of the example
};

// The batch as the decoder reads it, made once. Examples in the order of the batch.
struct DecoderMemory {
  AttendedMemory attended;
  torch::Tensor actions;        // [47 + all columns, a]: rules, Reduce, nothing, columns one behind the other
  torch::Tensor pointers;       // [B, C, v]: what a vector is multiplied with to point at a column
  torch::Tensor columnPadding;  // bool [B, C]; undefined where all have the same number of columns
  std::vector<std::int64_t> columns;       // of each example
  std::vector<std::int64_t> firstColumns;  // row of each example's first one among all

  std::int64_t batch() const { return attended.keys.size(0); }
  // The examples [rows] int64 alone, in that order. `actions` and with it `firstColumns` stay whole.
  DecoderMemory chosen(const torch::Tensor& rows) const;
};

struct DecoderStates {
  LstmState cell;
  torch::Tensor vectors;        // [rows, v]
  torch::Tensor attended;       // [rows, d], before the attention's output map
  torch::Tensor probabilities;  // [B, H, G, N]
};

// Sums over the batch in nats. `loss` is by example, smoothed and differentiable; the others are plain.
struct DecoderLoss {
  torch::Tensor loss;                // [B]
  torch::Tensor ruleNll, columnNll;  // scalars, no gradient
  std::int64_t rules = 0, columns = 0;
  SweepStates states;
};

// DT-Fixup's grammar decoder (docs/models.md §5): an LSTM that reads action, vector, parent's production,
// open type and parent's state; attention without a factor over question and schema; rules by a tied table,
// columns by a gated pointer. Parameters under "decoder.".
class GrammarDecoder {
 public:
  GrammarDecoder(ParameterStore& store, const GrammarDecoderSetup& setup);
  const GrammarDecoderSetup& setup() const { return m_setup; }

  // memoryRows [N, d] with their packing; columnRows [all columns, d], as many of each example as `columns`
  // says.
  DecoderMemory prepare(const torch::Tensor& memoryRows, const RowPacking& packing,
                        const torch::Tensor& columnRows, const std::vector<std::int64_t>& columns) const;

  // The whole batch, teacher forced.
  DecoderLoss loss(const DecoderMemory& memory, const DerivationPlan& plan, const StepContext& context) const;

  // One step of G rows of every example, example after example.
  DecoderStates step(const torch::Tensor& x, const LstmState& before, const DecoderMemory& memory) const;
  // The cell's input [rows, a + v + a + t + h]: rows of tables, the vector and the parent's state.
  torch::Tensor cellInput(const DecoderMemory& memory, const torch::Tensor& actions,
                          const torch::Tensor& productions, const torch::Tensor& types,
                          const torch::Tensor& vectors, const torch::Tensor& parents) const;

  torch::Tensor ruleLogits(const torch::Tensor& vectors) const;  // [..., v] -> [..., 46]
  struct Pointed {
    torch::Tensor raw;     // [B, G, C], before the gate
    torch::Tensor gate;    // [B, G, 1]
    torch::Tensor logits;  // [B, G, C], -infinity at padding
  };
  // vectors [B, G, v]; chosen bool [B, G, C]: columns that were selected before.
  Pointed pointAt(const torch::Tensor& vectors, const DecoderMemory& memory,
                  const torch::Tensor& chosen) const;

 private:
  friend class DecoderSteps;  // the same weights, laid out for a search
  struct Linear {
    torch::Tensor weight, bias;
  };
  torch::Tensor production() const;  // with the row of nothing
  torch::Tensor types() const;
  SweepWeights sweepWeights() const;
  torch::Tensor columnLoss(const DecoderMemory& memory, const DerivationPlan& plan,
                           const torch::Tensor& vectors, DecoderLoss& out) const;

  GrammarDecoderSetup m_setup;
  torch::Tensor m_productions, m_productionBias, m_types;
  LstmWeights m_cell;
  torch::Tensor m_query, m_keyValue, m_vector, m_pointer, m_columnInput, m_gate;
  Linear m_output, m_readIn, m_readOut;
};

}  // namespace fathom
