// SPDX-License-Identifier: Apache-2.0
#include "core/text/gpt2_pattern.h"

#include "core/base/text/utf8.h"
#include "core/text/character_classes.h"

namespace fathom {

namespace {

std::size_t contractionLength(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.starts_with(ending)) return ending.size();
  return 0;
}

// End of the run of characters of one class (letter, number, space or none of them) from `at`.
std::size_t runEnd(std::string_view text, std::size_t at, std::uint8_t kind) {
  const CharacterClasses& classes = CharacterClasses::instance();
  constexpr std::uint8_t kAll =
      CharacterClasses::Letter | CharacterClasses::Number | CharacterClasses::ByteSpace;
  while (at < text.size()) {
    std::size_t next = at;
    if ((classes.of(nextCodePoint(text, next)) & kAll) != kind) break;
    at = next;
  }
  return at;
}

std::uint8_t kindAt(std::string_view text, std::size_t at) {
  constexpr std::uint8_t kAll =
      CharacterClasses::Letter | CharacterClasses::Number | CharacterClasses::ByteSpace;
  return CharacterClasses::instance().of(nextCodePoint(text, at)) & kAll;
}

}  // namespace

std::size_t gpt2PieceEnd(std::string_view text, std::size_t at) {
  if (const std::size_t length = contractionLength(text.substr(at)); length > 0) return at + length;
  const std::size_t behindBlank = text[at] == ' ' ? at + 1 : at;
  if (behindBlank < text.size()) {
    const std::uint8_t kind = kindAt(text, behindBlank);
    if (kind != CharacterClasses::ByteSpace) return runEnd(text, behindBlank, kind);
  }
  // White space: all of it at the end of the text, else all but the last character, which goes with what
  // follows.
  const std::size_t end = runEnd(text, at, CharacterClasses::ByteSpace);
  if (end == text.size()) return end;
  std::size_t last = end - 1;
  while (last > at && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  return last > at ? last : end;
}

}  // namespace fathom
