// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/simple_sentences.h"

#include "core/base/text/utf8.h"

namespace fathom {

std::vector<std::string> simpleSentences(std::string_view text) {
  std::vector<std::string> sentences;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    const std::string_view part = strip(text.substr(begin, end - begin));
    if (!part.empty()) sentences.emplace_back(part);
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool mark = text[i] == '.' || text[i] == '!' || text[i] == '?';
    if (mark && i + 1 < text.size() && unicodeSpaceLength(text, i + 1) > 0) close(i + 1);
  }
  close(text.size());
  return sentences;
}

}  // namespace fathom
