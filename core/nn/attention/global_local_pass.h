// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arrays, structure and scratch of one pass of the blockwise form (global_local_blocks.cpp), which the heads
// of all sequences share (global_local_head.h).
#include <torch/types.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/nn/attention/global_local.h"

namespace fathom::long_attention {

inline constexpr std::int64_t kBlockRows = 64;
// Global queries at a time where the mask is hard: neighbours see neighbouring long tokens.
inline constexpr std::int64_t kHardRows = 16;

// The arrays of one half, all heads. Undefined where they do not exist.
struct HalfArrays {
  torch::Tensor table, bias;      // E [types, d], b [types, H]
  torch::Tensor previous, chain;  // [B, H, queries, keys]
  torch::Tensor out, logSums;     // [B, queries, d], [B, H, queries]
  torch::Tensor outGradient, chainGradient, previousGradient;
  torch::Tensor tableGradient, biasGradient;  // [B, types, d], [B, types, H]
};

struct Pass {
  const LongStructure& structure;
  const GlobalLocalRules& rules;
  torch::Tensor longRows, globalRows;                  // [B, n, 3d]
  torch::Tensor longRowsGradient, globalRowsGradient;  // of the backward pass
  HalfArrays longs, globals;
  bool backward = false;

  std::int64_t batch() const { return longRows.size(0); }
  std::int64_t width() const { return longRows.size(2) / 3; }
  std::int64_t headWidth() const { return width() / rules.heads; }
  std::int64_t longLength() const { return longRows.size(1); }
  std::int64_t globalLength() const { return globalRows.size(1); }
  std::int64_t types() const { return longs.table.size(0); }
};

// Scratch of one thread, in numbers of the streams' type.
class Scratch {
 public:
  explicit Scratch(const torch::TensorOptions& options) : m_options(options) {}
  // [rows, columns], contiguous; `slot` tells the matrices that are in use at a time apart.
  torch::Tensor matrix(std::size_t slot, std::int64_t rows, std::int64_t columns) {
    torch::Tensor& memory = m_memory.at(slot);
    if (!memory.defined() || memory.numel() < rows * columns) memory = at::empty({rows * columns}, m_options);
    return memory.narrow(0, 0, rows * columns).view({rows, columns});
  }

 private:
  torch::TensorOptions m_options;
  std::array<torch::Tensor, 4> m_memory;
};

// What a row of a block reads of the structure of one sequence.
struct SequenceStructure {
  const std::int32_t *sentence, *paragraph, *link, *context, *globalContext, *everything;
  bool allGlobals;  // none of them is padding
  SequenceStructure(const LongStructure& s, std::int64_t b)
      : sentence(s.sentence.const_data_ptr<std::int32_t>() + b * s.longLength()),
        paragraph(s.paragraph.const_data_ptr<std::int32_t>() + b * s.longLength()),
        link(s.link.const_data_ptr<std::int32_t>() + b * s.longLength()),
        context(s.context.const_data_ptr<std::int32_t>() + b * s.longLength()),
        globalContext(s.globalContext.const_data_ptr<std::int32_t>() + b * s.globalLength()),
        everything(s.everything.const_data_ptr<std::int32_t>() + b * s.globalLength()),
        allGlobals(std::all_of(globalContext, globalContext + s.globalLength(),
                               [](std::int32_t context) { return context != 0; })) {}
  bool within(std::int64_t token, std::int64_t global) const {
    return sentence[token] == global || paragraph[token] == global;
  }
  bool belongs(std::int64_t token, std::int64_t global) const {
    return within(token, global) || link[token] == global;
  }
};

// A block of queries of one head: rows of scores over `keys` columns.
struct Block {
  std::int64_t first = 0, rows = 0;        // queries
  std::int64_t ownFirst = 0, own = 0;      // keys of the queries' own stream, columns 0 ... own
  std::int64_t otherFirst = 0, other = 0;  // keys of the other stream, the columns behind
  bool oneContext = false;                 // all own keys are of one context, that of the queries
  std::int64_t keys() const { return own + other; }
};

}  // namespace fathom::long_attention
