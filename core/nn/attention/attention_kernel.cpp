// SPDX-License-Identifier: Apache-2.0
// Products of a few dozen rows are too small for a matrix library: here a head's whole work is done in one
// core's cache. Every sum runs in a fixed order, so results know nothing of threads.
#include "core/nn/attention/attention_kernel.h"

#include <algorithm>
#include <limits>

#include "core/nn/vector_lanes.h"

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma")
#endif
#endif

namespace fathom {

std::int64_t attentionScratch(std::int64_t queries, std::int64_t keys, std::int64_t width,
                              std::int64_t relationTypes) {
  const std::int64_t padded = paddedKeys(keys), types = paddedKeys(relationTypes);
  return padded * width + 2 * queries * padded + types * width + queries * types;
}

#if defined(__x86_64__)

namespace {

// Factors of a product C[rows, n] = A B: A at any strides, rows of B and C in whole vectors.
struct Product {
  float* c;
  std::int64_t cStride;
  const float* a;
  std::int64_t aRow, aInner;
  const float* b;
  std::int64_t bStride;
  std::int64_t inner;
  bool add = false;  // C += A B
};

// R rows and V vectors of columns, held in registers.
template <int R, int V>
[[gnu::always_inline]] inline void productTile(const Product& p, std::int64_t row, std::int64_t column) {
  Lanes sums[R][V];
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) {
      const float* before = p.c + (row + r) * p.cStride + column + 8 * v;
      sums[r][v] = p.add ? _mm256_loadu_ps(before) : _mm256_setzero_ps();
    }
  }
  const float* a = p.a + row * p.aRow;
  const float* b = p.b + column;
  for (std::int64_t k = 0; k < p.inner; ++k, a += p.aInner, b += p.bStride) {
    Lanes right[V];
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) right[v] = _mm256_loadu_ps(b + 8 * v);
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const Lanes left = _mm256_broadcast_ss(a + r * p.aRow);
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) sums[r][v] = _mm256_fmadd_ps(left, right[v], sums[r][v]);
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) _mm256_storeu_ps(p.c + (row + r) * p.cStride + column + 8 * v, sums[r][v]);
  }
}

template <int R>
[[gnu::always_inline]] inline void productRows(const Product& p, std::int64_t row, std::int64_t columns) {
  std::int64_t column = 0;
  for (; column + 16 <= columns; column += 16) productTile<R, 2>(p, row, column);
  if (column < columns) productTile<R, 1>(p, row, column);
}

void product(const Product& p, std::int64_t rows, std::int64_t columns) {
  std::int64_t row = 0;
  for (; row + 6 <= rows; row += 6) productRows<6>(p, row, columns);
  for (; row + 3 <= rows; row += 3) productRows<3>(p, row, columns);
  for (; row < rows; ++row) productRows<1>(p, row, columns);
}

// out [width, padded] = rows [count, width] turned, zero beyond `count`.
void transposeRows(const float* rows, std::int64_t stride, std::int64_t count, std::int64_t width,
                   std::int64_t padded, float* out) {
  for (std::int64_t k = 0; k < width; ++k) {
    float* line = out + k * padded;
    for (std::int64_t j = 0; j < count; ++j) line[j] = rows[j * stride + k];
    for (std::int64_t j = count; j < padded; ++j) line[j] = 0;
  }
}

