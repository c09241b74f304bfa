// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/errors/result.h"

namespace fathom {

// CRC-32C (Castagnoli), as used at the end of every event line. Start value 0.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed = 0);

// SHA-256 of data of any length, fed in pieces.
class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  std::string hex();  // ends the computation: 64 lower-case digits

 private:
  std::array<std::uint32_t, 8> m_state;
  std::array<unsigned char, 64> m_buffer{};
  std::uint64_t m_length = 0;
};

std::string sha256Hex(std::string_view bytes);
Result<std::string> sha256OfFile(const std::string& path);

// Stable 64-bit hash of a text: names of random streams, file keys. Never changes (seeds depend on it).
std::uint64_t stableHash(std::string_view text, std::uint64_t seed = 0);

// Random (version 4) UUID in canonical lower-case form.
std::string makeUuid();

}  // namespace fathom
