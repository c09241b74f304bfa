// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>

#include "core/base/errors/word_table.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Residual attention (RealFormer §3.2, docs/score_chain.md §1): each layer adds its raw scores to a running
// sum S that is handed on unmasked and undivided. Sum: logits = S. Mean: logits = S / (layer + 1).
enum class ScoreChain { None, Sum, Mean };

inline constexpr EnumWord<ScoreChain> kScoreChains[] = {{ScoreChain::None, "none", "None"},
                                                        {ScoreChain::Sum, "sum", "Running sum"},
                                                        {ScoreChain::Mean, "mean", "Running mean"}};
OptionField scoreChainField(const std::string& key, const std::string& title);

struct ChainedScores {
  torch::Tensor chain;   // S, handed to the next layer; undefined without a chain
  torch::Tensor logits;  // argument of the mask and the softmax
};
// scores [B, H, T, S]; previous: S of the layer below, undefined at layer 0.
ChainedScores chainScores(ScoreChain kind, const torch::Tensor& scores, const torch::Tensor& previous,
                          std::int64_t layer);
// The same where the sum S of this layer is there already; `kind` is a chain.
ChainedScores summedScores(ScoreChain kind, const torch::Tensor& sum, std::int64_t layer);

}  // namespace fathom
