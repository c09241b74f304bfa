// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/relation_attention.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/nn/attention/head_plan.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Where each sequence's block of ids begins.
std::vector<std::int64_t> blockStarts(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> starts;
  std::int64_t next = 0;
  for (const std::int64_t count : counts) {
    starts.push_back(next);
    next += count * count;
  }
  return starts;
}

struct Tables {
  torch::Tensor keys, values;
  HeadRelations of(const torch::Tensor& blocks, std::int64_t start) const {
    return {blocks.const_data_ptr<std::int32_t>() + start, keys.const_data_ptr<float>(),
            values.const_data_ptr<float>(), keys.size(0)};
  }
};

class RelationAttentionFunction : public torch::autograd::Function<RelationAttentionFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& projected,
                               const torch::Tensor& relationKeys, const torch::Tensor& relationValues,
                               const torch::Tensor& blocks, const torch::Tensor& spans, std::int64_t heads,
                               double dropout, std::int64_t seed) {
    const Tables tables{relationKeys.contiguous(), relationValues.contiguous()};
    const std::int64_t width = projected.size(1) / 3;
    const HeadPlan plan = planOf(spans, heads, dropout, seed, width, tables);
    const std::vector<std::int64_t> starts = blockStarts(plan.queries);
    const Projections from = projectionsOf(projected, {});
    torch::Tensor out = rowsLike(projected, width, total(plan.queries) == projected.size(0));
    torch::Tensor probabilities = at::empty({plan.probabilityCount}, projected.options());
    float* result = out.mutable_data_ptr<float>();
    plan.forEach(probabilities.mutable_data_ptr<float>(),
                 [&](std::size_t b, std::int64_t h, AttentionHead& head, float* scratch) {
                   place(head, plan, from, b, h);
                   head.relations = tables.of(blocks, starts[b]);
                   attendHead(head, result + plan.queryFirst[b] * width + h * plan.width, width, scratch);
                 });
    ctx->save_for_backward({projected, relationKeys, relationValues});
    ctx->saved_data["probabilities"] = probabilities;
    ctx->saved_data["blocks"] = blocks;
    ctx->saved_data["spans"] = spans;
    ctx->saved_data["heads"] = heads;
    ctx->saved_data["dropout"] = dropout;
    ctx->saved_data["seed"] = seed;
    return out;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    const torch::Tensor &projected = saved[0], gradient = gradients[0].contiguous();
    const Tables tables{saved[1].contiguous(), saved[2].contiguous()};
    const std::int64_t width = gradient.size(1), heads = ctx->saved_data["heads"].toInt();
    const HeadPlan plan =
        planOf(ctx->saved_data["spans"].toTensor(), heads, ctx->saved_data["dropout"].toDouble(),
               ctx->saved_data["seed"].toInt(), width, tables);
    const torch::Tensor blocks = ctx->saved_data["blocks"].toTensor();
    torch::Tensor probabilities = ctx->saved_data["probabilities"].toTensor();
    const std::vector<std::int64_t> starts = blockStarts(plan.queries);
    torch::Tensor projectedGradient =
        rowsLike(projected, projected.size(1), total(plan.queries) == projected.size(0));
    // Every head writes its own share of the tables' gradients; they are added up in order.
    torch::Tensor shares = at::empty({2, plan.items(), tables.keys.size(0), plan.width}, projected.options());
    float* share = shares.mutable_data_ptr<float>();
    const std::int64_t tableSize = tables.keys.numel();
    const Projections from = projectionsOf(projected, {}), to = projectionsOf(projectedGradient, {});
    const float* out = gradient.const_data_ptr<float>();
    plan.forEach(probabilities.mutable_data_ptr<float>(),
                 [&](std::size_t b, std::int64_t h, AttentionHead& head, float* scratch) {
                   place(head, plan, from, b, h);
                   head.relations = tables.of(blocks, starts[b]);
                   AttentionHead target;
                   place(target, plan, to, b, h);
                   const std::int64_t item = static_cast<std::int64_t>(b) * plan.heads + h;
                   attendHeadBackward(head,
                                      {out + plan.queryFirst[b] * width + h * plan.width, width,
                                       const_cast<float*>(target.query), const_cast<float*>(target.key),
                                       const_cast<float*>(target.value), to.queryStride, to.keyStride,
                                       share + item * tableSize, share + (plan.items() + item) * tableSize},
                                      scratch);
                 });
    const torch::Tensor sums = shares.sum(1);
    return {projectedGradient, sums[0], sums[1], {}, {}, {}, {}, {}};
  }

 private:
  static HeadPlan planOf(const torch::Tensor& spans, std::int64_t heads, double dropout, std::int64_t seed,
                         std::int64_t width, const Tables& tables) {
    return {{spans, spans, heads, false, dropout, static_cast<std::uint64_t>(seed)},
            width / heads,
            tables.keys.size(0)};
  }
};

}  // namespace

torch::Tensor relationBlocks(const torch::Tensor& relations, const RowPacking& packing, std::int64_t types) {
  const torch::Tensor dense = relations.contiguous();
  const std::int64_t length = packing.length;
  const auto spans = packing.spans.accessor<std::int64_t, 2>();
  const auto* rows = packing.rows.const_data_ptr<std::int64_t>();
  const auto* ids = dense.const_data_ptr<std::int64_t>();
  std::int64_t cells = 0;
  for (std::int64_t b = 0; b < packing.batch; ++b) cells += spans[b][1] * spans[b][1];
  torch::Tensor blocks = at::empty({cells + 8}, torch::kInt32);
  auto* next = blocks.mutable_data_ptr<std::int32_t>();
  for (std::int64_t b = 0; b < packing.batch; ++b) {
    const std::int64_t* own = rows + spans[b][0];
    for (std::int64_t i = 0; i < spans[b][1]; ++i) {
      const std::int64_t* line = ids + own[i] * length;  // row b * n + t of [B * n, n]
      for (std::int64_t j = 0; j < spans[b][1]; ++j) {
        const std::int64_t id = line[own[j] - b * length];
        if (id < 0 || id >= types)
          throw Failure(dataError("relation " + std::to_string(id) + " in a batch, the tables have " +
                                  std::to_string(types) + " rows"));
        *next++ = static_cast<std::int32_t>(id);
      }
    }
  }
  std::fill(next, next + 8, 0);
  return blocks;
}

torch::Tensor relationAttention(const torch::Tensor& projected, const torch::Tensor& relationKeys,
                                const torch::Tensor& relationValues, const torch::Tensor& blocks,
                                const ShortAttention& how) {
  return RelationAttentionFunction::apply(projected.contiguous(), relationKeys, relationValues, blocks,
                                          how.querySpans, how.heads, how.dropout,
                                          static_cast<std::int64_t>(how.seed));
}

}  // namespace fathom
