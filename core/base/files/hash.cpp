// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/hash.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

#include "core/base/files/crc32c_bytes.h"
#include "core/base/files/input_file.h"
#include "core/base/files/sha256_blocks.h"

namespace fathom {

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed) {
  static const Crc32cBytes take = ownCrc32cBytes() != nullptr ? ownCrc32cBytes() : portableCrc32cBytes;
  return ~take(~seed, bytes);
}

Sha256::Sha256()
    : m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::update(std::string_view bytes) {
  static const Sha256Blocks take = ownSha256Blocks() != nullptr ? ownSha256Blocks() : portableSha256Blocks;
  std::size_t used = m_length % 64;
  m_length += bytes.size();
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    if (used == 0 && left >= 64) {
      take(m_state, data, left / 64);
      data += left - left % 64, left %= 64;
      continue;
    }
    const std::size_t count = std::min(left, 64 - used);
    std::memcpy(m_buffer.data() + used, data, count);
    used += count, data += count, left -= count;
    if (used == 64) {
      take(m_state, m_buffer.data(), 1);
      used = 0;
    }
  }
}

std::string Sha256::hex() {
  const std::uint64_t bits = m_length * 8;
  const std::size_t used = m_length % 64;
  std::string padding(used < 56 ? 56 - used : 120 - used, '\0');
  padding[0] = static_cast<char>(0x80);
  for (int shift = 56; shift >= 0; shift -= 8) padding += static_cast<char>(bits >> shift & 0xFF);
  update(padding);
  std::string text;
  static const char* const kDigits = "0123456789abcdef";
  for (const std::uint32_t word : m_state) {
    for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[word >> shift & 0xF];
  }
  return text;
}

std::string sha256Hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

Result<std::string> sha256OfFile(const std::string& path) {
  FATHOM_TRY(const RegularFile file, RegularFile::open(path));
  Sha256 hash;
  std::string buffer(1 << 20, '\0');
  for (std::uint64_t at = 0;;) {
    FATHOM_TRY(const std::size_t count, file.readAt(at, buffer.data(), buffer.size()));
    if (count == 0) return hash.hex();
    hash.update(std::string_view(buffer.data(), count));
    at += count;
  }
}

std::uint64_t stableHash(std::string_view text, std::uint64_t seed) {
  // FNV-1a followed by the splitmix64 finaliser: FNV alone leaves the high bits of short names alike.
  std::uint64_t value = 0xCBF29CE484222325ull ^ seed * 0x9E3779B97F4A7C15ull;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
  return value ^ (value >> 31);
}

std::string makeUuid() {
  unsigned char bytes[16];
  std::size_t filled = 0;
  while (filled < sizeof bytes) {
    const ssize_t count = ::getrandom(bytes + filled, sizeof bytes - filled, 0);
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3F) | 0x80);
  std::string text;
  static const char* const kDigits = "0123456789abcdef";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 0xF];
  }
  return text;
}

}  // namespace fathom
