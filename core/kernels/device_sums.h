// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/device_language.h"

namespace fathom {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFu;

// Over the lanes of a whole warp, the same order in each of them.
template <typename W>
__device__ __forceinline__ W sumOfWarp(W value) {
  for (int lanes = kLanes / 2; lanes > 0; lanes /= 2) value += __shfl_xor_sync(kAllLanes, value, lanes);
  return value;
}
template <typename W>
__device__ __forceinline__ W largestOfWarp(W value) {
  for (int lanes = kLanes / 2; lanes > 0; lanes /= 2) {
    const W other = __shfl_xor_sync(kAllLanes, value, lanes);
    value = other > value ? other : value;
  }
  return value;
}

__device__ __forceinline__ float rootOf(float value) {
  return sqrtf(value);
}
__device__ __forceinline__ double rootOf(double value) {
  return sqrt(value);
}
__device__ __forceinline__ float exponentialOf(float value) {
  return expf(value);
}
__device__ __forceinline__ double exponentialOf(double value) {
  return exp(value);
}
__device__ __forceinline__ float logarithmOf(float value) {
  return logf(value);
}
__device__ __forceinline__ double logarithmOf(double value) {
  return log(value);
}

}  // namespace fathom
