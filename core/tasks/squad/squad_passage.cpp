// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_passage.h"

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/text/moses_13a_tokenizer.h"

namespace fathom {

namespace {

bool endsWord(char32_t code) {
  return code == ' ' || code == '\t' || code == '\r' || code == '\n' || code == 0x202F;
}

void addPieces(SquadPassage& passage, const TextEncoding& encoding) {
  for (std::size_t w = 0; w < passage.words.size(); ++w) {
    passage.firstPiece.push_back(static_cast<std::int32_t>(passage.pieces.size()));
    // Byte-level pieces of running text begin with the blank before them.
    const std::int64_t blank = encoding.byteLevel() ? 1 : 0;
    const std::string word = (blank == 1 ? " " : "") + std::string(passage.word(w));
    const EncodedText encoded = encoding.encode(word);
    const std::int64_t begin = passage.words[w].begin;
    for (std::size_t i = 0; i < encoded.ids.size(); ++i) {
      passage.pieces.push_back(static_cast<std::int32_t>(encoded.ids[i]));
      passage.wordOfPiece.push_back(static_cast<std::int32_t>(w));
      passage.ranges.push_back({begin + std::max<std::int64_t>(encoded.ranges[i].begin - blank, 0),
                                begin + std::max<std::int64_t>(encoded.ranges[i].end - blank, 0)});
    }
  }
}

// The first, then longest run of pieces inside [first, last] that equals the answer's own.
void narrow(SquadSpan& span, const SquadPassage& passage, const std::vector<std::int64_t>& answer) {
  const auto count = static_cast<std::int64_t>(answer.size());
  if (count == 0) return;
  for (std::int64_t first = span.firstPiece; first + count - 1 <= span.lastPiece; ++first) {
    if (!std::equal(answer.begin(), answer.end(), passage.pieces.begin() + first)) continue;
    span.firstPiece = first;
    span.lastPiece = first + count - 1;
    return;
  }
}

std::string joinedAtBlanks(std::string_view text) {
  std::vector<std::string_view> words;
  splitAtWhiteSpace(text, words);
  std::string joined;
  for (const std::string_view word : words) {
    if (!joined.empty()) joined += ' ';
    joined += word;
  }
  return joined;
}

}  // namespace

std::string SquadPassage::joinedWords(std::int64_t first, std::int64_t last) const {
  std::string joined;
  for (std::int64_t w = first; w <= last; ++w) {
    if (w > first) joined += ' ';
    joined += word(static_cast<std::size_t>(w));
  }
  return joined;
}

SquadPassage makeSquadPassage(std::string text, const TextEncoding& encoding) {
  SquadPassage passage;
  passage.text = std::move(text);
  bool inWord = false;
  for (std::size_t at = 0; at < passage.text.size();) {
    const auto begin = static_cast<std::int64_t>(at);
    const char32_t code = nextCodePoint(passage.text, at);
    if (endsWord(code)) {
      inWord = false;
    } else if (!inWord) {
      passage.words.push_back({begin, static_cast<std::int64_t>(at)});
      inWord = true;
    } else {
      passage.words.back().end = static_cast<std::int64_t>(at);
    }
    passage.wordOfCharacter.push_back(static_cast<std::int32_t>(passage.words.size()) - 1);
  }
  addPieces(passage, encoding);
  return passage;
}

SquadSpan findSquadSpan(const SquadQuestion& question, const SquadPassage& passage,
                        const TextEncoding& encoding) {
  using Fate = SquadSpan::Fate;
  SquadSpan span;
  if (question.impossible) return span.fate = Fate::Impossible, span;
  if (question.answers.empty()) return span;
  const SquadAnswer& answer = question.answers.front();
  const std::int64_t length = countCodePoints(answer.text);
  if (length == 0) return span.fate = Fate::Empty, span;
  const auto characters = static_cast<std::int64_t>(passage.wordOfCharacter.size());
  if (answer.start < 0 || answer.start > characters - length) return span.fate = Fate::WrongStart, span;
  span.firstWord = passage.wordOfCharacter[static_cast<std::size_t>(answer.start)];
  span.lastWord = passage.wordOfCharacter[static_cast<std::size_t>(answer.start + length - 1)];
  const bool found = span.firstWord >= 0 &&
                     passage.joinedWords(span.firstWord, span.lastWord).find(joinedAtBlanks(answer.text)) !=
                         std::string::npos;
  if (!found) return span.fate = Fate::NotFound, span;
  span.fate = Fate::Found;
  span.firstPiece = passage.firstPiece[static_cast<std::size_t>(span.firstWord)];
  const auto next = static_cast<std::size_t>(span.lastWord) + 1;
  span.lastPiece = next < passage.firstPiece.size() ? passage.firstPiece[next] - 1
                                                    : static_cast<std::int64_t>(passage.pieces.size()) - 1;
  const std::string blank = encoding.byteLevel() ? " " : "";
  narrow(span, passage, encoding.encode(blank + answer.text).ids);
  return span;
}

}  // namespace fathom
