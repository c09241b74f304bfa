// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fathom {

// Offset of the first byte that is not part of well-formed UTF-8 (no surrogates, no overlong forms, at most
// U+10FFFF); npos when all is well.
std::size_t firstInvalidUtf8(std::string_view text);
bool validUtf8(std::string_view text);

// The code point at `position`, which is moved behind it. The text must be well-formed.
char32_t nextCodePoint(std::string_view text, std::size_t& position);
void appendCodePoint(std::string& text, char32_t codePoint);
std::int64_t countCodePoints(std::string_view text);

// White space as Python's str.isspace: Unicode White_Space and U+001C..U+001F; not U+200B, U+180E, U+FEFF.
bool isUnicodeSpace(char32_t codePoint);
// Length in bytes of the white-space character at `position`, 0 if there is none.
std::size_t unicodeSpaceLength(std::string_view text, std::size_t position);
std::string_view stripRight(std::string_view text);
std::string_view strip(std::string_view text);

}  // namespace fathom
