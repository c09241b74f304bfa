// SPDX-License-Identifier: Apache-2.0
#include "core/nn/row_packing.h"

#include <algorithm>

#include "core/nn/device_upload.h"
#include "core/nn/on_host.h"

namespace fathom {

RowPacking packingOf(const torch::Tensor& padding) {
  if (!isOnHost(padding)) return {};
  RowPacking packing;
  packing.batch = padding.size(0);
  packing.length = padding.size(1);
  packing.rows = padding.flatten().logical_not().nonzero().flatten();
  packing.spans = at::zeros({packing.batch, 2}, torch::kInt64);
  packing.spans.select(1, 1).copy_(padding.logical_not().sum(1));
  if (packing.batch > 1)
    packing.spans.select(1, 0)
        .narrow(0, 1, packing.batch - 1)
        .copy_(packing.spans.select(1, 1).cumsum(0).narrow(0, 0, packing.batch - 1));
  return packing;
}

RowPacking packingOf(const std::vector<std::int64_t>& counts, const torch::Device& device) {
  RowPacking packing;
  packing.batch = static_cast<std::int64_t>(counts.size());
  for (const std::int64_t count : counts) packing.length = std::max(packing.length, count);
  std::vector<std::int64_t> rows, spans;
  for (std::int64_t b = 0; b < packing.batch; ++b) {
    const std::int64_t count = counts[static_cast<std::size_t>(b)];
    spans.insert(spans.end(), {static_cast<std::int64_t>(rows.size()), count});
    for (std::int64_t t = 0; t < count; ++t) rows.push_back(b * packing.length + t);
  }
  const auto whole = torch::TensorOptions(torch::kInt64);
  packing.rows = uploaded(rows, device);
  packing.spans = at::tensor(spans, whole).view({-1, 2});
  return packing;
}

torch::Tensor packed(const torch::Tensor& padded, const RowPacking& packing) {
  return padded.flatten().index_select(0, packing.rows);
}

torch::Tensor unpacked(const torch::Tensor& rows, const RowPacking& packing) {
  if (!packing.packed()) return rows;
  const std::int64_t width = rows.size(1);
  return at::zeros({packing.batch * packing.length, width}, rows.options())
      .index_copy(0, packing.rows, rows)
      .view({packing.batch, packing.length, width});
}

}  // namespace fathom
