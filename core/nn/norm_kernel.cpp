// SPDX-License-Identifier: Apache-2.0
// One pass over memory forward and one backward. Sums of a row run in a fixed order.
#include "core/nn/norm_kernel.h"

#include <cmath>

#include "core/nn/vector_lanes.h"

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3")
#pragma GCC target("avx2,fma")
#endif

namespace fathom {

namespace {

[[gnu::always_inline]] inline Lanes at(const float* values, std::int64_t i) {
  return _mm256_loadu_ps(values + i);
}

// The joined row, written where there is something to join; its sum of numbers.
template <bool HasBranch, bool HasShortcut, bool HasMask>
[[gnu::always_inline]] inline float joinRow(const NormRows& n, std::int64_t r) {
  const std::int64_t first = r * n.width;
  const auto index = static_cast<std::uint64_t>((n.firstRow + r) * n.width);
  Lanes total = _mm256_setzero_ps();
  for (std::int64_t i = 0; i < n.width; i += 8) {
    Lanes value = at(n.x, first + i);
    if constexpr (HasShortcut) value = _mm256_mul_ps(value, at(n.shortcut, i));
    if constexpr (HasBranch) {
      Lanes branch = at(n.branch, first + i);
      if constexpr (HasMask)
        branch = _mm256_mul_ps(branch, maskLanes(n.mask, index + static_cast<std::uint64_t>(i)));
      value = _mm256_add_ps(value, branch);
      _mm256_storeu_ps(n.sum + first + i, value);
    }
    total = _mm256_add_ps(total, value);
  }
  return sumLanes(total);
}

template <bool HasBranch, bool HasShortcut, bool HasMask>
void forwardRows(const NormRows& n, float* y) {
  const float* values = HasBranch ? n.sum : n.x;
  const auto width = static_cast<float>(n.width);
  for (std::int64_t r = 0; r < n.rows; ++r) {
    const std::int64_t first = r * n.width;
    const float mean = joinRow<HasBranch, HasShortcut, HasMask>(n, r) / width;
    const Lanes middle = _mm256_set1_ps(mean);
    Lanes squares = _mm256_setzero_ps();
    for (std::int64_t i = 0; i < n.width; i += 8) {
      const Lanes away = _mm256_sub_ps(at(values, first + i), middle);
      squares = _mm256_fmadd_ps(away, away, squares);
    }
    const float inverse = 1 / std::sqrt(sumLanes(squares) / width + n.eps);
    const Lanes factor = _mm256_set1_ps(inverse);
    for (std::int64_t i = 0; i < n.width; i += 8) {
      const Lanes hat = _mm256_mul_ps(_mm256_sub_ps(at(values, first + i), middle), factor);
      _mm256_storeu_ps(y + first + i, _mm256_fmadd_ps(hat, at(n.weight, i), at(n.bias, i)));
    }
    n.moments[2 * r] = mean;
    n.moments[2 * r + 1] = inverse;
  }
}

template <bool HasBranch, bool HasShortcut, bool HasMask>
void backwardRows(const NormRows& n, const NormGradients& g) {
  const float* values = HasBranch ? n.sum : n.x;
  float* const weightSums = g.sums;
  float* const biasSums = g.sums + n.width;
  float* const shortcutSums = g.sums + 2 * n.width;
  for (std::int64_t r = 0; r < n.rows; ++r) {
    const std::int64_t first = r * n.width;
    const auto index = static_cast<std::uint64_t>((n.firstRow + r) * n.width);
    const Lanes mean = _mm256_set1_ps(n.moments[2 * r]), inverse = _mm256_set1_ps(n.moments[2 * r + 1]);
    Lanes plain = _mm256_setzero_ps(), along = _mm256_setzero_ps();
    for (std::int64_t i = 0; i < n.width; i += 8) {
      const Lanes gradient = at(g.y, first + i);
      const Lanes hat = _mm256_mul_ps(_mm256_sub_ps(at(values, first + i), mean), inverse);
      const Lanes weighted = _mm256_mul_ps(gradient, at(n.weight, i));
      plain = _mm256_add_ps(plain, weighted);
      along = _mm256_fmadd_ps(weighted, hat, along);
      _mm256_storeu_ps(weightSums + i, _mm256_fmadd_ps(gradient, hat, at(weightSums, i)));
      _mm256_storeu_ps(biasSums + i, _mm256_add_ps(gradient, at(biasSums, i)));
    }
    const auto width = static_cast<float>(n.width);
    const Lanes plainMean = _mm256_set1_ps(sumLanes(plain) / width);
    const Lanes alongMean = _mm256_set1_ps(sumLanes(along) / width);
    for (std::int64_t i = 0; i < n.width; i += 8) {
      const Lanes hat = _mm256_mul_ps(_mm256_sub_ps(at(values, first + i), mean), inverse);
      const Lanes weighted = _mm256_mul_ps(at(g.y, first + i), at(n.weight, i));
      const Lanes inner = _mm256_sub_ps(_mm256_sub_ps(weighted, plainMean), _mm256_mul_ps(hat, alongMean));
      const Lanes sum = _mm256_mul_ps(inverse, inner);
      if constexpr (HasShortcut) {
        _mm256_storeu_ps(shortcutSums + i, _mm256_fmadd_ps(sum, at(n.x, first + i), at(shortcutSums, i)));
        _mm256_storeu_ps(g.x + first + i, _mm256_mul_ps(sum, at(n.shortcut, i)));
      } else {
        _mm256_storeu_ps(g.x + first + i, sum);
      }
      if constexpr (HasMask) {
        const Lanes mask = maskLanes(n.mask, index + static_cast<std::uint64_t>(i));
        _mm256_storeu_ps(g.branch + first + i, _mm256_mul_ps(sum, mask));
      } else if constexpr (HasBranch && HasShortcut) {
        _mm256_storeu_ps(g.branch + first + i, sum);
      }
    }
  }
}

}  // namespace

void normRows(const NormRows& n, float* y) {
  if (n.branch == nullptr) return forwardRows<false, false, false>(n, y);
  const bool mask = n.mask.active();
  if (n.shortcut != nullptr)
    return mask ? forwardRows<true, true, true>(n, y) : forwardRows<true, true, false>(n, y);
  return mask ? forwardRows<true, false, true>(n, y) : forwardRows<true, false, false>(n, y);
}

void normRowsBackward(const NormRows& n, const NormGradients& g) {
  if (n.branch == nullptr) return backwardRows<false, false, false>(n, g);
  const bool mask = n.mask.active();
  if (n.shortcut != nullptr)
    return mask ? backwardRows<true, true, true>(n, g) : backwardRows<true, true, false>(n, g);
  return mask ? backwardRows<true, false, true>(n, g) : backwardRows<true, false, false>(n, g);
}

}  // namespace fathom

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else

namespace fathom {
void normRows(const NormRows&, float*) {}
void normRowsBackward(const NormRows&, const NormGradients&) {}
}  // namespace fathom

#endif
