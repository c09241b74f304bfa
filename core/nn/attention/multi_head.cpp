// SPDX-License-Identifier: Apache-2.0
#include <ATen/Functions.h>

#include <cmath>

#include "core/nn/attention/attention.h"
#include "core/nn/dropout.h"

namespace fathom {

namespace {

// Multi-head attention (transformers.md §1.1): q scaled by d_k^-1/2, softmax, dropout on the probabilities,
// output map. Self attention keeps query, key and value maps in one [3d, d] tensor (one GEMM), cross
// attention key and value in one [2d, d]; the parts have their own names.
class MultiHead : public Attention {
 public:
  MultiHead(ParameterStore& store, const ParameterInfo& where, const AttentionSetup& setup)
      : m_setup(setup), m_cross(where.sublayer == SublayerKind::CrossAttention) {
    const std::int64_t d = setup.width;
    const auto part = [&](const char* name, const char* kind, ParameterRole role) {
      ParameterInfo info = where;
      info.name = where.name + "." + name + "." + kind;
      info.role = role;
      return ParameterPart{info, d};
    };
    const auto query = part("query", "weight", ParameterRole::Query);
    const auto key = part("key", "weight", ParameterRole::Key);
    const auto value = part("value", "weight", ParameterRole::Value);
    const auto bias = [&](const char* name) { return part(name, "bias", ParameterRole::Bias); };
    if (m_cross) {
      m_queryWeight = store.add(query.info, {d, d});
      m_inWeight = store.addFused(where.name + ".key_value.weight", {key, value}, d);
    } else {
      m_inWeight = store.addFused(where.name + ".query_key_value.weight", {query, key, value}, d);
    }
    if (setup.queryKeyValueBias && m_cross) {
      m_queryBias = store.add(bias("query").info, {d});
      m_inBias = store.addFused(where.name + ".key_value.bias", {bias("key"), bias("value")}, -1);
    } else if (setup.queryKeyValueBias) {
      m_inBias = store.addFused(where.name + ".query_key_value.bias",
                                {bias("query"), bias("key"), bias("value")}, -1);
    }
    m_outWeight = store.add(part("output", "weight", ParameterRole::AttentionOutput).info, {d, d});
    if (setup.outputBias) m_outBias = store.add(bias("output").info, {d});
  }

  KeyValueCache projectMemory(const torch::Tensor& memory) const override {
    const torch::Tensor parts = split(at::linear(memory, m_inWeight, m_inBias), 2);
    return {parts.select(0, 0), parts.select(0, 1), memory.size(1)};
  }

  BranchOutputs forward(const BranchInputs& in) const override {
    torch::Tensor query, key, value;  // [B, H, T or S, d/H]
    if (m_cross) {
      query = split(at::linear(in.query, m_queryWeight, m_queryBias), 1).select(0, 0);
      const KeyValueCache projected = in.cache ? *in.cache : projectMemory(in.memory);
      key = projected.validKeys();
      value = projected.validValues();
    } else {
      const torch::Tensor parts = split(at::linear(in.query, m_inWeight, m_inBias), 3);
      query = parts.select(0, 0);
      key = parts.select(0, 1);
      value = parts.select(0, 2);
      if (in.cache) {
        in.cache->append(key, value);
        key = in.cache->validKeys();
        value = in.cache->validValues();
      }
    }
    BranchOutputs out;
    const torch::Tensor heads =
        needsScores(in) ? plain(query, key, value, in, out.scores) : fused(query, key, value, in.mask);
    const torch::Tensor joined =
        heads.transpose(1, 2).reshape({in.query.size(0), in.query.size(1), m_setup.width});
    out.value = at::linear(joined, m_outWeight, m_outBias);
    return out;
  }

 private:
  // [B, T, n*d] -> [n, B, H, T, d/H], contiguous.
  torch::Tensor split(const torch::Tensor& x, std::int64_t parts) const {
    const std::int64_t headWidth = m_setup.width / m_setup.heads;
    return x.view({x.size(0), x.size(1), parts, m_setup.heads, headWidth})
        .permute({2, 0, 3, 1, 4})
        .contiguous();
  }

  bool needsScores(const BranchInputs& in) const {
    return !m_setup.fusedKernel || m_setup.chain != ScoreChain::None ||
           (in.context.training && m_setup.dropout > 0) || in.mask.style == MaskStyle::SetMinus1e9 ||
           (in.context.observer && in.context.observer->wantsAttention());
  }

  torch::Tensor fused(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                      const AttentionMask& mask) const {
    const bool causal = mask.causal && query.size(2) == key.size(2);
    return at::scaled_dot_product_attention(
        query, key, value, causal ? std::optional<torch::Tensor>() : optional(mask.additive), 0.0, causal);
  }
  static std::optional<torch::Tensor> optional(const torch::Tensor& tensor) {
    return tensor.defined() ? std::optional<torch::Tensor>(tensor) : std::nullopt;
  }

  torch::Tensor plain(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                      const BranchInputs& in, torch::Tensor& handedOn) const {
    const std::int64_t rows = query.size(0) * m_setup.heads;
    const std::int64_t t = query.size(2), s = key.size(2), headWidth = query.size(3);
    const double scale = 1 / std::sqrt(static_cast<double>(headWidth));
    const torch::Tensor flatKey = key.reshape({rows, s, headWidth}).transpose(1, 2);
    const torch::Tensor scores =
        at::baddbmm(at::zeros({1}, query.options()), query.reshape({rows, t, headWidth}), flatKey, 0, scale)
            .view({query.size(0), m_setup.heads, t, s});
    const ChainedScores chained = chainScores(m_setup.chain, scores, in.previousScores, in.site.layer);
    const bool observed = in.context.observer && in.context.observer->wantsAttention();
    // Nobody else reads the fresh scores: the mask may be added in place.
    const torch::Tensor logits = applyMask(chained.logits, in.mask, !chained.chain.defined() && !observed);
    const torch::Tensor probabilities = at::softmax(logits, -1);
    if (observed) {
      const torch::Tensor none;
      const torch::Tensor& chain = chained.chain.defined() ? chained.chain : scores;
      in.context.observer->attention({in.site, scores, none, chain, logits, probabilities});
    }
    handedOn = chained.chain;
    const torch::Tensor kept =
        dropout(probabilities, m_setup.dropout, in.context, in.site.name() + ".probabilities");
    return at::bmm(kept.view({rows, t, s}), value.reshape({rows, s, headWidth}))
        .view({query.size(0), m_setup.heads, t, headWidth});
  }

  static torch::Tensor applyMask(const torch::Tensor& logits, const AttentionMask& mask, bool inPlace) {
    if (!mask.blocked.defined()) return logits;
    if (mask.style == MaskStyle::SetMinus1e9) return logits.masked_fill(mask.blocked, -1e9);
    if (!inPlace) return logits + mask.additive;
    logits.detach().add_(mask.additive);  // a constant: the gradient passes unchanged
    return logits;
  }

  AttentionSetup m_setup;
  bool m_cross;
  torch::Tensor m_inWeight, m_inBias;        // self: [3d, d] query, key, value; cross: [2d, d] key, value
  torch::Tensor m_queryWeight, m_queryBias;  // cross only
  torch::Tensor m_outWeight, m_outBias;
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
