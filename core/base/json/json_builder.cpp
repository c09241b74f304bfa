// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_builder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kFewKeys = 24;  // up to here comparing all is faster than hashing

// Bytes that stand for themselves in a string.
constexpr std::array<bool, 256> plainBytes() {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = plainBytes();

}  // namespace

void JsonBuilder::skipSpace() {
  while (m_at < m_text.size()) {
    const char c = m_text[m_at];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++m_at;
  }
}

bool JsonBuilder::document(Json& root) {
  skipSpace();
  if (!value<true>(0)) return false;
  skipSpace();
  if (m_at != m_text.size()) return false;
  root = std::move(m_values.back());
  return true;
}

bool JsonBuilder::beginArray() {
  skipSpace();
  if (peek() != '[') return false;
  ++m_at;
  return true;
}

bool JsonBuilder::nextElement(std::string_view& element) {
  skipSpace();
  if (peek() == ']') {
    ++m_at;
    skipSpace();
    m_ended = m_at == m_text.size();
    return false;
  }
  if (!m_first) {
    if (peek() != ',') return false;
    ++m_at;
    skipSpace();
  }
  m_first = false;
  const std::size_t start = m_at;
  if (!value<false>(1)) return false;
  element = m_text.substr(start, m_at - start);
  skipSpace();
  return peek() == ',' || peek() == ']';
}

bool JsonBuilder::buildElement(std::string_view element, Json& out) {
  JsonBuilder inner(element, m_limits);
  return inner.document(out);
}

template <bool kBuild>
bool JsonBuilder::value(std::size_t depth) {
  const char first = peek();
  m_weight += first == '{' || first == '[' || first == '"' ? kOwnMemory : 1;
  if (kBuild && m_weight > m_limits.maxWeight) return false;
  switch (first) {
    case '{':
      return depth < m_limits.maxDepth && object<kBuild>(depth);
    case '[':
      return depth < m_limits.maxDepth && array<kBuild>(depth);
    case '"':
      return string<kBuild>();
    case 't':
      if (kBuild) m_values.emplace_back(true);
      return literal("true");
    case 'f':
      if (kBuild) m_values.emplace_back(false);
      return literal("false");
    case 'n':
      if (kBuild) m_values.emplace_back(nullptr);
      return literal("null");
    default:
      return number<kBuild>();
  }
}

template <bool kBuild>
bool JsonBuilder::array(std::size_t depth) {
  const std::size_t first = m_values.size();
  ++m_at;
  skipSpace();
  if (peek() == ']') {
    ++m_at;
  } else {
    while (true) {
      if (!value<kBuild>(depth + 1)) return false;
      skipSpace();
      const char c = peek();
      ++m_at;
      if (c == ']') break;
      if (c != ',') return false;
      skipSpace();
    }
  }
  if constexpr (kBuild) {
    const auto begin = m_values.begin() + static_cast<std::ptrdiff_t>(first);
    Json::array_t elements(std::make_move_iterator(begin), std::make_move_iterator(m_values.end()));
    m_values.erase(begin, m_values.end());
    m_values.emplace_back(std::move(elements));
  }
  return true;
}

// False when two keys are the same.
bool JsonBuilder::newKeys(std::size_t first) const {
  const auto begin = m_keys.begin() + static_cast<std::ptrdiff_t>(first);
  if (m_keys.size() - first > kFewKeys) {
    return std::unordered_set<std::string_view>(begin, m_keys.end()).size() == m_keys.size() - first;
  }
  for (auto key = begin; key != m_keys.end(); ++key)
    if (std::find(begin, key, *key) != key) return false;
  return true;
}

template <bool kBuild>
bool JsonBuilder::object(std::size_t depth) {
  const std::size_t first = m_values.size(), firstKey = m_keys.size();
  ++m_at;
  skipSpace();
  bool more = peek() != '}';
  if (!more) ++m_at;
  while (more) {
    std::string_view key;
    std::string decoded;
    if (peek() != '"' || !scanString(key, decoded)) return false;
    if (key.data() == nullptr) key = m_decodedKeys.emplace_back(std::move(decoded));
    m_keys.push_back(key);
    m_weight += kOwnMemory;
    skipSpace();
    if (peek() != ':') return false;
    ++m_at;
    skipSpace();
    if (!value<kBuild>(depth + 1)) return false;
    skipSpace();
    const char c = peek();
    ++m_at;
    if (c != ',' && c != '}') return false;
    more = c == ',';
    if (more) skipSpace();
  }
  if (!newKeys(firstKey)) return false;
  if constexpr (kBuild) {
    Json::object_t members;
    members.reserve(m_values.size() - first);
    for (std::size_t i = first; i < m_values.size(); ++i) {
      members.emplace_back(std::string(m_keys[firstKey + i - first]), std::move(m_values[i]));
    }
    m_values.erase(m_values.begin() + static_cast<std::ptrdiff_t>(first), m_values.end());
    m_values.emplace_back(std::move(members));
  }
  m_keys.resize(firstKey);
  return true;
}

