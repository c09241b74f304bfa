// SPDX-License-Identifier: Apache-2.0
#include "core/nn/attention/relation_blocks.h"

#include <algorithm>

#include "core/base/error.h"

namespace fathom {

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
          throw Failure(dataError(Phrase::tr("relation %1 in a batch, the tables have %2 rows")(id, types)));
        *next++ = static_cast<std::int32_t>(id);
      }
    }
  }
  std::fill(next, next + 8, 0);
  return blocks;
}

}  // namespace fathom
