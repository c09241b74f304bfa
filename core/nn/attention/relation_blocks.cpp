// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/relation_blocks.h"

#include <algorithm>

#include "core/base/errors/error.h"
#include "core/kernels/device_relations.h"
#include "core/nn/device_upload.h"
#include "core/nn/on_host.h"

namespace fathom {

namespace {

[[noreturn]] void refuseRelation(std::int64_t id, std::int64_t types) {
  throw Failure(dataError(Phrase::tr("relation %1 in a batch, the tables have %2 rows")(id, types),
                          Phrase::tr("set model.extra_layers.relation_types")));
}

void checkRelations(const torch::Tensor& ids, const torch::Tensor& spans, std::int64_t types) {
  const auto span = spans.accessor<std::int64_t, 2>();
  std::int64_t cells = 0;
  for (std::int64_t b = 0; b < span.size(0); ++b) cells += span[b][1] * span[b][1];
  if (cells != ids.numel())
    throw Failure(internalError("a batch brings " + std::to_string(ids.numel()) + " relations, it needs " +
                                std::to_string(cells)));
  const auto* id = ids.const_data_ptr<std::uint8_t>();
  for (std::int64_t i = 0; i < cells; ++i) {
    if (id[i] >= types) refuseRelation(id[i], types);
  }
}

}  // namespace

torch::Tensor relationBlocks(const torch::Tensor& ids, const torch::Tensor& spans, std::int64_t types,
                             const torch::Device& device) {
  checkRelations(ids, spans, types);
  if (!isOnHost(device)) return uploaded(deviceRelationPlan(ids, spans), device);
  torch::Tensor blocks = at::zeros({ids.numel() + 8}, torch::kInt32);
  const auto* id = ids.const_data_ptr<std::uint8_t>();
  std::copy(id, id + ids.numel(), blocks.mutable_data_ptr<std::int32_t>());
  return blocks;
}

torch::Tensor relationMatrices(const torch::Tensor& ids, const RowPacking& packing, std::int64_t types,
                               const torch::Device& device) {
  checkRelations(ids, packing.spans, types);
  const std::int64_t length = packing.length;
  torch::Tensor matrices = at::zeros({packing.batch, length, length}, torch::kInt64);
  const auto span = packing.spans.accessor<std::int64_t, 2>();
  const auto* id = ids.const_data_ptr<std::uint8_t>();
  auto* out = matrices.mutable_data_ptr<std::int64_t>();
  for (std::int64_t b = 0; b < packing.batch; ++b, out += length * length) {
    const std::int64_t count = span[b][1];
    for (std::int64_t i = 0; i < count; ++i, id += count) std::copy(id, id + count, out + i * length);
  }
  return uploaded(matrices, device);
}

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
        if (id < 0 || id >= types) refuseRelation(id, types);
        *next++ = static_cast<std::int32_t>(id);
      }
    }
  }
  std::fill(next, next + 8, 0);
  return blocks;
}

}  // namespace fathom
