// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/nn/models/extra_layers.h"
#include "core/nn/sql_sp/grammar_decoder.h"
#include "core/nn/sql_sp/span_vectors.h"

namespace fathom {

struct SqlNetworkSetup {
  std::int64_t inputs = 0;                        // width of the states of pieces
  StackConfiguration layers;                      // its width is that of items, memory and columns
  GrammarDecoderSetup decoder;                    // `memory` is taken from the layers
  double questionDropout = 0, schemaDropout = 0;  // before the projections
  EmptySpan emptyWords = EmptySpan::Zero;
};

// Questions and schemas of a batch, without padding: everything lies one example behind the other. Index
// tensors are int64 on the CPU.
struct SqlInputs {
  // [first, one past last) piece in the row of the example. Items: its tables, the extra table `*`, its
  // columns; items may share a span.
  torch::Tensor wordSpans, itemSpans;        // [words, 2], [items, 2]
  std::vector<std::int64_t> words, columns;  // of every example
  std::vector<std::int64_t> tables;          // of every example, the extra one counted
  torch::Tensor columnTables;  // [columns]: table of every column, of the global star the extra one
  torch::Tensor relations;  // uint8 [sum of n^2], [query][key] over tokens, columns, tables; may be undefined
};

struct SqlEncoding {
  torch::Tensor memory;   // [N, d]: of every example tokens, columns, tables
  RowPacking packing;     // of the memory
  torch::Tensor columns;  // [columns, d]: output of a column plus that of its table
  std::vector<std::int64_t> columnCounts;
};

// SQL-SP without its encoder (docs/models.md §5): vectors of words and items from the states of pieces, both
// projections, the stack, the grammar decoder. A part: its parameters are in the store of the model.
class SqlNetwork {
 public:
  SqlNetwork(ParameterStore& store, const SqlNetworkSetup& setup, const OptionValues& options);

  // states [pieces, inputs]; firstPieces: row of every example's first piece.
  SqlEncoding encode(const torch::Tensor& states, const std::vector<std::int64_t>& firstPieces,
                     const SqlInputs& inputs, const StepContext& context) const;
  // What enters the first layer, in the order of the memory.
  ExtraLayers::PackedRows projected(const torch::Tensor& states, const std::vector<std::int64_t>& firstPieces,
                                    const SqlInputs& inputs, const StepContext& context) const;
  DecoderMemory prepare(const SqlEncoding& encoding) const;
  // Losses of derivations, one of every example.
  DecoderLoss loss(const SqlEncoding& encoding, const std::vector<std::vector<GrammarAction>>& actions,
                   const StepContext& context) const;

  const GrammarDecoder& decoder() const { return *m_decoder; }
  StackDescription layers() const { return m_layers->stacks().front(); }
  ResidualScheme& residual() const { return m_layers->residual(StackKind::Extra); }

 private:
  ExtraLayers::RaggedFeatures features(const torch::Tensor& states,
                                       const std::vector<std::int64_t>& firstPieces,
                                       const SqlInputs& inputs) const;

  SqlNetworkSetup m_setup;
  bool m_relations;
  std::unique_ptr<ItemVectors> m_items;
  std::unique_ptr<ExtraLayers> m_layers;
  std::unique_ptr<GrammarDecoder> m_decoder;
};

}  // namespace fathom
