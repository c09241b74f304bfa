// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/utf8.h"

#include <algorithm>

namespace fathom {

namespace {

// Length of the well-formed sequence at `p`, 0 if there is none.
std::size_t sequenceLength(const unsigned char* p, std::size_t left) {
  const unsigned char lead = p[0];
  if (lead < 0x80) return 1;
  const auto tail = [&](std::size_t i) { return i < left && (p[i] & 0xC0) == 0x80; };
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if ((lead & 0xF0) == 0xE0) {
    if (!tail(1) || !tail(2)) return 0;
    if (lead == 0xE0 && p[1] < 0xA0) return 0;
    if (lead == 0xED && p[1] > 0x9F) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xF0 && p[1] < 0x90) return 0;
    if (lead == 0xF4 && p[1] > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

std::size_t firstInvalidUtf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequenceLength(bytes + i, text.size() - i);
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

bool validUtf8(std::string_view text) {
  return firstInvalidUtf8(text) == std::string_view::npos;
}

char32_t nextCodePoint(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  };
  const char32_t lead = byte(position);
  const std::size_t at = position;
  if (lead < 0x80) return position += 1, lead;
  if (lead < 0xE0) return position += 2, ((lead & 0x1F) << 6) | (byte(at + 1) & 0x3F);
  if (lead < 0xF0)
    return position += 3, ((lead & 0x0F) << 12) | ((byte(at + 1) & 0x3F) << 6) | (byte(at + 2) & 0x3F);
  position += 4;
  return ((lead & 0x07) << 18) | ((byte(at + 1) & 0x3F) << 12) | ((byte(at + 2) & 0x3F) << 6) |
         (byte(at + 3) & 0x3F);
}

void appendCodePoint(std::string& text, char32_t codePoint) {
  const auto add = [&](char32_t value) { text.push_back(static_cast<char>(value)); };
  if (codePoint < 0x80) {
    add(codePoint);
  } else if (codePoint < 0x800) {
    add(0xC0 | (codePoint >> 6));
    add(0x80 | (codePoint & 0x3F));
  } else if (codePoint < 0x10000) {
    add(0xE0 | (codePoint >> 12));
    add(0x80 | ((codePoint >> 6) & 0x3F));
    add(0x80 | (codePoint & 0x3F));
  } else {
    add(0xF0 | (codePoint >> 18));
    add(0x80 | ((codePoint >> 12) & 0x3F));
    add(0x80 | ((codePoint >> 6) & 0x3F));
    add(0x80 | (codePoint & 0x3F));
  }
}

std::int64_t countCodePoints(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

bool isUnicodeSpace(char32_t c) {
  if (c < 0x80) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::size_t unicodeSpaceLength(std::string_view text, std::size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte < 0x80) return isUnicodeSpace(byte) ? 1 : 0;
  // Only these lead bytes begin a white-space character: U+0085, U+00A0; U+1680; U+20xx; U+3000.
  if (byte != 0xC2 && byte != 0xE1 && byte != 0xE2 && byte != 0xE3) return 0;
  std::size_t end = position;
  return isUnicodeSpace(nextCodePoint(text, end)) ? end - position : 0;
}

std::string_view stripRight(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (unicodeSpaceLength(text, start) != text.size() - start) break;
    text.remove_suffix(text.size() - start);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = unicodeSpaceLength(text, 0);
    if (length == 0) break;
    text.remove_prefix(length);
  }
  return stripRight(text);
}

}  // namespace fathom
