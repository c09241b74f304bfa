// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fathom {

// The character tables as something to ask quickly. One object for the process, made at the first use (1 MB).
class CharacterClasses {
 public:
  enum Bit : std::uint8_t {
    Space = 1,
    Removed = 2,
    Mark = 4,        // removed when text is lower-cased
    Isolated = 8,    // a word of its own
    Mapped = 16,     // becomes other characters when text is lower-cased
    Letter = 32,     // \p{L} of GPT-2's pattern
    Number = 64,     // \p{N}
    ByteSpace = 128  // \s
  };
  static const CharacterClasses& instance();
  std::uint8_t of(char32_t codePoint) const { return codePoint < m_bits.size() ? m_bits[codePoint] : 0; }

  // Lower case without marks: up to 3 characters, 0 = unused. Only for Mapped characters.
  std::array<char32_t, 3> lowered(char32_t codePoint) const;

 private:
  CharacterClasses();
  std::vector<std::uint8_t> m_bits;
  std::unordered_map<char32_t, std::array<char32_t, 3>> m_lowered;
};

}  // namespace fathom
