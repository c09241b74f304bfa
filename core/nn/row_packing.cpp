// SPDX-License-Identifier: Apache-2.0
#include "core/nn/row_packing.h"

#include "core/nn/attention/attention.h"

namespace fathom {

RowPacking packingOf(const torch::Tensor& padding) {
  const torch::Tensor padded = sequenceSpans(padding);
  if (!padded.defined()) return {};
  RowPacking packing;
  packing.batch = padding.size(0);
  packing.length = padding.size(1);
  packing.spans = padded;
  auto spans = packing.spans.accessor<std::int64_t, 2>();
  std::int64_t count = 0;
  for (std::int64_t b = 0; b < packing.batch; ++b) count += spans[b][1];
  packing.rows = at::empty({count}, torch::kInt64);
  auto* row = packing.rows.mutable_data_ptr<std::int64_t>();
  std::int64_t next = 0;
  for (std::int64_t b = 0; b < packing.batch; ++b) {
    const std::int64_t first = spans[b][0];
    spans[b][0] = next;
    for (std::int64_t i = 0; i < spans[b][1]; ++i) row[next++] = first + i;
  }
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
