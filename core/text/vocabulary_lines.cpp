// SPDX-License-Identifier: Apache-2.0
#include "core/text/vocabulary_lines.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/text/byte_order_mark.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/text/text_normalizers.h"

namespace fathom {

namespace {

std::string_view withoutSpaceBehind(std::string_view line) {
  while (!line.empty()) {
    std::size_t last = line.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(line[last]) & 0xC0) == 0x80) --last;
    std::size_t at = last;
    if (!validUtf8(line.substr(last)) || !isRustSpace(nextCodePoint(line, at))) break;
    line = line.substr(0, last);
  }
  return line;
}

}  // namespace

VocabularyLines vocabularyLines(std::string_view text, const std::string& file) {
  VocabularyLines lines;
  while (!text.empty()) lines.tokens.emplace_back(withoutSpaceBehind(takeUntil(text, '\n')));
  if (!lines.tokens.empty() && lines.tokens.front().starts_with(kByteOrderMark)) {
    std::string& first = lines.tokens.front();
    const std::string plain(withoutByteOrderMark(first));
    const bool mark = plain.size() > 2 && (plain.front() == '[' || plain.front() == '<');
    if (mark) first = plain;
    lines.notes.push_back(
        mark ? Phrase::tr("%1 begins with a byte order mark, which is no part of '%2'.")(file, plain)
             : Phrase::tr("%1 begins with a byte order mark, which makes '%2' a token that no text holds.")(
                   file, plain));
  }
  std::unordered_map<std::string, std::size_t> seen;
  std::int64_t empty = 0, twice = 0;
  std::string example;
  for (std::size_t i = 0; i < lines.tokens.size(); ++i) {
    if (lines.tokens[i].empty()) {
      ++empty;
    } else if (!seen.emplace(lines.tokens[i], i).second && ++twice == 1) {
      example = lines.tokens[i];
    }
  }
  if (empty > 0)
    lines.notes.push_back(Phrase::tr("%1 has %2 empty lines: each is an id that no text gets.")(file, empty));
  if (twice > 0)
    lines.notes.push_back(Phrase::tr(
        "%1 has %2 tokens more than once, the first is '%3': the last line counts.")(file, twice, example));
  return lines;
}

}  // namespace fathom
