// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace fathom {

// Formats of the tensors that kernels read and write; sums are float32, of float64 tensors float64.
enum class NumberFormat : std::int32_t { Float32, BFloat16, Float64 };

struct BFloat16 {
  std::uint16_t bits;
};

template <typename T>
struct WideOf {
  using Type = T;
};
template <>
struct WideOf<BFloat16> {
  using Type = float;
};
template <typename T>
using Wide = typename WideOf<T>::Type;

constexpr float widened(float value) {
  return value;
}
constexpr double widened(double value) {
  return value;
}
constexpr float widened(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

// To the nearest, ties to even; NaN as LibTorch writes it.
template <typename T>
constexpr T narrowed(Wide<T> value) {
  return value;
}
template <>
constexpr BFloat16 narrowed<BFloat16>(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return {0x7FC0};
  return {static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace fathom
