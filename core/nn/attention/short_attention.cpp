// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/short_attention.h"

#include <torch/csrc/autograd/custom_function.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "core/kernels/device_relations.h"
#include "core/nn/attention/head_plan.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Keeps the numbers of `how` for the backward pass.
void keep(AutogradContext* ctx, const ShortAttention& how) {
  ctx->saved_data["query_spans"] = how.querySpans;
  ctx->saved_data["key_spans"] = how.keySpans;
  ctx->saved_data["heads"] = how.heads;
  ctx->saved_data["causal"] = how.causal;
  ctx->saved_data["dropout"] = how.dropout;
  ctx->saved_data["seed"] = static_cast<std::int64_t>(how.seed);
}
ShortAttention kept(AutogradContext* ctx) {
  const auto& saved = ctx->saved_data;
  return {saved.at("query_spans").toTensor(), saved.at("key_spans").toTensor(),
          saved.at("heads").toInt(),          saved.at("causal").toBool(),
          saved.at("dropout").toDouble(),     static_cast<std::uint64_t>(saved.at("seed").toInt())};
}

// The relations of every sequence; without tables none.
class RelationTerms {
 public:
  RelationTerms(const ShortRelations& relations, const HeadPlan& plan)
      : m_relations(relations), m_starts(plan.queries.size(), 0) {
    for (std::size_t b = 1; b < m_starts.size(); ++b)
      m_starts[b] = m_starts[b - 1] + plan.queries[b - 1] * plan.queries[b - 1];
  }
  HeadRelations of(std::size_t b) const {
    if (!m_relations.keys.defined()) return {};
    return {m_relations.blocks.const_data_ptr<std::int32_t>() + m_starts[b],
            m_relations.keys.const_data_ptr<float>(), m_relations.values.const_data_ptr<float>(),
            m_relations.keys.size(0)};
  }

 private:
  const ShortRelations& m_relations;
  std::vector<std::int64_t> m_starts;  // of each sequence's block of ids
};

ShortRelations dense(const torch::Tensor& keys, const torch::Tensor& values, const torch::Tensor& blocks) {
  if (!keys.defined()) return {};
  return {keys.contiguous(), values.contiguous(), blocks};
}

std::int64_t typesOf(const ShortRelations& relations) {
  return relations.keys.defined() ? relations.keys.size(0) : 0;
}

// Every head writes its own share of the tables' gradients [2, items, types, d/H]; they are added up in
// order.
struct TableShares {
  torch::Tensor shares;
  TableShares(const ShortRelations& relations, const HeadPlan& plan) {
    if (relations.keys.defined())
      shares = at::empty({2, plan.items(), typesOf(relations), plan.width}, relations.keys.options());
  }
  float* of(std::int64_t table, std::int64_t item) const {
    if (!shares.defined()) return nullptr;
    return shares.mutable_data_ptr<float>() +
           (table * shares.size(1) + item) * shares.size(2) * shares.size(3);
  }
  torch::Tensor sums() const { return shares.defined() ? shares.sum(1) : torch::Tensor(); }
};

