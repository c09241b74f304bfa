// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/nn/attention/attention.h"
#include "core/nn/attention/score_chain.h"

namespace fathom {

// Where the tokens of a long stream [B, n] and of a global one [B, g] belong (docs/long_inputs.md §1): all
// int32, contiguous, on the processor. Indices are places in the global stream, -1 = none.
struct LongStructure {
  torch::Tensor sentence;       // [B, n] the global token of the sentence (candidate, question piece)
  torch::Tensor paragraph;      // [B, n] that of the paragraph
  torch::Tensor link;           // [B, n] one that is linked beside: belongs, but the hard mask knows it not
  torch::Tensor context;        // [B, n] numbered from 1; 0 = padding
  torch::Tensor globalContext;  // [B, g] the same numbers; 0 = padding
  torch::Tensor everything;     // [B, g] 1 = sees every long token though the mask is hard

  std::int64_t longLength() const { return context.size(1); }
  std::int64_t globalLength() const { return globalContext.size(1); }
};

// Ids of relations (ETC §3.2; docs/long_inputs.md §2): 0 self, 1..m right, m+1..2m left, then these.
struct RelationIds {
  std::int64_t distance = 12;  // m
  std::int64_t apart() const { return 2 * distance + 1; }
  std::int64_t belonging() const { return 2 * distance + 2; }
  std::int64_t otherContext() const { return 2 * distance + 3; }
  std::int64_t between(std::int64_t query, std::int64_t key) const {
    const std::int64_t by = key - query;
    if (by >= 0) return by < distance ? by : distance;
    return distance + (-by < distance ? -by : distance);
  }
};

// The rules of one attention on one layer.
struct GlobalLocalRules {
  std::int64_t heads = 1, radius = 84;
  RelationIds ids;
  bool hardGlobal = true;  // a global token sees the long tokens of its sentence or paragraph only
  // false: the local radius alone. Nobody reads a global token but itself, and it reads the long tokens of
  // its sentence or paragraph only, whatever it may see otherwise.
  bool exchange = true;
  ScoreChain chain = ScoreChain::None;
  std::int64_t layer = 0;  // the mean divides by layer + 1
  double dropout = 0;      // on the probabilities
  std::uint64_t longSeed = 0, globalSeed = 0;
  std::int64_t windowKeys() const { return 2 * radius + 1; }
};

// Queries, keys and values of both streams and the relation tables of both halves. Chains: those of the layer
// below or undefined; keys in the order of the softmax.
struct GlobalLocalInputs {
  torch::Tensor longRows, globalRows;    // [B, n, 3d] and [B, g, 3d]: query, key, value
  torch::Tensor longTable, globalTable;  // E [types, d], head h owns columns h d/H ...
  torch::Tensor longBias, globalBias;    // b [types, H]
  torch::Tensor longChain, globalChain;  // [B, H, n, 2r + 1 + g] and [B, H, g, g + n]
};

struct GlobalLocalOutputs {
  torch::Tensor longRows, globalRows;    // [B, n, d], [B, g, d]: heads side by side, before the output maps
  torch::Tensor longChain, globalChain;  // raw sums to hand on; undefined without a chain
};

// What the window form can tell about one half beside its output; keys in the order of the softmax.
struct GlobalLocalHalf {
  torch::Tensor scores, relationScores, chain, logits, probabilities;  // [B, H, queries, keys]
};

// Ids and masks of the four pieces as arrays, long to long as windows [B, n, 2r + 1], the others [B, queries,
// keys]: int64 and bool, where the structure lies.
struct RelationPieces {
  torch::Tensor longLongIds, longGlobalIds, globalLongIds, globalGlobalIds;
  torch::Tensor longLongMask, longGlobalMask, globalLongMask, globalGlobalMask;  // true = may attend
};
RelationPieces relationPieces(const LongStructure& structure, const GlobalLocalRules& rules);

// The same with the keys in the order of the softmax: of long queries [B, n, 2r + 1 + g], of global ones
// [B, g, g + n]. Every layer of a stack reads the same.
struct SoftmaxPieces {
  torch::Tensor longIds, longMask, globalIds, globalMask;
};
// On `device`, where they are made of the structure, which goes there in one copy for which nobody waits.
SoftmaxPieces softmaxPieces(const LongStructure& structure, const GlobalLocalRules& rules,
                            const torch::Device& device);

// One softmax over window and global keys for a long query, one over global and long keys for a global query
// (ETC §3; docs/long_inputs.md §2). A padded query sees nothing: its row is 0.
// Three forms, equal up to rounding:
// - blocks: the processor, float32 and float64. Nothing larger than a block of scores exists beside inputs,
//   outputs and chains, forward and backward.
// - window: operators on any device, [B, H, n, 2r + 1 + g] scores are kept. `pieces` lie where the rows do;
//   halves may be null.
// - full: every pair under a mask, n^2, without dropout: what the others are compared with.
GlobalLocalOutputs globalLocalBlocks(const GlobalLocalInputs& inputs, const LongStructure& structure,
                                     const GlobalLocalRules& rules);
GlobalLocalOutputs globalLocalWindow(const GlobalLocalInputs& inputs, const SoftmaxPieces& pieces,
                                     const GlobalLocalRules& rules, GlobalLocalHalf* longHalf = nullptr,
                                     GlobalLocalHalf* globalHalf = nullptr);
GlobalLocalOutputs globalLocalFull(const GlobalLocalInputs& inputs, const LongStructure& structure,
                                   const GlobalLocalRules& rules);

// The attention of a layer over both streams: query, key and value maps serve both; output maps and relation
// tables are one per stream.
class GlobalLocal {
 public:
  // `longPlace`, `globalPlace`: parameter prefixes and places of the two halves.
  GlobalLocal(ParameterStore& store, const ParameterInfo& longPlace, const ParameterInfo& globalPlace,
              const AttentionSetup& setup, const GlobalLocalRules& rules);

  struct Streams {
    torch::Tensor longs, globals;  // [B, n, d], [B, g, d]
  };
  struct Sites {
    const SublayerSite& longs;
    const SublayerSite& globals;
  };
  // Nothing before the first layer of a stack; each layer reads it and leaves it to the next.
  struct HandedOn {
    Streams chains;
    std::optional<SoftmaxPieces> pieces;  // made by the first layer that computes by windows
  };
  Streams forward(const Streams& streams, const LongStructure& structure, HandedOn& handed,
                  const Sites& sites, const StepContext& context) const;

 private:
  struct Half {
    torch::Tensor outWeight, outBias, table, bias;
  };
  Half addHalf(ParameterStore& store, const ParameterInfo& where) const;

  AttentionSetup m_setup;
  GlobalLocalRules m_rules;
  std::int64_t m_types;
  torch::Tensor m_inWeight, m_inBias;  // [3d, d] query, key, value
  Half m_long, m_global;
};

// Options encoder.attention.global_local.* and what they say.
GlobalLocalRules globalLocalRules(const OptionValues& options, const std::string& stack);
std::int64_t globalLocalTypes(const OptionValues& options, const std::string& stack);

}  // namespace fathom