// Softmax over the first `visible` of `padded` numbers, the others become 0. A non-finite score makes the
// row non-finite, as everywhere.
void softmaxRow(float* row, std::int64_t visible, std::int64_t padded, float scale) {
  const Lanes factor = _mm256_set1_ps(scale);
  const Lanes lowest = _mm256_set1_ps(-std::numeric_limits<float>::infinity());
  Lanes top = lowest;
  for (std::int64_t j = 0; j < visible; j += 8) {
    const Lanes inside = firstLanes(visible - j);
    const Lanes scaled = _mm256_blendv_ps(lowest, _mm256_mul_ps(_mm256_loadu_ps(row + j), factor), inside);
    _mm256_storeu_ps(row + j, scaled);
    top = _mm256_max_ps(scaled, top);
  }
  const Lanes highest = _mm256_set1_ps(maxLanes(top));
  Lanes total = _mm256_setzero_ps();
  for (std::int64_t j = 0; j < visible; j += 8) {
    const Lanes score = _mm256_loadu_ps(row + j);
    const Lanes less = _mm256_sub_ps(score, highest);
    // NaN compares false with everything: it must come through.
    const Lanes odd = _mm256_and_ps(_mm256_cmp_ps(less, less, _CMP_UNORD_Q), firstLanes(visible - j));
    const Lanes e = _mm256_blendv_ps(_mm256_and_ps(expLanes(less), firstLanes(visible - j)), less, odd);
    _mm256_storeu_ps(row + j, e);
    total = _mm256_add_ps(total, e);
  }
  const float sum = sumLanes(total);
  const Lanes inverse = _mm256_set1_ps(visible > 0 ? 1 / sum : 0);
  for (std::int64_t j = 0; j < visible; j += 8)
    _mm256_storeu_ps(row + j, _mm256_mul_ps(_mm256_loadu_ps(row + j), inverse));
  for (std::int64_t j = (visible + 7) & ~std::int64_t{7}; j < padded; j += 8)
    _mm256_storeu_ps(row + j, _mm256_setzero_ps());
}

// out = values * mask for flat indices [first, first + count), count a multiple of 8.
void maskInto(const float* values, float* out, std::int64_t count, const MaskRule& rule,
              std::uint64_t first) {
  for (std::int64_t i = 0; i < count; i += 8) {
    const Lanes kept = maskLanes(rule, first + static_cast<std::uint64_t>(i));
    _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_loadu_ps(values + i), kept));
  }
}

// Scratch of a head's relation terms, behind the scratch of the head itself.
struct RelationScratch {
  std::int64_t types;    // padded to whole vectors
  float *turned, *sums;  // [width, types] and [T, types]
  RelationScratch(const AttentionHead& head, float* scratch)
      : types(paddedKeys(head.relations.types)),
        turned(scratch + attentionScratch(head.queries, head.keys, head.width)),
        sums(turned + head.width * types) {}
};

// scores_ij += rows_i table_{id(i, j)}: one product with the table, then a look-up.
void addByRelation(const AttentionHead& head, const float* rows, std::int64_t stride, const float* table,
                   float* scores, const RelationScratch& r) {
  const std::int64_t padded = paddedKeys(head.keys);
  transposeRows(table, head.width, head.relations.types, head.width, r.types, r.turned);
  product({r.sums, r.types, rows, stride, 1, r.turned, r.types, head.width}, head.queries, r.types);
  for (std::int64_t i = 0; i < head.queries; ++i) {
    const float* sums = r.sums + i * r.types;
    const std::int32_t* ids = head.relations.ids + i * head.keys;
    float* line = scores + i * padded;
    for (std::int64_t j = 0; j < head.keys; j += 8) {
      const __m256i id = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids + j));
      const Lanes found = _mm256_and_ps(_mm256_i32gather_ps(sums, id, 4), firstLanes(head.keys - j));
      _mm256_storeu_ps(line + j, _mm256_add_ps(_mm256_loadu_ps(line + j), found));
    }
  }
}

// r.sums_it = sum of values_ij over the keys j of relation t.
void sumByRelation(const AttentionHead& head, const float* values, const RelationScratch& r) {
  const std::int64_t padded = paddedKeys(head.keys);
  std::fill(r.sums, r.sums + head.queries * r.types, 0.0f);
  for (std::int64_t i = 0; i < head.queries; ++i) {
    float* sums = r.sums + i * r.types;
    const std::int32_t* ids = head.relations.ids + i * head.keys;
    for (std::int64_t j = 0; j < head.keys; ++j) sums[ids[j]] += values[i * padded + j];
  }
}

