// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/score_chain.h"

#include "core/base/options/field_builder.h"

namespace fathom {

OptionField scoreChainField(const std::string& key, const std::string& title) {
  return choiceField(
             key, title,
             "Whether attention scores are added up from layer to layer before the softmax (RealFormer).",
             choicesOf(kScoreChains))
      .off("none")
      .reference("RealFormer §3.2")
      .group("Attention");
}

ChainedScores chainScores(ScoreChain kind, const torch::Tensor& scores, const torch::Tensor& previous,
                          std::int64_t layer) {
  if (kind == ScoreChain::None) return {{}, scores};
  return summedScores(kind, previous.defined() ? previous + scores : scores, layer);
}

ChainedScores summedScores(ScoreChain kind, const torch::Tensor& sum, std::int64_t layer) {
  return {sum, kind == ScoreChain::Mean && layer > 0 ? sum / static_cast<double>(layer + 1) : sum};
}

}  // namespace fathom
