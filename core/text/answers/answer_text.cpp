// SPDX-License-Identifier: Apache-2.0
#include "core/text/answers/answer_text.h"

#include <vector>

#include "core/base/text/utf8.h"
#include "core/text/basic_splitter.h"

namespace fathom {

namespace {

std::u32string codesOf(std::string_view text) {
  std::u32string codes;
  for (std::size_t at = 0; at < text.size();) codes.push_back(nextCodePoint(text, at));
  return codes;
}

// Words of the basic tokenizer with single blanks between them.
std::u32string retokenised(std::string_view text, bool lowerCase) {
  std::u32string joined;
  splitWords(text, WordPieceVariant::Google, lowerCase, [&](std::span<const TextCharacter> word) {
    if (!joined.empty()) joined.push_back(U' ');
    for (const TextCharacter& character : word) joined.push_back(character.code);
  });
  return joined;
}

// Places of the characters that are no U+0020.
std::vector<std::size_t> inkOf(const std::u32string& text) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != U' ') places.push_back(i);
  return places;
}

}  // namespace

std::string recoveredText(std::string_view predicted, std::string_view original, bool lowerCase) {
  const std::u32string wanted = codesOf(predicted), codes = codesOf(original);
  const std::u32string tokens = retokenised(original, lowerCase);
  const std::size_t start = tokens.find(wanted);
  if (wanted.empty() || start == std::u32string::npos) return std::string(original);
  const std::size_t end = start + wanted.size() - 1;
  const std::vector<std::size_t> ink = inkOf(tokens), own = inkOf(codes);
  if (ink.size() != own.size()) return std::string(original);
  const auto carried = [&](std::size_t place) -> std::size_t {
    for (std::size_t i = 0; i < ink.size(); ++i)
      if (ink[i] == place) return own[i];
    return std::u32string::npos;
  };
  const std::size_t first = carried(start), last = carried(end);
  if (first == std::u32string::npos || last == std::u32string::npos) return std::string(original);
  std::string text;
  for (std::size_t i = first; i <= last; ++i) appendCodePoint(text, codes[i]);
  return text;
}

}  // namespace fathom
