// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/attention_projections.h"

#include <cmath>
#include <vector>

#include "core/nn/on_host.h"

namespace fathom {

AttentionProjections::AttentionProjections(ParameterStore& store, const ParameterInfo& where,
                                           const AttentionSetup& setup)
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
    m_inBias =
        store.addFused(where.name + ".query_key_value.bias", {bias("query"), bias("key"), bias("value")}, -1);
  }
  m_outWeight = store.add(part("output", "weight", ParameterRole::AttentionOutput).info, {d, d});
  if (setup.outputBias) m_outBias = store.add(bias("output").info, {d});
}

double AttentionProjections::scale() const {
  return 1 / std::sqrt(static_cast<double>(m_setup.width / m_setup.heads));
}

// [B, T, n*d] -> [n, B, H, T, d/H], contiguous.
torch::Tensor AttentionProjections::split(const torch::Tensor& x, std::int64_t parts) const {
  const std::int64_t headWidth = m_setup.width / m_setup.heads;
  return x.view({x.size(0), x.size(1), parts, m_setup.heads, headWidth})
      .permute({2, 0, 3, 1, 4})
      .contiguous();
}

KeyValueCache AttentionProjections::projectMemory(const torch::Tensor& memory) const {
  const std::vector<torch::Tensor> parts = split(at::linear(memory, m_inWeight, m_inBias), 2).unbind(0);
  return {parts[0], parts[1], memory.size(1)};
}

AttentionProjections::Projected AttentionProjections::project(const BranchInputs& in) const {
  if (m_cross) {
    const torch::Tensor query = split(at::linear(in.query, m_queryWeight, m_queryBias), 1).squeeze(0);
    const KeyValueCache projected = in.cache ? *in.cache : projectMemory(in.memory);
    return {query, projected.validKeys(), projected.validValues()};
  }
  // unbind: the gradients of the parts are put side by side once, instead of three times into zeros.
  const std::vector<torch::Tensor> parts = split(at::linear(in.query, m_inWeight, m_inBias), 3).unbind(0);
  if (!in.cache) return {parts[0], parts[1], parts[2]};
  in.cache->append(parts[1], parts[2]);
  return {parts[0], in.cache->validKeys(), in.cache->validValues()};
}

torch::Tensor AttentionProjections::output(const torch::Tensor& heads) const {
  const torch::Tensor joined = heads.transpose(1, 2).reshape({heads.size(0), heads.size(2), m_setup.width});
  return at::linear(joined, m_outWeight, m_outBias);
}

AttentionProjections::ProjectedRows AttentionProjections::projectRows(const BranchInputs& in) const {
  const auto rows = [&](const torch::Tensor& x) { return x.reshape({-1, m_setup.width}); };
  if (!m_cross && in.memory.defined()) {
    const std::int64_t d = m_setup.width;
    const auto part = [&](const torch::Tensor& whole, std::int64_t first, std::int64_t count) {
      return whole.defined() ? whole.narrow(0, first, count) : whole;
    };
    return {at::linear(rows(in.query), part(m_inWeight, 0, d), part(m_inBias, 0, d)),
            at::linear(rows(in.memory), part(m_inWeight, d, 2 * d), part(m_inBias, d, 2 * d))};
  }
  if (!m_cross) return {at::linear(rows(in.query), m_inWeight, m_inBias), {}};
  return {at::linear(rows(in.query), m_queryWeight, m_queryBias),
          at::linear(rows(in.memory), m_inWeight, m_inBias)};
}

torch::Tensor AttentionProjections::outputRows(const torch::Tensor& rows, const torch::Tensor& query) const {
  return at::linear(rows, m_outWeight, m_outBias).view(query.sizes());
}

namespace {
bool isNarrow(const torch::Tensor& tensor) {
  return tensor.scalar_type() == torch::kHalf || tensor.scalar_type() == torch::kBFloat16;
}
// Mixed precision: chain and softmax are wide.
torch::Tensor widened(const torch::Tensor& scores) {
  return isNarrow(scores) ? scores.to(torch::kFloat32) : scores;
}
}  // namespace

torch::Tensor AttentionProjections::scores(const Projected& projected) const {
  const std::int64_t batch = projected.query.size(0), heads = m_setup.heads, t = projected.query.size(2);
  const std::int64_t s = projected.key.size(2), headWidth = projected.query.size(3);
  const torch::Tensor keys = projected.key.reshape({batch * heads, s, headWidth}).transpose(1, 2);
  const torch::Tensor queries = projected.query.reshape({batch * heads, t, headWidth});
  if (!isOnHost(queries) && !isNarrow(queries))
    return at::bmm(queries * scale(), keys).view({batch, heads, t, s});
  const torch::Tensor scores =
      at::baddbmm(at::zeros({1}, queries.options()), queries, keys, 0, scale()).view({batch, heads, t, s});
  return widened(scores);
}

torch::Tensor AttentionProjections::addedScores(const Projected& projected,
                                                const torch::Tensor& before) const {
  const bool wideProducts = before.scalar_type() == projected.query.scalar_type();
  if (!wideProducts) return before + scores(projected);
  const torch::Tensor keys = projected.key.flatten(0, 1).transpose(1, 2);
  return at::baddbmm(before.flatten(0, 1), projected.query.flatten(0, 1) * scale(), keys)
      .view(before.sizes());
}

torch::Tensor AttentionProjections::applyMask(const torch::Tensor& logits, const AttentionMask& mask,
                                              bool inPlace) {
  if (!mask.blocked.defined()) return logits;
  if (mask.style == MaskStyle::SetMinus1e9) return logits.masked_fill(mask.blocked, -1e9);
  if (!inPlace) return logits + mask.additive;
  logits.detach().add_(mask.additive);  // a constant: the gradient passes unchanged
  return logits;
}

}  // namespace fathom
