// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>

#include "core/nn/mask_bits.h"

// Eight float32 numbers at a time, for kernels on processors with AVX2 and FMA; the caller has asked the
// processor.
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

// What the dropout mask multiplies entries [index, index + 8) with.
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

namespace fathom {

// Whether this processor runs the kernels that use these.
inline bool vectorLanesRun() {
#if defined(__x86_64__)
  static const bool runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return runs;
#else
  return false;
#endif
}

}  // namespace fathom
