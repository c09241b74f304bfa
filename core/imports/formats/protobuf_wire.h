// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace fathom {

// Protobuf's wire format, checked against the end at every step: each function is false when the bytes do not
// hold what was asked for. Views point into the bytes given.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : m_rest(bytes) {}
  bool atEnd() const { return m_rest.empty(); }

  bool varint(std::uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 70 && !m_rest.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(m_rest.front());
      m_rest.remove_prefix(1);
      if (shift < 64) value |= std::uint64_t{byte & 0x7Fu} << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }
  bool field(std::uint32_t& number, int& type) {
    std::uint64_t key = 0;
    if (!varint(key) || key >> 3 == 0 || key >> 3 > 0x1FFFFFFF) return false;
    number = static_cast<std::uint32_t>(key >> 3);
    type = static_cast<int>(key & 7);
    return true;
  }
  bool bytes(std::string_view& out) {
    std::uint64_t length = 0;
    if (!varint(length) || length > m_rest.size()) return false;
    out = m_rest.substr(0, length);
    m_rest.remove_prefix(length);
    return true;
  }
  template <typename T>
  bool fixed(T& out) {
    if (m_rest.size() < sizeof(T)) return false;
    std::memcpy(&out, m_rest.data(), sizeof(T));
    m_rest.remove_prefix(sizeof(T));
    return true;
  }
  bool skip(int type) {
    std::uint64_t number = 0;
    std::string_view ignored;
    if (type == 0) return varint(number);
    if (type == 1) return fixed(number);
    if (type == 2) return bytes(ignored);
    std::uint32_t small = 0;
    return type == 5 && fixed(small);
  }

 private:
  std::string_view m_rest;
};

// Calls `take` with every field of a message; false where the bytes end early or `take` says so. `take` reads
// or skips the field.
template <typename Take>
bool eachField(std::string_view bytes, const Take& take) {
  WireReader message(bytes);
  while (!message.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    if (!message.field(number, type) || !take(message, number, type)) return false;
  }
  return true;
}

}  // namespace fathom
