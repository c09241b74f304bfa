// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/long_layout.h"

#include "core/base/text/utf8.h"

namespace fathom {

std::int32_t LongLayout::addGlobal(std::int64_t token, std::int32_t type, GlobalKind kind) {
  globalTokens.push_back(static_cast<std::int32_t>(token));
  globalTypes.push_back(type);
  globalKinds.push_back(kind);
  globalBreaks.push_back(0);
  return static_cast<std::int32_t>(globalTokens.size()) - 1;
}

void LongLayout::addLong(std::int64_t token, std::int32_t type, std::int32_t sentencePlace,
                         std::int32_t paragraphPlace, std::int32_t wordPlace) {
  tokens.push_back(static_cast<std::int32_t>(token));
  types.push_back(type);
  sentence.push_back(sentencePlace);
  paragraph.push_back(paragraphPlace);
  link.push_back(-1);
  word.push_back(wordPlace);
  breaks.push_back(0);
}

void LongLayout::endContext() {
  if (!breaks.empty()) breaks.back() = 1;
  if (!globalBreaks.empty()) globalBreaks.back() = 1;
}

std::vector<std::int32_t> contextsOf(const std::vector<std::int32_t>& breaks, std::size_t length) {
  std::vector<std::int32_t> contexts(length, 0);
  std::size_t first = 0;
  std::int32_t number = 0;
  for (std::size_t i = 0; i < breaks.size() && i < length; ++i) {
    if (breaks[i] == 0) continue;
    ++number;
    for (; first <= i; ++first) contexts[first] = number;
  }
  return contexts;
}

std::vector<std::string> readingWords(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t code = nextCodePoint(text, at);
    if (code == ' ' || code == '\t' || code == '\r' || code == '\n' || code == 0x202F) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back().append(text.substr(begin, at - begin));
  }
  return words;
}

}  // namespace fathom
