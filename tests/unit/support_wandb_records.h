// SPDX-License-Identifier: Apache-2.0
// Files of W&B as its own package writes them, small enough for one block.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace fathom::test {

inline std::string wandbVarint(std::uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7) bytes += static_cast<char>(value | 128);
  return bytes + static_cast<char>(value);
}

// A field of protobuf: bytes, or a number.
inline std::string wandbField(int number, const std::string& bytes) {
  return wandbVarint(std::uint64_t(number) << 3 | 2) + wandbVarint(bytes.size()) + bytes;
}
inline std::string wandbField(int number, std::uint64_t value) {
  return wandbVarint(std::uint64_t(number) << 3) + wandbVarint(value);
}

// One record as a chunk of its own.
inline std::string wandbChunk(const std::string& record) {
  const std::string typed = '\1' + record;
  const auto sum = std::uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(typed.data()), typed.size()));
  std::string head;
  for (int i = 0; i < 4; ++i) head += static_cast<char>(sum >> (8 * i));
  head += static_cast<char>(record.size() & 255);
  head += static_cast<char>(record.size() >> 8);
  return head + typed;
}

inline std::string wandbItem(const std::string& key, const std::string& json) {
  return wandbField(1, key) + wandbField(16, json);
}

inline const std::string kWandbHead(":W&B\xE1\xBE\0", 7);

}  // namespace fathom::test
