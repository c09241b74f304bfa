// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fathom {

// Character classes of the reference tokenizers (docs/tokenizers.md §1): they belong to no single Unicode
// version, so they are data of ours instead of a library's. character_tables.cpp is generated.
struct CodeRange {
  std::uint32_t first, last;  // inclusive
};
// first, first + step, ... (count code points) become themselves + delta.
struct MovedRun {
  std::uint32_t first;
  std::uint16_t count;
  std::uint8_t step;
  std::int32_t delta;
};
// first, first + 1, ... become the characters of `images`.
struct MovedBlock {
  std::uint32_t first;
  std::u32string_view images;
};
struct SplitCode {
  std::uint32_t code;
  std::uint32_t into[3];  // 0 = unused
};

struct CharacterTables {
  // WordPiece. A removed character leaves no trace, a mark does so when text is lower-cased, a space ends a
  // word, an isolated character is a word of its own. Moved and split: lower case and decomposition
  // (uncased); Hangul syllables, which are decomposed by arithmetic, are not listed.
  std::span<const CodeRange> space, removed, marks, isolated;
  std::span<const MovedRun> moved;
  std::span<const MovedBlock> blocks;
  std::span<const SplitCode> split;
  // GPT-2's pattern: \p{L}, \p{N}, \s.
  std::span<const CodeRange> letters, numbers, byteSpace;
};
const CharacterTables& characterTables();

}  // namespace fathom
