// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace fathom {

// Keys and values of one attention, [R, H, T, d/H]. Grows by doubling; `length` positions are valid.
struct KeyValueCache {
  torch::Tensor keys;
  torch::Tensor values;
  std::int64_t length = 0;
  void append(const torch::Tensor& newKeys, const torch::Tensor& newValues);  // [R, H, 1, d/H]
  torch::Tensor validKeys() const { return keys.narrow(2, 0, length); }
  torch::Tensor validValues() const { return values.narrow(2, 0, length); }
};

// Incremental decoding of a batch of rows: K/V per layer. Scores do not outlive a step (score chains run over
// layers). A value type: moving or copying shares tensors.
struct DecodeState {
  std::vector<KeyValueCache> selfAttention;   // per decoder layer
  std::vector<KeyValueCache> crossAttention;  // per decoder layer, projected once from the encoder memory
  torch::Tensor memoryPadding;                // [R, S] bool or undefined
  std::int64_t step = 0;                      // positions decoded so far
  std::int64_t rows = 0;

  // Row r of the new state is row rows[r] of the old one: repeats, permutes and drops hypotheses. rows [R']
  // int64.
  void reorder(const torch::Tensor& rows);
};

}  // namespace fathom