// Gradients of probabilities become those of the scaled products, row by row.
void softmaxBackward(const float* probabilities, float* gradients, std::int64_t rows, std::int64_t padded,
                     float factor) {
  const Lanes scale = _mm256_set1_ps(factor);
  for (std::int64_t i = 0; i < rows; ++i) {
    float* row = gradients + i * padded;
    const float* probability = probabilities + i * padded;
    Lanes dot = _mm256_setzero_ps();
    for (std::int64_t j = 0; j < padded; j += 8)
      dot = _mm256_fmadd_ps(_mm256_loadu_ps(row + j), _mm256_loadu_ps(probability + j), dot);
    const Lanes mean = _mm256_set1_ps(sumLanes(dot));
    for (std::int64_t j = 0; j < padded; j += 8) {
      const Lanes share = _mm256_mul_ps(_mm256_loadu_ps(probability + j), scale);
      _mm256_storeu_ps(row + j, _mm256_mul_ps(share, _mm256_sub_ps(_mm256_loadu_ps(row + j), mean)));
    }
  }
}

std::int64_t visibleKeys(const AttentionHead& head, std::int64_t query) {
  if (head.firstVisible < 0) return head.keys;
  return std::min(head.keys, head.firstVisible + query + 1);
}

}  // namespace

void attendHead(const AttentionHead& head, float* out, std::int64_t outStride, float* scratch) {
  const std::int64_t padded = paddedKeys(head.keys), t = head.queries;
  float* p = head.probabilities;
  transposeRows(head.key, head.keyStride, head.keys, head.width, padded, scratch);
  product({p, padded, head.query, head.queryStride, 1, scratch, padded, head.width}, t, padded);
  const bool related = head.relations.ids != nullptr;
  const RelationScratch relation(head, scratch);
  if (related) addByRelation(head, head.query, head.queryStride, head.relations.keys, p, relation);
  for (std::int64_t i = 0; i < t; ++i) softmaxRow(p + i * padded, visibleKeys(head, i), padded, head.scale);
  const float* kept = p;
  if (head.mask.active()) {
    maskInto(p, scratch, t * padded, head.mask, head.firstMask);
    kept = scratch;
  }
  product({out, outStride, kept, padded, 1, head.value, head.keyStride, head.keys}, t, head.width);
  if (!related) return;
  sumByRelation(head, kept, relation);
  product({out, outStride, relation.sums, relation.types, 1, head.relations.values, head.width,
           head.relations.types, true},
          t, head.width);
}

void attendHeadBackward(const AttentionHead& head, const AttentionHeadGradients& g, float* scratch) {
  const std::int64_t padded = paddedKeys(head.keys), t = head.queries, s = head.keys, width = head.width;
  const float* p = head.probabilities;
  float* turned = scratch;                   // [width, padded]
  float* scores = scratch + padded * width;  // [T, padded]: gradients of probabilities, then of scores
  float* masked = scores + t * padded;       // [T, padded]
  transposeRows(head.value, head.keyStride, s, width, padded, turned);
  product({scores, padded, g.out, g.outStride, 1, turned, padded, width}, t, padded);
  const bool related = head.relations.ids != nullptr;
  const RelationScratch relation(head, scratch);
  if (related) addByRelation(head, g.out, g.outStride, head.relations.values, scores, relation);
  const float* kept = p;
  if (head.mask.active()) {
    maskInto(p, masked, t * padded, head.mask, head.firstMask);
    maskInto(scores, scores, t * padded, head.mask, head.firstMask);
    kept = masked;
  }
  product({g.value, g.keyStride, kept, 1, padded, g.out, g.outStride, t}, s, width);
  if (related) {
    sumByRelation(head, kept, relation);
    product({g.relationValues, width, relation.sums, 1, relation.types, g.out, g.outStride, t},
            head.relations.types, width);
  }
  softmaxBackward(p, scores, t, padded, head.scale);
  product({g.query, g.queryStride, scores, padded, 1, head.key, head.keyStride, s}, t, width);
  product({g.key, g.keyStride, scores, 1, padded, head.query, head.queryStride, t}, s, width);
  if (!related) return;
  sumByRelation(head, scores, relation);
  product({g.query, g.queryStride, relation.sums, relation.types, 1, head.relations.keys, width,
           head.relations.types, true},
          t, width);
  product({g.relationKeys, width, relation.sums, 1, relation.types, head.query, head.queryStride, t},
          head.relations.types, width);
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else

void attendHead(const AttentionHead&, float*, std::int64_t, float*) {}
void attendHeadBackward(const AttentionHead&, const AttentionHeadGradients&, float*) {}

#endif

}  // namespace fathom
