// SPDX-License-Identifier: Apache-2.0
#include "core/optim/optimizer_loops.h"

#include "core/nn/vector_clones.h"

namespace fathom {

namespace {

// The builtins and not std::sqrt: a library function that is not inlined keeps the loop scalar.
[[gnu::always_inline]] inline float root(float value) {
  return __builtin_sqrtf(value);
}
[[gnu::always_inline]] inline double root(double value) {
  return __builtin_sqrt(value);
}

template <typename T>
[[gnu::always_inline]] inline void updateLoop(T* __restrict__ p, const T* __restrict__ gradient,
                                              T* __restrict__ m, T* __restrict__ v, std::int64_t count,
                                              const MomentRates<T> r) {
  for (std::int64_t i = 0; i < count; ++i) {
    const T g = gradient[i] * r.scale;
    const T second = r.beta2 * v[i] + r.oneMinusBeta2 * g * g;
    const T first = r.beta1 * m[i] + r.oneMinusBeta1 * g;
    v[i] = second;
    m[i] = first;
    const T before = p[i] * r.decay;
    p[i] = before - r.step * first / (root(second) * r.rootScale + r.eps) - r.added * before;
  }
}

template <typename T>
[[gnu::always_inline]] inline double sumLoop(const T* __restrict__ values, std::int64_t count) {
  constexpr int kLanes = 16;  // independent sums keep the adders busy
  double lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto value = static_cast<double>(values[i + lane]);
      lanes[lane] += value * value;
    }
  }
  for (; i < count; ++i) lanes[0] += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

FATHOM_VECTOR_CLONES void updateFloats(float* p, const float* g, float* m, float* v, std::int64_t count,
                                       const MomentRates<float>& rates) {
  updateLoop<float>(p, g, m, v, count, rates);
}
FATHOM_VECTOR_CLONES void updateDoubles(double* p, const double* g, double* m, double* v, std::int64_t count,
                                        const MomentRates<double>& rates) {
  updateLoop<double>(p, g, m, v, count, rates);
}
FATHOM_VECTOR_CLONES double sumFloats(const float* values, std::int64_t count) {
  return sumLoop<float>(values, count);
}
FATHOM_VECTOR_CLONES double sumDoubles(const double* values, std::int64_t count) {
  return sumLoop<double>(values, count);
}

}  // namespace

void updateMoments(float* p, const float* gradient, float* m, float* v, std::int64_t count,
                   const MomentRates<float>& rates) {
  updateFloats(p, gradient, m, v, count, rates);
}
void updateMoments(double* p, const double* gradient, double* m, double* v, std::int64_t count,
                   const MomentRates<double>& rates) {
  updateDoubles(p, gradient, m, v, count, rates);
}
double sumOfSquares(const float* values, std::int64_t count) {
  return sumFloats(values, count);
}
double sumOfSquares(const double* values, std::int64_t count) {
  return sumDoubles(values, count);
}

}  // namespace fathom
