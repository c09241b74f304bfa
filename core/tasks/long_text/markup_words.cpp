// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/markup_words.h"

#include <algorithm>

namespace fathom {

namespace {

bool beginsTag(char next) {
  return next == '/' || next == '!' || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
}

}  // namespace

bool looksLikeMarkup(std::string_view word) {
  constexpr std::size_t kLongestEntity = 10;
  const std::size_t open = word.find('<');
  if (open != std::string_view::npos && open + 1 < word.size() && beginsTag(word[open + 1])) return true;
  const std::size_t mark = word.find('&');
  if (mark == std::string_view::npos) return false;
  const std::size_t end = word.find(';', mark);
  return end != std::string_view::npos && end > mark + 1 && end - mark <= kLongestEntity;
}

std::int64_t markupWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::int64_t count = 0;
  // Most texts have neither sign and are passed over at once.
  for (std::size_t at = text.find_first_of("<&"); at != std::string_view::npos;) {
    const std::size_t before = text.find_last_of(kBlanks, at);
    const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    count += looksLikeMarkup(text.substr(first, end - first)) ? 1 : 0;
    at = text.find_first_of("<&", end);
  }
  return count;
}

std::int64_t markupWords(const std::vector<std::string>& texts) {
  std::int64_t count = 0;
  for (const std::string& text : texts) count += markupWords(text);
  return count;
}

}  // namespace fathom