bool JsonBuilder::literal(std::string_view word) {
  if (m_text.substr(m_at, word.size()) != word) return false;
  m_at += word.size();
  return true;
}

bool JsonBuilder::digits() {
  const std::size_t start = m_at;
  while (peek() >= '0' && peek() <= '9') ++m_at;
  return m_at > start;
}

template <bool kBuild>
bool JsonBuilder::number() {
  const std::size_t start = m_at;
  const bool negative = peek() == '-';
  if (negative) ++m_at;
  if (peek() == '0') {
    ++m_at;
  } else if (!digits()) {
    return false;
  }
  bool whole = true;
  if (peek() == '.') {
    whole = false;
    ++m_at;
    if (!digits()) return false;
  }
  if (peek() == 'e' || peek() == 'E') {
    whole = false;
    ++m_at;
    if (peek() == '+' || peek() == '-') ++m_at;
    if (!digits()) return false;
  }
  const char* begin = m_text.data() + start;
  const char* end = m_text.data() + m_at;
  const auto read = [this, begin, end](auto number) {
    if (std::from_chars(begin, end, number).ec != std::errc()) return false;
    if (kBuild) m_values.emplace_back(number);
    return true;
  };
  if (!whole) return read(Json::number_float_t{});
  return negative ? read(Json::number_integer_t{}) : read(Json::number_unsigned_t{});
}

template <bool kBuild>
bool JsonBuilder::string() {
  std::string_view plain;
  std::string decoded;
  if (!scanString(plain, decoded)) return false;
  if constexpr (kBuild) {
    m_values.emplace_back(plain.data() != nullptr ? std::string(plain) : std::move(decoded));
  }
  return true;
}

bool JsonBuilder::scanString(std::string_view& plain, std::string& decoded) {
  std::size_t start = ++m_at;
  bool escaped = false;
  while (m_at < m_text.size()) {
    const auto byte = static_cast<unsigned char>(m_text[m_at]);
    if (kPlain[byte]) {
      ++m_at;
    } else if (byte >= 0x80) {
      if (!wideCharacter()) return false;
    } else if (byte == '"') {
      if (escaped) {
        decoded.append(m_text, start, m_at - start);
      } else {
        plain = m_text.substr(start, m_at - start);
      }
      ++m_at;
      return true;
    } else if (byte == '\\') {
      decoded.append(m_text, start, m_at - start);
      ++m_at;
      if (!escape(decoded)) return false;
      start = m_at;
      escaped = true;
    } else {
      return false;
    }
  }
  return false;
}

// UTF-8 as the Unicode standard has it (table 3-7): no overlong forms, no surrogates, nothing over U+10FFFF.
bool JsonBuilder::wideCharacter() {
  const auto byte = [this](std::size_t i) -> unsigned {
    return m_at + i < m_text.size() ? static_cast<unsigned char>(m_text[m_at + i]) : 0;
  };
  const auto within = [](unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
  };
  const unsigned lead = byte(0);
  std::size_t length = 0;
  unsigned low = 0x80, high = 0xBF;  // of the second byte
  if (within(lead, 0xC2, 0xDF)) length = 2;
  if (within(lead, 0xE0, 0xEF)) length = 3;
  if (within(lead, 0xF0, 0xF4)) length = 4;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (length == 0 || !within(byte(1), low, high)) return false;
  for (std::size_t i = 2; i < length; ++i)
    if (!within(byte(i), 0x80, 0xBF)) return false;
  m_at += length;
  return true;
}

bool JsonBuilder::hexCode(unsigned& code) {
  if (m_at + 4 > m_text.size()) return false;
  const char* begin = m_text.data() + m_at;
  m_at += 4;
  return std::from_chars(begin, begin + 4, code, 16).ptr == begin + 4;
}

bool JsonBuilder::escape(std::string& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  const char c = peek();
  ++m_at;
  if (const auto letter = kLetters.find(c); letter != std::string_view::npos) {
    out += kMeant[letter];
    return true;
  }
  unsigned code = 0;
  if (c != 'u' || !hexCode(code)) return false;
  if (code >= 0xD800 && code <= 0xDFFF) {
    unsigned low = 0;
    if (code > 0xDBFF || peek() != '\\') return false;
    ++m_at;
    if (peek() != 'u') return false;
    ++m_at;
    if (!hexCode(low) || low < 0xDC00 || low > 0xDFFF) return false;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  appendCodePoint(out, code);
  return true;
}

}  // namespace fathom
