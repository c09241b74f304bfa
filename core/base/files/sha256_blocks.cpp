// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/sha256_blocks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace fathom {

namespace {

// FIPS 180-4, section 4.2.2.
alignas(16) constexpr std::uint32_t kShaConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t rotateRight(std::uint32_t value, int by) {
  return (value >> by) | (value << (32 - by));
}

void takeBlock(Sha256State& state, const unsigned char* bytes) {
  std::uint32_t w[64];
  for (int i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{bytes[4 * i]} << 24 | std::uint32_t{bytes[4 * i + 1]} << 16 |
           std::uint32_t{bytes[4 * i + 2]} << 8 | bytes[4 * i + 3];
  }
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t s0 = rotateRight(w[i - 15], 7) ^ rotateRight(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = rotateRight(w[i - 2], 17) ^ rotateRight(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kShaConstants[i] + w[i];
    const std::uint32_t s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::uint32_t added[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[static_cast<std::size_t>(i)] += added[i];
}

#if defined(__x86_64__)

#define FATHOM_SHA __attribute__((target("sha,sse4.1")))

// The instructions keep the words of the state as a b e f and c d g h, four rounds a group of words.
FATHOM_SHA void takeBlockAtOnce(__m128i& abef, __m128i& cdgh, const unsigned char* bytes) {
  const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  const __m128i first = abef, second = cdgh;
  __m128i w[4];
  for (int group = 0; group < 16; ++group) {
    __m128i& words = w[group % 4];
    if (group < 4) {
      words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * group));
      words = _mm_shuffle_epi8(words, bigEndian);
    } else {
      const __m128i before = w[(group + 3) % 4];
      const __m128i seventh = _mm_alignr_epi8(before, w[(group + 2) % 4], 4);
      words = _mm_add_epi32(_mm_sha256msg1_epu32(words, w[(group + 1) % 4]), seventh);
      words = _mm_sha256msg2_epu32(words, before);
    }
    const __m128i added =
        _mm_add_epi32(words, _mm_load_si128(reinterpret_cast<const __m128i*>(kShaConstants + 4 * group)));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0E));
  }
  abef = _mm_add_epi32(abef, first);
  cdgh = _mm_add_epi32(cdgh, second);
}

FATHOM_SHA void takeBlocksAtOnce(Sha256State& state, const unsigned char* bytes, std::size_t count) {
  auto* words = reinterpret_cast<__m128i*>(state.data());
  const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (std::size_t i = 0; i < count; ++i) takeBlockAtOnce(abef, cdgh, bytes + 64 * i);
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

bool hasInstructions() {
  constexpr unsigned kSha = 1U << 29U, kSse41 = 1U << 19U;  // of leaf 7, ebx, and leaf 1, ecx
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & kSha) == 0) return false;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kSse41) != 0;
}

#endif

}  // namespace

void portableSha256Blocks(Sha256State& state, const unsigned char* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) takeBlock(state, bytes + 64 * i);
}

Sha256Blocks ownSha256Blocks() {
#if defined(__x86_64__)
  static const bool has = hasInstructions();
  return has ? takeBlocksAtOnce : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace fathom
