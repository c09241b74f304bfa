// SPDX-License-Identifier: Apache-2.0
#include "core/nn/row_packing.h"

namespace fathom {

RowPacking packingOf(const torch::Tensor& padding) {
  if (!padding.device().is_cpu()) return {};
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
