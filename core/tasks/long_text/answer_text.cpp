// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/answer_text.h"

#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/text/basic_splitter.h"
#include "core/text/lower_case.h"

namespace fathom {

std::vector<std::size_t> wordOfByte(std::string_view text) {
  std::vector<std::size_t> words(text.size(), std::string::npos);
  std::size_t count = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = nextCodePoint(text, at);
    const bool blank = code == ' ' || code == '\t' || code == '\r' || code == '\n' || code == 0x202F;
    if (!blank && !inside) ++count;
    inside = !blank;
    if (inside)
      std::fill(words.begin() + static_cast<std::ptrdiff_t>(begin),
                words.begin() + static_cast<std::ptrdiff_t>(at), count - 1);
  }
  return words;
}

std::pair<std::int64_t, std::int64_t> narrowedSpan(const std::vector<std::int32_t>& tokens,
                                                   std::pair<std::int64_t, std::int64_t> span,
                                                   const std::vector<std::int64_t>& answer) {
  const auto count = static_cast<std::int64_t>(answer.size());
  if (count == 0) return span;
  for (std::int64_t begin = span.first; begin + count - 1 <= span.second; ++begin)
    if (std::equal(answer.begin(), answer.end(), tokens.begin() + begin)) return {begin, begin + count - 1};
  return span;
}

std::string piecesText(const std::vector<std::int32_t>& tokens, std::size_t first, std::size_t last,
                       const LongPieces& pieces) {
  std::string text;
  for (std::size_t i = first; i <= last; ++i) {
    const std::string piece = pieces.piece(tokens[i]);
    if (piece.starts_with("##"))
      text += piece.substr(2);
    else
      text += (text.empty() ? "" : " ") + piece;
  }
  return text;
}

namespace {

// Characters without blanks and where each stood, in bytes.
struct Dense {
  std::string text;
  std::vector<std::size_t> starts, ends;  // of each code point: in the text they are of
  std::vector<std::size_t> begins;        // of each code point: in `text`
  explicit Dense(std::string_view all) {
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t begin = at;
      if (nextCodePoint(all, at) == ' ') continue;
      begins.push_back(text.size());
      starts.push_back(begin);
      ends.push_back(at);
      text.append(all.substr(begin, at - begin));
    }
  }
};

}  // namespace

std::string recoveredText(const std::string& words, const std::string& original) {
  std::string split;  // as the tokenizer of the pieces sees the original
  splitWords(original, WordPieceVariant::HfFast, true, [&](std::span<const TextCharacter> word) {
    if (!split.empty()) split += ' ';
    for (const TextCharacter& character : word) appendCodePoint(split, character.code);
  });
  const std::size_t at = split.find(words);
  if (at == std::string::npos || words.empty()) return original;
  const Dense from(split), to(original);
  if (from.begins.size() != to.begins.size()) return original;
  std::size_t first = std::string::npos, last = std::string::npos;
  for (std::size_t i = 0; i < from.starts.size(); ++i) {
    if (from.starts[i] == at) first = i;
    if (from.ends[i] == at + words.size()) last = i;
  }
  if (first == std::string::npos || last == std::string::npos) return original;
  return original.substr(to.starts[first], to.ends[last] - to.starts[first]);
}

}  // namespace fathom
