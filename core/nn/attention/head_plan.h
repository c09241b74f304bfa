// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fused attention of whole sequences: which head works on which numbers. CPU, float32.
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/nn/attention/attention_kernel.h"
#include "core/nn/attention/short_attention.h"
#include "core/nn/parallel_for.h"

namespace fathom {

// All heads of a batch: sequence b, head h is item b * heads + h.
struct HeadPlan {
  std::int64_t heads = 1, width = 0;  // width of a head
  bool causal = false;
  MaskRule mask;
  std::vector<std::int64_t> queryFirst, queries, keyFirst, keys;
  std::vector<std::int64_t> probabilities;  // first number of sequence b
  std::int64_t probabilityCount = 0, scratch = 0, work = 0;

  HeadPlan(const ShortAttention& how, std::int64_t headWidth, std::int64_t relationTypes = 0)
      : heads(how.heads), width(headWidth), causal(how.causal) {
    if (how.dropout > 0) mask = MaskRule(how.dropout, how.seed);
    const auto query = how.querySpans.accessor<std::int64_t, 2>();
    const auto key = how.keySpans.accessor<std::int64_t, 2>();
    for (std::int64_t b = 0; b < query.size(0); ++b) {
      queryFirst.push_back(query[b][0]);
      queries.push_back(query[b][1]);
      keyFirst.push_back(key[b][0]);
      keys.push_back(key[b][1]);
      probabilities.push_back(probabilityCount);
      const std::int64_t cells = query[b][1] * paddedKeys(key[b][1]);
      probabilityCount += heads * cells;
      work += cells * width;
      scratch = std::max(scratch, attentionScratch(query[b][1], key[b][1], width, relationTypes));
    }
  }
  std::int64_t items() const { return static_cast<std::int64_t>(queries.size()) * heads; }

  // Calls each(b, h, head) on several threads; `head` lacks its pointers.
  template <typename Each>
  void forEach(float* probabilityData, Each each) const {
    const std::int64_t sequences = std::max<std::int64_t>(static_cast<std::int64_t>(queries.size()), 1);
    const std::int64_t grain =
        std::max<std::int64_t>(1, 200000 * sequences / std::max<std::int64_t>(work, 1));
    parallelFor(0, items(), grain, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> memory(static_cast<std::size_t>(scratch));
      for (std::int64_t item = begin; item < end; ++item) {
        const auto b = static_cast<std::size_t>(item / heads);
        const std::int64_t h = item % heads;
        AttentionHead head;
        head.queries = queries[b];
        head.keys = keys[b];
        head.width = width;
        head.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(width)));
        if (causal) head.firstVisible = queryFirst[b] - keyFirst[b];
        head.mask = mask;
        const std::int64_t first = probabilities[b] + h * queries[b] * paddedKeys(keys[b]);
        head.probabilities = probabilityData + first;
        head.firstMask = static_cast<std::uint64_t>(first);
        each(b, h, head, memory.data());
      }
    });
  }
};

// Where query, key and value of head 0 lie in the rows of the projections.
struct Projections {
  const float *query, *key, *value;
  std::int64_t queryStride, keyStride;
};

inline Projections projectionsOf(const torch::Tensor& query, const torch::Tensor& keyValue) {
  if (keyValue.defined()) {
    const std::int64_t d = query.size(1);
    const float* both = keyValue.const_data_ptr<float>();
    return {query.const_data_ptr<float>(), both, both + d, d, 2 * d};
  }
  const std::int64_t d = query.size(1) / 3;
  const float* all = query.const_data_ptr<float>();
  return {all, all + d, all + 2 * d, 3 * d, 3 * d};
}

inline void place(AttentionHead& head, const HeadPlan& plan, const Projections& from, std::size_t b,
                  std::int64_t h) {
  head.query = from.query + plan.queryFirst[b] * from.queryStride + h * plan.width;
  head.key = from.key + plan.keyFirst[b] * from.keyStride + h * plan.width;
  head.value = from.value + plan.keyFirst[b] * from.keyStride + h * plan.width;
  head.queryStride = from.queryStride;
  head.keyStride = from.keyStride;
}

inline std::int64_t total(const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

// Rows that no sequence claims must read 0.
inline torch::Tensor rowsLike(const torch::Tensor& like, std::int64_t width, bool covered) {
  const std::vector<std::int64_t> shape = {like.size(0), width};
  return covered ? at::empty(shape, like.options()) : at::zeros(shape, like.options());
}

}  // namespace fathom
