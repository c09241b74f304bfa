// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/nn/models/etc.h"
#include "tests/torch/support_tensors.h"

namespace fathom::fixtures {

// A case of an encoder of two streams (fixture areas etc_attention, etc_inputs): its network and its inputs.
struct LongCase {
  explicit LongCase(const TensorCase& layerCase);
  const TensorCase& one;
  GlobalLocalRules rules;
  EtcConfiguration configuration;
  LongStructure structure;
  // Of a fixture's name "parameter.…" or "gradient.…" without its first word.
  static std::string ownName(const std::string& fixture);
  // Loads every "parameter.…" that the store knows.
  void load(ParameterStore& store) const;
  // What differs from the case's gradients with this first word ("gradient"), or empty.
  std::string gradientDifference(const ParameterStore& store, const std::string& word) const;
};

// Places of tokens from "input.long_sentence" … (README of the fixtures). `everythingKinds`: kinds of global
// tokens that a hard mask does not bind.
LongStructure longStructureOf(const TensorCase& layerCase);

// [B, g] 1 at global tokens of these kinds ("cls", "question", …).
torch::Tensor everythingOf(const torch::Tensor& kinds, const Json& words);
// "side.…" of a case: ids and masks of the four pieces, exactly.
void comparePiecesOf(const TensorCase& layerCase, const RelationPieces& own);

// Blocks or windows on random places: batch sequences with documents, sentences and padding.
LongStructure randomStructure(std::int64_t batch, std::int64_t length, std::int64_t globals,
                              std::uint64_t seed);

}  // namespace fathom::fixtures
