// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/answer_pieces.h"

#include <algorithm>

#include "core/base/text/utf8.h"

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
  if (pieces.decode) {
    const std::vector<std::int64_t> ids(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                        tokens.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    return std::string(strip(pieces.decode(ids)));
  }
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

}  // namespace fathom
