// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/score_chain.h"

#include "core/base/error.h"
#include "core/nn/field_builder.h"

namespace fathom {

ScoreChain scoreChainFromId(std::string_view id) {
  if (id == "none") return ScoreChain::None;
  if (id == "sum") return ScoreChain::Sum;
  if (id == "mean") return ScoreChain::Mean;
  throw Failure(internalError("unknown score chain '" + std::string(id) + "'"));
}

OptionField scoreChainField(const std::string& key, const std::string& title) {
  return FieldBuilder(key, OptionType::Choice, "none")
      .title(title)
      .help("Whether attention scores are added up from layer to layer before the softmax (RealFormer).")
      .choices({{"none", "None"}, {"sum", "Running sum"}, {"mean", "Running mean"}})
      .off("none")
      .reference("RealFormer §3.2")
      .group("Attention");
}

ChainedScores chainScores(ScoreChain kind, const torch::Tensor& scores, const torch::Tensor& previous,
                          std::int64_t layer) {
  if (kind == ScoreChain::None) return {{}, scores};
  const torch::Tensor sum = previous.defined() ? previous + scores : scores;
  return {sum, kind == ScoreChain::Mean && layer > 0 ? sum / static_cast<double>(layer + 1) : sum};
}

}  // namespace fathom
