// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_relations.h"

#include <c10/core/DeviceGuard.h>

#include <cmath>
#include <cstring>

#include "core/kernels/device_address.h"
#include "core/kernels/handed_seeds.h"
#include "core/kernels/kernel_entry.h"
#include "core/kernels/launch_pass.h"

namespace fathom {

namespace {

RelationAttentionCall relationCall(const torch::Tensor& projected, const DeviceRelations& how,
                                   const DeviceRelationRows& rows) {
  RelationAttentionCall call;
  call.format = *numberFormatOf(projected.scalar_type());
  call.sequences = how.sequences;
  call.heads = how.heads;
  call.types = how.keys.size(0);
  call.width = how.keys.size(1);
  call.longest = call.maskLength = how.longest;
  call.projected = deviceAddress(projected);
  call.relationKeys = deviceAddress(how.keys);
  call.relationValues = deviceAddress(how.values);
  const auto* plan = static_cast<const std::int64_t*>(deviceAddress(how.plan));
  call.spans = plan;
  call.idStarts = plan + 2 * how.sequences;
  call.ids = reinterpret_cast<const std::uint8_t*>(plan + 3 * how.sequences);
  call.scale = 1 / std::sqrt(static_cast<double>(call.width));
  call.causal = how.causal;
  if (how.dropout > 0) call.mask = deviceMask(how.dropout, how.seed);
  call.wideScale = 1 / (1 - how.dropout);
  call.out = deviceAddress(rows.out);
  call.stats = deviceAddress(rows.stats);
  return call;
}

torch::TensorOptions wideOptions(const torch::Tensor& rows) {
  return rows.options().dtype(torch::promoteTypes(rows.scalar_type(), torch::kFloat32));
}

// byType [N, heads, types]^T rows [N, heads * width].
torch::Tensor ofTable(const torch::Tensor& byType, const torch::Tensor& rows) {
  const std::int64_t cells = byType.size(0) * byType.size(1);
  const torch::Tensor heads = rows.reshape({cells, rows.size(1) / byType.size(1)});
  return at::mm(byType.view({cells, byType.size(2)}).t(), heads.to(byType.scalar_type()))
      .to(rows.scalar_type());
}

}  // namespace

torch::Tensor deviceRelationPlan(const torch::Tensor& ids, const torch::Tensor& spans) {
  const std::int64_t sequences = spans.size(0), cells = ids.numel();
  torch::Tensor plan = at::zeros({3 * sequences + (cells + 7) / 8}, torch::kInt64);
  auto* out = plan.mutable_data_ptr<std::int64_t>();
  const auto span = spans.accessor<std::int64_t, 2>();
  std::int64_t start = 0;
  for (std::int64_t b = 0; b < sequences; ++b) {
    out[2 * b] = span[b][0];
    out[2 * b + 1] = span[b][1];
    out[2 * sequences + b] = start;
    start += span[b][1] * span[b][1];
  }
  if (cells > 0)
    std::memcpy(out + 3 * sequences, ids.const_data_ptr<std::uint8_t>(), static_cast<std::size_t>(cells));
  return plan;
}

DeviceRelationRows deviceRelations(const torch::Tensor& projected, const DeviceRelations& how) {
  const c10::DeviceGuard guard(projected.device());
  const std::int64_t rows = projected.size(0);
  DeviceRelationRows made{at::empty({rows, projected.size(1) / 3}, projected.options()),
                          at::empty({rows, how.heads}, wideOptions(projected))};
  launchPass(kRelationAttentionPass, projected.device(), relationCall(projected, how, made));
  return made;
}

DeviceRelationGradients deviceRelationsBackward(const torch::Tensor& projected, const DeviceRelations& how,
                                                const DeviceRelationRows& rows,
                                                const torch::Tensor& gradient) {
  const c10::DeviceGuard guard(projected.device());
  const torch::TensorOptions wide = wideOptions(projected);
  const std::int64_t count = projected.size(0), types = how.keys.size(0);
  const torch::Tensor byKey = at::empty({count, how.heads, types}, wide), byValue = at::empty_like(byKey);
  const torch::Tensor along = at::empty({count, how.heads}, wide);
  DeviceRelationGradients made;
  made.projected = at::empty_like(projected);
  const RelationAttentionGradients gradients{deviceAddress(gradient), deviceAddress(made.projected),
                                             deviceAddress(byKey), deviceAddress(byValue),
                                             deviceAddress(along)};
  launchPass(kRelationAttentionBackwardPass, projected.device(), relationCall(projected, how, rows),
             gradients);
  made.keys = ofTable(byKey, projected.narrow(1, 0, projected.size(1) / 3));
  made.values = ofTable(byValue, gradient);
  return made;
}

KernelEntry deviceRelationsEntry() {
  return {"relation_attention",
          "Attention with relations by id over packed rows",
          kRelationAttention,
          {kRelationAttentionPass.facts(), kRelationAttentionBackwardPass.facts()}};
}

}  // namespace fathom
