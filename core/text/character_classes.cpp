// SPDX-License-Identifier: Apache-2.0
#include "core/text/character_classes.h"

#include <span>

#include "core/text/character_tables.h"

namespace fathom {

namespace {

constexpr char32_t kFirstSyllable = 0xAC00, kLastSyllable = 0xD7A3;

// Leading consonant, vowel and (perhaps) final consonant of a Hangul syllable.
std::array<char32_t, 3> jamo(char32_t syllable) {
  const char32_t index = syllable - kFirstSyllable;
  const char32_t last = index % 28;
  return {0x1100 + index / 588, 0x1161 + index % 588 / 28, last == 0 ? 0 : 0x11A7 + last};
}

}  // namespace

CharacterClasses::CharacterClasses() : m_bits(0x110000) {
  const CharacterTables& tables = characterTables();
  const auto mark = [&](std::span<const CodeRange> ranges, Bit bit) {
    for (const CodeRange& range : ranges)
      for (std::uint32_t code = range.first; code <= range.last; ++code) m_bits[code] |= bit;
  };
  mark(tables.space, Space);
  mark(tables.removed, Removed);
  mark(tables.marks, Mark);
  mark(tables.isolated, Isolated);
  mark(tables.letters, Letter);
  mark(tables.numbers, Number);
  mark(tables.byteSpace, ByteSpace);
  for (const MovedBlock& block : tables.blocks)
    for (std::uint32_t i = 0; i < block.images.size(); ++i)
      if (block.images[i] != block.first + i) m_lowered[block.first + i] = {block.images[i], 0, 0};
  for (const MovedRun& run : tables.moved) {
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const std::uint32_t code = run.first + i * run.step;
      m_lowered[code] = {static_cast<char32_t>(static_cast<std::int64_t>(code) + run.delta), 0, 0};
    }
  }
  for (const SplitCode& split : tables.split)
    m_lowered[split.code] = {split.into[0], split.into[1], split.into[2]};
  for (const auto& [code, images] : m_lowered) m_bits[code] |= Mapped;
  for (char32_t code = kFirstSyllable; code <= kLastSyllable; ++code) m_bits[code] |= Mapped;
}

const CharacterClasses& CharacterClasses::instance() {
  static const CharacterClasses classes;
  return classes;
}

std::array<char32_t, 3> CharacterClasses::lowered(char32_t codePoint) const {
  if (codePoint >= kFirstSyllable && codePoint <= kLastSyllable) return jamo(codePoint);
  const auto found = m_lowered.find(codePoint);
  return found == m_lowered.end() ? std::array<char32_t, 3>{codePoint, 0, 0} : found->second;
}

}  // namespace fathom
