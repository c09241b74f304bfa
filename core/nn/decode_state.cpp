// SPDX-License-Identifier: Apache-2.0
#include "core/nn/decode_state.h"

#include <algorithm>

namespace fathom {

void KeyValueCache::append(const torch::Tensor& newKeys, const torch::Tensor& newValues) {
  const std::int64_t added = newKeys.size(2);
  const std::int64_t capacity = keys.defined() ? keys.size(2) : 0;
  if (length + added > capacity) {
    std::vector<std::int64_t> shape = newKeys.sizes().vec();
    shape[2] = std::max<std::int64_t>({length + added, 2 * capacity, 16});
    const torch::Tensor largerKeys = at::empty(shape, newKeys.options());
    const torch::Tensor largerValues = at::empty(shape, newValues.options());
    if (length > 0) {
      largerKeys.narrow(2, 0, length).copy_(validKeys());
      largerValues.narrow(2, 0, length).copy_(validValues());
    }
    keys = largerKeys;
    values = largerValues;
  }
  keys.narrow(2, length, added).copy_(newKeys);
  values.narrow(2, length, added).copy_(newValues);
  length += added;
}

void DecodeState::reorder(const torch::Tensor& order) {
  for (KeyValueCache& cache : selfAttention) {
    if (!cache.keys.defined()) continue;
    cache.keys = cache.keys.index_select(0, order);
    cache.values = cache.values.index_select(0, order);
  }
  for (KeyValueCache& cache : crossAttention) {
    cache.keys = cache.keys.index_select(0, order);
    cache.values = cache.values.index_select(0, order);
  }
  if (memoryPadding.defined()) memoryPadding = memoryPadding.index_select(0, order);
  rows = order.size(0);
}

}  // namespace fathom
