// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/short_attention.h"

#include <torch/csrc/autograd/custom_function.h>

#include "core/nn/attention/head_plan.h"
#include "core/nn/fused_passes.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class ShortAttentionFunction : public torch::autograd::Function<ShortAttentionFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& query,
                               const std::optional<torch::Tensor>& keyValue, const torch::Tensor& querySpans,
                               const torch::Tensor& keySpans, std::int64_t heads, bool causal, double dropout,
                               std::int64_t seed) {
    const torch::Tensor memory = keyValue.value_or(torch::Tensor());
    const std::int64_t width = query.size(1) / (memory.defined() ? 1 : 3);
    const HeadPlan plan({querySpans, keySpans, heads, causal, dropout, static_cast<std::uint64_t>(seed)},
                        width / heads);
    const Projections from = projectionsOf(query, memory);
    torch::Tensor out = rowsLike(query, width, total(plan.queries) == query.size(0));
    torch::Tensor probabilities = at::empty({plan.probabilityCount}, query.options());
    float* result = out.mutable_data_ptr<float>();
    plan.forEach(probabilities.mutable_data_ptr<float>(),
                 [&](std::size_t b, std::int64_t h, AttentionHead& head, float* scratch) {
                   place(head, plan, from, b, h);
                   attendHead(head, result + plan.queryFirst[b] * width + h * plan.width, width, scratch);
                 });
    ctx->save_for_backward({query, memory});
    ctx->saved_data["probabilities"] = probabilities;
    ctx->saved_data["query_spans"] = querySpans;
    ctx->saved_data["key_spans"] = keySpans;
    ctx->saved_data["heads"] = heads;
    ctx->saved_data["causal"] = causal;
    ctx->saved_data["dropout"] = dropout;
    ctx->saved_data["seed"] = seed;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor &query = saved[0], &memory = saved[1];
    const torch::Tensor gradient = gradients[0].contiguous();
    const std::int64_t width = gradient.size(1);
    const std::int64_t heads = ctx->saved_data["heads"].toInt();
    const HeadPlan plan({ctx->saved_data["query_spans"].toTensor(), ctx->saved_data["key_spans"].toTensor(),
                         heads, ctx->saved_data["causal"].toBool(), ctx->saved_data["dropout"].toDouble(),
                         static_cast<std::uint64_t>(ctx->saved_data["seed"].toInt())},
                        width / heads);
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
                   AttentionHead target;
                   place(target, plan, to, b, h);
                   attendHeadBackward(head,
                                      {out + plan.queryFirst[b] * width + h * plan.width, width,
                                       const_cast<float*>(target.query), const_cast<float*>(target.key),
                                       const_cast<float*>(target.value), to.queryStride, to.keyStride},
                                      scratch);
                 });
    return {queryGradient, memoryGradient, {}, {}, {}, {}, {}, {}};
  }
};

torch::Tensor apply(const torch::Tensor& query, const std::optional<torch::Tensor>& keyValue,
                    const ShortAttention& how) {
  return ShortAttentionFunction::apply(query, keyValue, how.querySpans, how.keySpans, how.heads, how.causal,
                                       how.dropout, static_cast<std::int64_t>(how.seed));
}

}  // namespace

bool shortAttentionFits(const AttentionSetup& setup, const torch::TensorOptions& tensors,
                        std::int64_t longestKeys) {
  return takesFusedPasses(tensors) && setup.fusedKernel && setup.chain == ScoreChain::None &&
         setup.width / setup.heads % 8 == 0 && longestKeys <= kLongestShortAttention;
}

torch::Tensor shortAttention(const torch::Tensor& projected, const ShortAttention& how) {
  return apply(projected.contiguous(), std::nullopt, how);
}

torch::Tensor shortAttention(const torch::Tensor& query, const torch::Tensor& keyValue,
                             const ShortAttention& how) {
  return apply(query.contiguous(), keyValue.contiguous(), how);
}

}  // namespace fathom
