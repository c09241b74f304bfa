// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "core/nn/attention/attention_projections.h"
#include "core/nn/attention/chained_softmax.h"
#include "core/nn/attention/short_attention.h"
#include "core/nn/dropout.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {

// Multi-head attention (Transformer §3.2; docs/attention.md §1): softmax of scaled products, dropout on the
// probabilities, output map.
class MultiHead : public Attention {
 public:
  MultiHead(ParameterStore& store, const ParameterInfo& where, const AttentionSetup& setup)
      : m_maps(store, where, setup) {}

  KeyValueCache projectMemory(const torch::Tensor& memory) const override {
    return m_maps.projectMemory(memory);
  }

  bool takesPackedRows(const torch::TensorOptions& tensors, std::int64_t longest) const override {
    return shortAttentionFits(m_maps.setup(), tensors, longest);
  }
  bool readsSomeRows() const override { return true; }

  BranchOutputs forward(const BranchInputs& in) const override {
    BranchOutputs out;
    if (fitsShort(in)) {
      out.value = m_maps.outputRows(shortened(in), in.query);
      return out;
    }
    const AttentionProjections::Projected projected = m_maps.project(in);
    if (handsOutParts(in))
      in.context.observer->queriesAndKeys(
          {in.site, projected.query, projected.key, in.mask.additive, m_maps.scale()});
    out.value = m_maps.output(needsScores(in) ? plain(projected, in, out.scores) : fused(projected, in));
    return out;
  }

 private:
  bool fitsShort(const BranchInputs& in) const {
    if (in.cache || (in.mask.padded && !in.mask.keySpans.defined())) return false;
    if (in.mask.style == MaskStyle::SetMinus1e9 ||
        (in.context.observer && in.context.observer->wantsAttention()))
      return false;
    const torch::Tensor& keys = in.memory.defined() ? in.memory : in.query;
    return keys.dim() == 2 || shortAttentionFits(m_maps.setup(), in.query.options(), keys.size(1));
  }

  torch::Tensor shortened(const BranchInputs& in) const {
    const torch::Tensor& keys = in.memory.defined() ? in.memory : in.query;
    const auto spans = [](const torch::Tensor& known, const torch::Tensor& stream) {
      return known.defined() ? known : wholeSpans(stream.size(0), stream.size(1));
    };
    ShortAttention how{spans(in.mask.querySpans, in.query), spans(in.mask.keySpans, keys),
                       m_maps.setup().heads, in.mask.triangle};
    if (in.context.training) how.dropout = m_maps.setup().dropout;
    how.seed = dropoutSeed(in.context, in.site.name() + ".probabilities");
    const AttentionProjections::ProjectedRows rows = m_maps.projectRows(in);
    if (rows.keyValue.defined()) return shortAttention(rows.query, rows.keyValue, how);
    return shortAttention(rows.query, how);
  }

  // Whoever looks. LibTorch's fused kernel draws dropout masks of its own: none where a mask is wanted.
  bool keepsScores(const BranchInputs& in) const {
    const AttentionSetup& setup = m_maps.setup();
    return !setup.fusedKernel || setup.chain != ScoreChain::None || dropsHere(in) ||
           in.mask.style == MaskStyle::SetMinus1e9;
  }
  bool handsOutParts(const BranchInputs& in) const {
    return in.context.observer && in.context.observer->takesQueriesAndKeys() && !keepsScores(in);
  }
  bool needsScores(const BranchInputs& in) const {
    return keepsScores(in) ||
           (in.context.observer && in.context.observer->wantsAttention() && !handsOutParts(in));
  }

  bool dropsHere(const BranchInputs& in) const { return in.context.training && m_maps.setup().dropout > 0; }

  torch::Tensor fused(const AttentionProjections::Projected& p, const BranchInputs& in) const {
    const bool causal = in.mask.causal && p.query.size(2) == p.key.size(2);
    std::optional<torch::Tensor> additive;
    const torch::Tensor& mask = in.mask.aligned.defined() ? in.mask.aligned : in.mask.additive;
    if (!causal && mask.defined()) additive = mask;
    return at::scaled_dot_product_attention(p.query, p.key, p.value, additive, 0, causal);
  }

  torch::Tensor plain(const AttentionProjections::Projected& projected, const BranchInputs& in,
                      torch::Tensor& handedOn) const {
    const bool observed = in.context.observer && in.context.observer->wantsAttention();
    if (!observed && !isOnHost(in.query)) return onDevice(projected, in, handedOn);
    const torch::Tensor scores = m_maps.scores(projected);
    const ChainedScores chained = chainScores(m_maps.setup().chain, scores, in.previousScores, in.site.layer);
    const torch::Tensor logits =
        AttentionProjections::applyMask(chained.logits, in.mask, !chained.chain.defined() && !observed);
    const torch::Tensor probabilities = at::softmax(logits, -1);
    if (observed) {
      const torch::Tensor none;
      const torch::Tensor& chain = chained.chain.defined() ? chained.chain : scores;
      in.context.observer->attention({in.site, scores, none, chain, logits, probabilities});
    }
    handedOn = chained.chain;
    return at::matmul(dropped(probabilities, in), projected.value);
  }

  // A chain is added up by the matrix product; with our kernels all until the product with the values is one
  // operator each way, else division and mask are one.
  torch::Tensor onDevice(const AttentionProjections::Projected& projected, const BranchInputs& in,
                         torch::Tensor& handedOn) const {
    const ScoreChain kind = m_maps.setup().chain;
    torch::Tensor sum = in.previousScores.defined() ? m_maps.addedScores(projected, in.previousScores)
                                                    : m_maps.scores(projected);
    torch::Tensor kept;
    if (chainedSoftmaxFits(sum, in.mask)) {
      KeptProbabilities made =
          chainedSoftmax(sum, in.mask,
                         {chainDivisor(kind, in.site.layer), dropsHere(in) ? m_maps.setup().dropout : 0,
                          dropoutSeed(in.context, in.site.name() + ".probabilities")});
      kept = std::move(made.kept);
      sum = std::move(made.chain);
    } else {
      const torch::Tensor logits = kind == ScoreChain::None
                                       ? AttentionProjections::applyMask(sum, in.mask, true)
                                       : maskedChain(sum, in);
      kept = dropped(at::softmax(logits, -1), in);
    }
    if (kind != ScoreChain::None) handedOn = std::move(sum);
    return at::matmul(kept, projected.value);
  }

  torch::Tensor dropped(const torch::Tensor& probabilities, const BranchInputs& in) const {
    return dropout(probabilities, m_maps.setup().dropout, in.context, in.site.name() + ".probabilities");
  }

  // Division and mask of a running sum in one operator.
  torch::Tensor maskedChain(const torch::Tensor& sum, const BranchInputs& in) const {
    const ScoreChain kind = m_maps.setup().chain;
    if (!in.mask.additive.defined())
      return AttentionProjections::applyMask(summedScores(kind, sum, in.site.layer).logits, in.mask, false);
    return at::add(in.mask.additive, sum, 1 / chainDivisor(kind, in.site.layer));
  }

  AttentionProjections m_maps;
};

}  // namespace

AttentionEntry multiHeadEntry() {
  return {.id = "multi_head",
          .title = "Multi-head",
          .reference = "Vaswani et al. 2017",
          .make = makeAttention<MultiHead>};
}

}  // namespace fathom
