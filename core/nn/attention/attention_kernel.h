// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/mask_bits.h"

namespace fathom {

// Relation terms of a head: the relation of query i and key j is ids[i * keys + j]; eight numbers behind the
// last one may be read too. Tables [types, width] of relation keys and relation values.
struct HeadRelations {
  const std::int32_t* ids = nullptr;  // null: no relations
  const float* keys = nullptr;
  const float* values = nullptr;
  std::int64_t types = 0;
};

// One head of one sequence on the CPU, float32, small enough to stay in a core's cache. T query rows and S
// key rows, `width` numbers each (a multiple of 8), at strides in numbers.
struct AttentionHead {
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
  std::int64_t queryStride = 0, keyStride = 0;  // value has the stride of key
  std::int64_t queries = 0, keys = 0, width = 0;
  // Query i sees the keys below firstVisible + i + 1 (causal), or all of them when negative.
  std::int64_t firstVisible = -1;
  float scale = 1;                 // of the products
  float* probabilities = nullptr;  // [T, paddedKeys(S)], before dropout: forward writes, backward reads
  MaskRule mask;                   // dropout of the probabilities
  std::uint64_t firstMask = 0;     // index of probabilities[0] in the mask of the site
  HeadRelations relations;         // self attention without a triangle only
};

// Rows of probabilities are padded to whole vectors.
inline std::int64_t paddedKeys(std::int64_t keys) {
  return (keys + 7) & ~std::int64_t{7};
}
// Floats of scratch memory that one head needs.
std::int64_t attentionScratch(std::int64_t queries, std::int64_t keys, std::int64_t width,
                              std::int64_t relationTypes = 0);

// Only where vectorLanesRun().
// out[i] = sum_j p_ij (v_j + r^V_ij), p_ij = drop(softmax_j(scale q_i (k_j + r^K_ij))); r = 0 without
// relations.
void attendHead(const AttentionHead& head, float* out, std::int64_t outStride, float* scratch);

struct AttentionHeadGradients {
  const float* out = nullptr;  // of attendHead's result
  std::int64_t outStride = 0;
  float* query = nullptr;
  float* key = nullptr;
  float* value = nullptr;
  std::int64_t queryStride = 0, keyStride = 0;
  float* relationKeys = nullptr;  // [types, width]: this head's share
  float* relationValues = nullptr;
};
// Writes (does not add) the gradients of query, key and value rows and of the tables.
void attendHeadBackward(const AttentionHead& head, const AttentionHeadGradients& gradients, float* scratch);

}  // namespace fathom
