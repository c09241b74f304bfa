// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/short_attention.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/nn/attention/attention_kernel.h"
#include "core/nn/fused_passes.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// All heads of a batch: sequence b, head h is item b * heads + h.
struct HeadPlan {
  std::int64_t heads = 1, width = 0;  // width of a head
  bool causal = false;
  MaskRule mask;
  std::vector<std::int64_t> queryFirst, queries, keyFirst, keys;
  std::vector<std::int64_t> probabilities;  // first number of sequence b
  std::int64_t probabilityCount = 0, scratch = 0, work = 0;

  HeadPlan(const ShortAttention& how, std::int64_t headWidth)
      : heads(how.heads), width(headWidth), causal(how.causal) {
    if (how.dropout > 0) mask = MaskRule(how.dropout, how.seed);
    const auto query = how.querySpans.accessor<std::int64_t, 2>();
    const auto key = how.keySpans.accessor<std::int64_t, 2>();
    for (std::int64_t b = 0; b < query.size(0); ++b) {
      queryFirst.push_back(query[b][0]);
      queries.push_back(query[b][1]);
      keyFirst.push_back(key[b][0]);
      keys.push_back(key[b][1]);
      probabilities.push_back(probabilityCount);
      const std::int64_t cells = query[b][1] * paddedKeys(key[b][1]);
      probabilityCount += heads * cells;
      work += cells * width;
      scratch = std::max(scratch, attentionScratch(query[b][1], key[b][1], width));
    }
  }
  std::int64_t items() const { return static_cast<std::int64_t>(queries.size()) * heads; }

  // Calls each(b, h, head) on several threads; `head` lacks its pointers.
  template <typename Each>
  void forEach(float* probabilityData, Each each) const {
    const std::int64_t sequences = std::max<std::int64_t>(static_cast<std::int64_t>(queries.size()), 1);
    const std::int64_t grain =
        std::max<std::int64_t>(1, 200000 * sequences / std::max<std::int64_t>(work, 1));
    at::parallel_for(0, items(), grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> memory(static_cast<std::size_t>(scratch));
      for (std::int64_t item = begin; item < end; ++item) {
        const auto b = static_cast<std::size_t>(item / heads);
        const std::int64_t h = item % heads;
        AttentionHead head;
        head.queries = queries[b];
        head.keys = keys[b];
        head.width = width;
        head.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(width)));
        if (causal) head.firstVisible = queryFirst[b] - keyFirst[b];
        head.mask = mask;
        const std::int64_t first = probabilities[b] + h * queries[b] * paddedKeys(keys[b]);
        head.probabilities = probabilityData + first;
        head.firstMask = static_cast<std::uint64_t>(first);
        each(b, h, head, memory.data());
      }
    });
  }
};

// Where query, key and value of head 0 lie in the rows of the projections.
struct Projections {
  const float *query, *key, *value;
  std::int64_t queryStride, keyStride;
};

Projections projectionsOf(const torch::Tensor& query, const torch::Tensor& keyValue) {
  if (keyValue.defined()) {
    const std::int64_t d = query.size(1);
    const float* both = keyValue.const_data_ptr<float>();
    return {query.const_data_ptr<float>(), both, both + d, d, 2 * d};
  }
  const std::int64_t d = query.size(1) / 3;
  const float* all = query.const_data_ptr<float>();
  return {all, all + d, all + 2 * d, 3 * d, 3 * d};
}

void place(AttentionHead& head, const HeadPlan& plan, const Projections& from, std::size_t b,
           std::int64_t h) {
  head.query = from.query + plan.queryFirst[b] * from.queryStride + h * plan.width;
  head.key = from.key + plan.keyFirst[b] * from.keyStride + h * plan.width;
  head.value = from.value + plan.keyFirst[b] * from.keyStride + h * plan.width;
  head.queryStride = from.queryStride;
  head.keyStride = from.keyStride;
}

std::int64_t total(const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

// Rows that no sequence claims must read 0.
torch::Tensor rowsLike(const torch::Tensor& like, std::int64_t width, bool covered) {
  const std::vector<std::int64_t> shape = {like.size(0), width};
  return covered ? at::empty(shape, like.options()) : at::zeros(shape, like.options());
}

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
