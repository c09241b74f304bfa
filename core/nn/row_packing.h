// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace fathom {

// Which positions of a padded batch [B, T] are the rows of a packed stream [N, d], so that padding takes part
// in no matrix product. Undefined tensors: the stream is not packed.
struct RowPacking {
  torch::Tensor rows;   // int64 [N], flat positions b * T + t in ascending order
  torch::Tensor spans;  // int64 [B, 2], first row and count of each sequence in the packed stream
  std::int64_t batch = 0, length = 0;
  bool packed() const { return rows.defined(); }
};
// From padding [B, T] bool; not packed on other devices than the CPU. Padding may stand anywhere: the real
// positions of a sequence follow each other in the packed stream.
RowPacking packingOf(const torch::Tensor& padding);
// Packing of sequences that stand one behind the other, by their numbers of rows. On any device; the spans
// stay on the CPU.
RowPacking packingOf(const std::vector<std::int64_t>& counts, const torch::Device& device);
// Entries of [B, T] that are real: [N].
torch::Tensor packed(const torch::Tensor& padded, const RowPacking& packing);
// [N, d] -> [B, T, d] with zeros at padded positions; what is not packed comes back as it is.
torch::Tensor unpacked(const torch::Tensor& rows, const RowPacking& packing);

}  // namespace fathom