class ShortAttentionFunction : public torch::autograd::Function<ShortAttentionFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& query,
                               const std::optional<torch::Tensor>& keyValue,
                               const std::optional<torch::Tensor>& relationKeys,
                               const std::optional<torch::Tensor>& relationValues,
                               const std::optional<torch::Tensor>& relationBlocks,
                               const ShortAttention& how) {
    const torch::Tensor memory = keyValue.value_or(torch::Tensor());
    const torch::Tensor keys = relationKeys.value_or(torch::Tensor());
    const torch::Tensor values = relationValues.value_or(torch::Tensor());
    const torch::Tensor blocks = relationBlocks.value_or(torch::Tensor());
    const ShortRelations relations = dense(keys, values, blocks);
    const std::int64_t width = query.size(1) / (memory.defined() ? 1 : 3);
    const HeadPlan plan(how, width / how.heads, typesOf(relations));
    const RelationTerms terms(relations, plan);
    const Projections from = projectionsOf(query, memory);
    torch::Tensor out = rowsLike(query, width, total(plan.queries) == query.size(0));
    torch::Tensor probabilities = at::empty({plan.probabilityCount}, query.options());
    float* result = out.mutable_data_ptr<float>();
    plan.forEach(probabilities.mutable_data_ptr<float>(),
                 [&](std::size_t b, std::int64_t h, AttentionHead& head, float* scratch) {
                   place(head, plan, from, b, h);
                   head.relations = terms.of(b);
                   attendHead(head, result + plan.queryFirst[b] * width + h * plan.width, width, scratch);
                 });
    ctx->save_for_backward({query, memory, keys, values});
    ctx->saved_data["probabilities"] = probabilities;
    ctx->saved_data["blocks"] = blocks;
    keep(ctx, how);
    return out;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor &query = saved[0], &memory = saved[1];
    const torch::Tensor gradient = gradients[0].contiguous();
    const ShortRelations relations = dense(saved[2], saved[3], ctx->saved_data["blocks"].toTensor());
    const ShortAttention how = kept(ctx);
    const std::int64_t width = gradient.size(1);
    const HeadPlan plan(how, width / how.heads, typesOf(relations));
    const RelationTerms terms(relations, plan);
    const TableShares shares(relations, plan);
    torch::Tensor probabilities = ctx->saved_data["probabilities"].toTensor();
    const bool queriesCovered = total(plan.queries) == query.size(0);
    const bool keysCovered = total(plan.keys) == (memory.defined() ? memory : query).size(0);
    torch::Tensor queryGradient =
        rowsLike(query, query.size(1), queriesCovered && (memory.defined() || keysCovered));
    torch::Tensor memoryGradient;
    if (memory.defined()) memoryGradient = rowsLike(memory, memory.size(1), keysCovered);
    const Projections from = projectionsOf(query, memory);
    const Projections to = projectionsOf(queryGradient, memoryGradient);
    const float* out = gradient.const_data_ptr<float>();
    plan.forEach(probabilities.mutable_data_ptr<float>(),
                 [&](std::size_t b, std::int64_t h, AttentionHead& head, float* scratch) {
                   place(head, plan, from, b, h);
                   head.relations = terms.of(b);
                   AttentionHead target;
                   place(target, plan, to, b, h);
                   const std::int64_t item = static_cast<std::int64_t>(b) * plan.heads + h;
                   attendHeadBackward(head,
                                      {out + plan.queryFirst[b] * width + h * plan.width, width,
                                       const_cast<float*>(target.query), const_cast<float*>(target.key),
                                       const_cast<float*>(target.value), to.queryStride, to.keyStride,
                                       shares.of(0, item), shares.of(1, item)},
                                      scratch);
                 });
    const torch::Tensor sums = shares.sums();
    if (!sums.defined()) return {queryGradient, memoryGradient, {}, {}, {}, {}};
    return {queryGradient, memoryGradient, sums[0], sums[1], {}, {}};
  }
};

}  // namespace

bool shortAttentionFits(const AttentionSetup& setup, const torch::TensorOptions& tensors,
                        std::int64_t longestKeys) {
  constexpr KernelWays kShortAttention{.lanes = kShortAttentionNeeds};
  return setup.fusedKernel && setup.chain == ScoreChain::None &&
         wayOf(kShortAttention, tensors, {.width = setup.width / setup.heads, .longest = longestKeys}) ==
             KernelWay::Lanes;
}

torch::Tensor shortAttention(const torch::Tensor& projected, const ShortAttention& how) {
  return ShortAttentionFunction::apply(projected.contiguous(), std::nullopt, std::nullopt, std::nullopt,
                                       std::nullopt, how);
}

torch::Tensor shortAttention(const torch::Tensor& projected, const ShortRelations& relations,
                             const ShortAttention& how) {
  return ShortAttentionFunction::apply(projected.contiguous(), std::nullopt, relations.keys, relations.values,
                                       relations.blocks, how);
}

torch::Tensor shortAttention(const torch::Tensor& query, const torch::Tensor& keyValue,
                             const ShortAttention& how) {
  return ShortAttentionFunction::apply(query.contiguous(), keyValue.contiguous(), std::nullopt, std::nullopt,
                                       std::nullopt, how);
}

}  // namespace fathom
