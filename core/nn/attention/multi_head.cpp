// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "core/nn/attention/attention_maps.h"
#include "core/nn/dropout.h"

namespace fathom {

namespace {

// Multi-head attention (transformers.md §1.1): softmax of scaled products, dropout on the probabilities,
// output map.
class MultiHead : public Attention {
 public:
  MultiHead(ParameterStore& store, const ParameterInfo& where, const AttentionSetup& setup)
      : m_maps(store, where, setup) {}

  KeyValueCache projectMemory(const torch::Tensor& memory) const override {
    return m_maps.projectMemory(memory);
  }

  BranchOutputs forward(const BranchInputs& in) const override {
    const AttentionMaps::Projected projected = m_maps.project(in);
    BranchOutputs out;
    out.value = m_maps.output(needsScores(in) ? plain(projected, in, out.scores) : fused(projected, in.mask));
    return out;
  }

 private:
  bool needsScores(const BranchInputs& in) const {
    const AttentionSetup& setup = m_maps.setup();
    return !setup.fusedKernel || setup.chain != ScoreChain::None ||
           (in.context.training && setup.dropout > 0) || in.mask.style == MaskStyle::SetMinus1e9 ||
           (in.context.observer && in.context.observer->wantsAttention());
  }

  static torch::Tensor fused(const AttentionMaps::Projected& p, const AttentionMask& mask) {
    const bool causal = mask.causal && p.query.size(2) == p.key.size(2);
    std::optional<torch::Tensor> additive;
    if (!causal && mask.additive.defined()) additive = mask.additive;
    return at::scaled_dot_product_attention(p.query, p.key, p.value, additive, 0.0, causal);
  }

  torch::Tensor plain(const AttentionMaps::Projected& projected, const BranchInputs& in,
                      torch::Tensor& handedOn) const {
    const torch::Tensor scores = m_maps.scores(projected);
    const ChainedScores chained = chainScores(m_maps.setup().chain, scores, in.previousScores, in.site.layer);
    const bool observed = in.context.observer && in.context.observer->wantsAttention();
    const torch::Tensor logits =
        AttentionMaps::applyMask(chained.logits, in.mask, !chained.chain.defined() && !observed);
    const torch::Tensor probabilities = at::softmax(logits, -1);
    if (observed) {
      const torch::Tensor none;
      const torch::Tensor& chain = chained.chain.defined() ? chained.chain : scores;
      in.context.observer->attention({in.site, scores, none, chain, logits, probabilities});
    }
    handedOn = chained.chain;
    const torch::Tensor kept =
        dropout(probabilities, m_maps.setup().dropout, in.context, in.site.name() + ".probabilities");
    return at::matmul(kept, projected.value);
  }

  AttentionMaps m_maps;
};

}  // namespace

AttentionEntry multiHeadEntry() {
  return {"multi_head",
          "Multi-head",
          "Vaswani et al. 2017",
          false,
          [](const std::string&) { return std::vector<OptionField>(); },
          [](ParameterStore& store, const ParameterInfo& where, const AttentionSetup& setup)
              -> std::unique_ptr<Attention> { return std::make_unique<MultiHead>(store, where, setup); }};
}

}  // namespace fathom
