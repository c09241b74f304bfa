// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/squad/squad_file.h"
#include "core/tasks/text_encoding.h"

namespace fathom {

// A passage cut into words at space, tab, carriage return, line feed and U+202F, and every word into pieces
// (docs/fine_tuning.md §5.1).
struct SquadPassage {
  std::string text;
  std::vector<TextRange> words;               // bytes
  std::vector<std::int32_t> wordOfCharacter;  // by code point: the word, of white space the one before, or -1
  std::vector<std::int32_t> pieces;           // ids
  std::vector<std::int32_t> wordOfPiece;
  std::vector<TextRange> ranges;         // bytes of each piece
  std::vector<std::int32_t> firstPiece;  // of each word
  std::string_view word(std::size_t i) const {
    return std::string_view(text).substr(static_cast<std::size_t>(words[i].begin),
                                         static_cast<std::size_t>(words[i].end - words[i].begin));
  }
  // Words [first, last] with single blanks between them.
  std::string joinedWords(std::int64_t first, std::int64_t last) const;
};
SquadPassage makeSquadPassage(std::string text, const TextEncoding& encoding);

// Place of the first answer of a question. An answer that cannot be found again is not trained on.
struct SquadSpan {
  enum class Fate { Found, Impossible, NoAnswer, Empty, WrongStart, NotFound };
  Fate fate = Fate::NoAnswer;
  std::int64_t firstWord = -1, lastWord = -1;
  std::int64_t firstPiece = -1, lastPiece = -1;  // narrowed to the answer's own pieces
  bool trained() const { return fate == Fate::Found || fate == Fate::Impossible; }
};
SquadSpan findSquadSpan(const SquadQuestion& question, const SquadPassage& passage,
                        const TextEncoding& encoding);

}  // namespace fathom
