// SPDX-License-Identifier: Apache-2.0
#include "core/review/text_difference.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kMostDifferingWords = 1000;

std::string_view pieceOf(std::string_view text, const TextSpan& span) {
  return text.substr(span.begin, span.end - span.begin);
}

// Marks words of a that are in no longest common subsequence with b.
std::vector<bool> unmatched(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  std::vector<bool> alone(a.size(), true);
  std::size_t front = 0;
  while (front < a.size() && front < b.size() && a[front] == b[front]) alone[front++] = false;
  std::size_t back = 0;
  while (back < a.size() - front && back < b.size() - front &&
         a[a.size() - 1 - back] == b[b.size() - 1 - back]) {
    alone[a.size() - 1 - back] = false;
    ++back;
  }
  const std::size_t n = a.size() - front - back, m = b.size() - front - back;
  if (n == 0 || m == 0 || n > kMostDifferingWords || m > kMostDifferingWords) return alone;
  std::vector<std::uint16_t> longest((n + 1) * (m + 1), 0);
  const auto at = [m](std::size_t i, std::size_t k) { return i * (m + 1) + k; };
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t k = m; k-- > 0;)
      longest[at(i, k)] = a[front + i] == b[front + k]
                              ? static_cast<std::uint16_t>(longest[at(i + 1, k + 1)] + 1)
                              : std::max(longest[at(i + 1, k)], longest[at(i, k + 1)]);
  for (std::size_t i = 0, k = 0; i < n && k < m;) {
    if (a[front + i] == b[front + k]) {
      alone[front + i++] = false;
      ++k;
    } else if (longest[at(i + 1, k)] >= longest[at(i, k + 1)]) {
      ++i;
    } else {
      ++k;
    }
  }
  return alone;
}

// No space: most letters of most texts are told by one look.
bool isPlainLetter(char c) {
  return c > ' ' && c < '\x7F';
}

std::size_t behindBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && !isPlainLetter(text[at])) {
    const std::size_t space = unicodeSpaceLength(text, at);
    if (space == 0) break;
    at += space;
  }
  return at;
}

std::size_t behindWord(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (isPlainLetter(text[at])) {
      ++at;
    } else if (unicodeSpaceLength(text, at) > 0) {
      break;
    } else {
      (void)nextCodePoint(text, at);
    }
  }
  return at;
}

}  // namespace

std::vector<TextSpan> wordSpans(std::string_view text) {
  std::vector<TextSpan> words;
  for (std::size_t at = behindBlanks(text, 0); at < text.size(); at = behindBlanks(text, words.back().end))
    words.push_back({at, behindWord(text, at)});
  return words;
}

std::size_t wordCount(std::string_view text) {
  std::size_t words = 0;
  for (std::size_t at = behindBlanks(text, 0); at < text.size(); ++words)
    at = behindBlanks(text, behindWord(text, at));
  return words;
}

std::vector<TextSpan> differingWords(std::string_view text, std::string_view other) {
  const std::vector<TextSpan> spans = wordSpans(text);
  std::vector<std::string_view> a, b;
  for (const TextSpan& span : spans) a.push_back(pieceOf(text, span));
  for (const TextSpan& span : wordSpans(other)) b.push_back(pieceOf(other, span));
  const std::vector<bool> alone = unmatched(a, b);
  std::vector<TextSpan> result;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (!alone[i]) continue;
    if (i > 0 && alone[i - 1])
      result.back().end = spans[i].end;
    else
      result.push_back(spans[i]);
  }
  return result;
}

std::vector<std::size_t> codePointOffsets(std::string_view text) {
  std::vector<std::size_t> offsets;
  offsets.reserve(text.size() + 1);
  for (std::size_t at = 0; at < text.size();) {
    offsets.push_back(at);
    (void)nextCodePoint(text, at);
  }
  offsets.push_back(text.size());
  return offsets;
}

const std::vector<const char*>& questionWords() {
  static const std::vector<const char*> words = {"who", "what", "when",  "where",
                                                 "why", "how",  "which", "other"};
  return words;
}

std::size_t questionWord(std::string_view question) {
  const std::size_t other = questionWords().size() - 1;
  for (const TextSpan& span : wordSpans(question)) {
    std::string word;
    for (const char c : pieceOf(question, span))
      if (std::isalpha(static_cast<unsigned char>(c)) != 0)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word == "whose" || word == "whom") return 0;
    for (std::size_t k = 0; k < other; ++k)
      if (word == questionWords()[k]) return k;
  }
  return other;
}

ReviewFacet questionWordFacet(const ReviewGold& gold, std::size_t text) {
  ReviewFacet facet{"question", Phrase::tr("Question word"), {}, {}, {}};
  for (const char* word : questionWords()) facet.values.push_back({word, Phrase::words(word)});
  facet.values.back().title = Phrase::tr("another");
  for (const ReviewExample& example : gold.examples)
    facet.ofExample.push_back(static_cast<std::int32_t>(questionWord(example.texts[text])));
  return facet;
}

}  // namespace fathom
