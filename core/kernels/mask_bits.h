// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace fathom {

// 32 well-mixed bits, in operations that vectorise (a multiplicative hash of two rounds). constexpr: the same
// words are compiled for processors and for cards.
[[gnu::always_inline]] constexpr std::uint32_t mixBits(std::uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7FEB352Du;
  value = (value ^ (value >> 15)) * 0x846CA68Bu;
  return value ^ (value >> 16);
}

// Dropout mask of one site: entry i is dropped where bits(i) < threshold. A pure function of seed and index.
struct MaskRule {
  std::uint32_t low = 0, high = 0;  // words of the seed
  std::uint32_t threshold = 0;      // 0 keeps everything
  float scale = 1;                  // of what is kept: 1 / (1 - p)
  // Words of the seed where the device has them (handed_seeds.h), low and high, in place of those above.
  const std::int64_t* handed = nullptr;

  MaskRule() = default;
  MaskRule(double p, std::uint64_t seed)
      : low(static_cast<std::uint32_t>(seed)),
        high(static_cast<std::uint32_t>(seed >> 32)),
        threshold(static_cast<std::uint32_t>(std::llround(p * 4294967296.0))),
        scale(static_cast<float>(1.0 / (1.0 - p))) {}
  // The rule with its words, as a kernel begins with it.
  constexpr MaskRule taken() const {
    MaskRule rule = *this;
    if (handed == nullptr) return rule;
    rule.low = static_cast<std::uint32_t>(handed[0]);
    rule.high = static_cast<std::uint32_t>(handed[1]);
    return rule;
  }
  constexpr bool active() const { return threshold > 0; }
  // The part that is common to indices [first, first + 2^32) with first a multiple of 2^32.
  constexpr std::uint32_t key(std::uint64_t first) const {
    return low ^ mixBits(static_cast<std::uint32_t>(first >> 32));
  }
  [[gnu::always_inline]] constexpr std::uint32_t bits(std::uint32_t index, std::uint32_t key) const {
    return mixBits(mixBits(index ^ key) + high);
  }
};

}  // namespace fathom
