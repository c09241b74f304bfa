// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/crc32c_bytes.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace fathom {

namespace {

// Slicing by eight: tables[k][b] is the effect of byte b followed by k zero bytes.
constexpr std::array<std::array<std::uint32_t, 256>, 8> makeCrcTables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78u : 0u);
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t i = 0; i < 256; ++i)
      tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 0xFF];
  }
  return tables;
}
constexpr auto kCrcTables = makeCrcTables();

std::uint32_t littleEndianWord(const char* bytes) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | static_cast<unsigned char>(bytes[i]);
  return word;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t instructedCrc32cBytes(std::uint32_t sum,
                                                                      std::string_view bytes) {
  std::uint64_t wide = sum;
  while (bytes.size() >= sizeof wide) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = _mm_crc32_u64(wide, word);
    bytes.remove_prefix(sizeof word);
  }
  auto narrow = static_cast<std::uint32_t>(wide);
  for (const char c : bytes) narrow = _mm_crc32_u8(narrow, static_cast<unsigned char>(c));
  return narrow;
}
#endif

}  // namespace

std::uint32_t portableCrc32cBytes(std::uint32_t sum, std::string_view bytes) {
  const auto& t = kCrcTables;
  while (bytes.size() >= 8) {
    const std::uint32_t low = sum ^ littleEndianWord(bytes.data());
    const std::uint32_t high = littleEndianWord(bytes.data() + 4);
    sum = t[7][low & 0xFF] ^ t[6][low >> 8 & 0xFF] ^ t[5][low >> 16 & 0xFF] ^ t[4][low >> 24] ^
          t[3][high & 0xFF] ^ t[2][high >> 8 & 0xFF] ^ t[1][high >> 16 & 0xFF] ^ t[0][high >> 24];
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) sum = (sum >> 8) ^ t[0][(sum ^ static_cast<unsigned char>(c)) & 0xFF];
  return sum;
}

Crc32cBytes ownCrc32cBytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2") != 0) return instructedCrc32cBytes;
#endif
  return nullptr;
}

}  // namespace fathom
