// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/kernels/mask_bits.h"
#include "core/kernels/vector_processor.h"

// Eight float32 numbers at a time, for kernels on processors with AVX2 and FMA; the caller has asked
// (vectorLanesRun).
#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

namespace fathom {

using Lanes = __m256;

// e^x for x <= 0, relative error about 1e-7; below -87 the result is 0.
[[gnu::always_inline]] inline Lanes expLanes(Lanes x) {
  const Lanes tiny = _mm256_cmp_ps(x, _mm256_set1_ps(-87.0f), _CMP_LT_OQ);
  x = _mm256_max_ps(x, _mm256_set1_ps(-87.0f));
  const Lanes n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504088896341f)),
                                  _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  Lanes r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
  Lanes y = _mm256_set1_ps(1.9875691500e-4f);
  for (const float c : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 5.0e-1f})
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(c));
  y = _mm256_fmadd_ps(y, _mm256_mul_ps(r, r), _mm256_add_ps(r, _mm256_set1_ps(1)));
  const __m256i exponent =
      _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
  return _mm256_andnot_ps(tiny, _mm256_mul_ps(y, _mm256_castsi256_ps(exponent)));
}

// ln x for 0 <= x < 2^127, relative error about 1e-7; 0 gives that of the smallest normal number, so that
// 0 ln 0 = 0. A value that is not a number stays one in x ln x.
[[gnu::always_inline]] inline Lanes logLanes(Lanes x) {
  x = _mm256_max_ps(x, _mm256_set1_ps(1.17549435e-38f));
  const __m256i bits = _mm256_castps_si256(x);
  const __m256i exponent = _mm256_sub_epi32(_mm256_srli_epi32(bits, 23), _mm256_set1_epi32(126));
  Lanes m = _mm256_castsi256_ps(
      _mm256_or_si256(_mm256_and_si256(bits, _mm256_set1_epi32(0x007FFFFF)), _mm256_set1_epi32(0x3F000000)));
  // m in [.5, 1): below the root of one half, twice as much and one less in the exponent.
  const Lanes small = _mm256_cmp_ps(m, _mm256_set1_ps(0.707106781186547524f), _CMP_LT_OQ);
  const Lanes e = _mm256_sub_ps(_mm256_cvtepi32_ps(exponent), _mm256_and_ps(small, _mm256_set1_ps(1)));
  m = _mm256_sub_ps(_mm256_add_ps(m, _mm256_and_ps(small, m)), _mm256_set1_ps(1));
  Lanes y = _mm256_set1_ps(7.0376836292e-2f);
  for (const float c : {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
                        -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f})
    y = _mm256_fmadd_ps(y, m, _mm256_set1_ps(c));
  const Lanes square = _mm256_mul_ps(m, m);
  y = _mm256_mul_ps(_mm256_mul_ps(y, m), square);
  y = _mm256_fmadd_ps(e, _mm256_set1_ps(-2.12194440e-4f), y);
  y = _mm256_fnmadd_ps(square, _mm256_set1_ps(0.5f), y);
  return _mm256_fmadd_ps(e, _mm256_set1_ps(0.693359375f), _mm256_add_ps(m, y));
}

[[gnu::always_inline]] inline float sumLanes(Lanes x) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

[[gnu::always_inline]] inline float maxLanes(Lanes x) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

// Lanes [0, count) of a vector, as a mask of all ones.
[[gnu::always_inline]] inline Lanes firstLanes(std::int64_t count) {
  const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), index));
}

[[gnu::always_inline]] inline __m256i mixLanes(__m256i value) {
  value = _mm256_mullo_epi32(_mm256_xor_si256(value, _mm256_srli_epi32(value, 16)),
                             _mm256_set1_epi32(0x7FEB352D));
  value = _mm256_mullo_epi32(_mm256_xor_si256(value, _mm256_srli_epi32(value, 15)),
                             _mm256_set1_epi32(static_cast<int>(0x846CA68Bu)));
  return _mm256_xor_si256(value, _mm256_srli_epi32(value, 16));
}

// Factors of the dropout mask for entries [index, index + 8).
[[gnu::always_inline]] inline Lanes maskLanes(const MaskRule& rule, std::uint64_t index) {
  const __m256i key = _mm256_set1_epi32(static_cast<int>(rule.key(index)));
  const __m256i start = _mm256_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(index)));
  const __m256i at = _mm256_add_epi32(start, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i high = _mm256_set1_epi32(static_cast<int>(rule.high));
  const __m256i bits = mixLanes(_mm256_add_epi32(mixLanes(_mm256_xor_si256(at, key)), high));
  // Unsigned comparison through signed: both sides are shifted by 2^31.
  const __m256i below = _mm256_set1_epi32(static_cast<int>(rule.threshold ^ 0x80000000u));
  const __m256i shifted = _mm256_xor_si256(bits, _mm256_set1_epi32(static_cast<int>(0x80000000u)));
  const Lanes dropped = _mm256_castsi256_ps(_mm256_cmpgt_epi32(below, shifted));
  return _mm256_andnot_ps(dropped, _mm256_set1_ps(rule.scale));
}

}  // namespace fathom

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
