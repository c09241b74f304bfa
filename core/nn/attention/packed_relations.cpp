// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/packed_relations.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "core/kernels/device_relations.h"

namespace fathom {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class PackedRelationsFunction : public torch::autograd::Function<PackedRelationsFunction> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, const torch::Tensor& projected,
                               const torch::Tensor& keys, const torch::Tensor& values, DeviceRelations how) {
    how.keys = keys;
    how.values = values;
    const DeviceRelationRows rows = deviceRelations(projected, how);
    ctx->save_for_backward({projected, keys, values, how.plan, rows.out, rows.stats});
    ctx->saved_data["sequences"] = how.sequences;
    ctx->saved_data["longest"] = how.longest;
    ctx->saved_data["heads"] = how.heads;
    ctx->saved_data["causal"] = how.causal;
    ctx->saved_data["dropout"] = how.dropout;
    ctx->saved_data["seed"] = static_cast<std::int64_t>(how.seed);
    return rows.out;
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const variable_list saved = ctx->get_saved_variables();
    DeviceRelations how;
    how.keys = saved[1];
    how.values = saved[2];
    how.plan = saved[3];
    how.sequences = ctx->saved_data["sequences"].toInt();
    how.longest = ctx->saved_data["longest"].toInt();
    how.heads = ctx->saved_data["heads"].toInt();
    how.causal = ctx->saved_data["causal"].toBool();
    how.dropout = ctx->saved_data["dropout"].toDouble();
    how.seed = static_cast<std::uint64_t>(ctx->saved_data["seed"].toInt());
    const DeviceRelationGradients made =
        deviceRelationsBackward(saved[0], how, {saved[4], saved[5]}, gradients[0].contiguous());
    return {made.projected, made.keys, made.values, {}};
  }
};

std::int64_t longestOf(const torch::Tensor& spans) {
  const auto span = spans.accessor<std::int64_t, 2>();
  std::int64_t longest = 0;
  for (std::int64_t b = 0; b < span.size(0); ++b) longest = std::max(longest, span[b][1]);
  return longest;
}

}  // namespace

KernelWay packedRelationsWay(const AttentionSetup& setup, const torch::TensorOptions& tensors,
                             std::int64_t longest) {
  if (!setup.fusedKernel || setup.chain != ScoreChain::None) return KernelWay::Aten;
  return wayOf(kRelationAttention, tensors, {setup.width / setup.heads, longest, setup.relationTypes});
}

torch::Tensor packedRelations(const torch::Tensor& projected, const PackedRelations& how) {
  DeviceRelations call;
  call.plan = how.plan;
  call.sequences = how.spans.size(0);
  call.longest = longestOf(how.spans);
  call.heads = how.heads;
  call.causal = how.causal;
  call.dropout = how.dropout;
  call.seed = how.seed;
  const auto format = projected.scalar_type();  // mixed precision: that of the rows
  return PackedRelationsFunction::apply(projected.contiguous(), how.keys.to(format).contiguous(),
                                        how.values.to(format).contiguous(), call);
}

}  // namespace fathom
