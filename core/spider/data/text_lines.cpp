// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/text_lines.h"

#include <unicode/unistr.h>

#include "core/base/text/byte_order_mark.h"
#include "core/base/text/utf8.h"

namespace fathom {

TextLines splitTextLines(std::string_view text) {
  TextLines out;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && text[i] != '\r') continue;
    out.lines.emplace_back(text.substr(start, i - start));
    out.carriageReturns += text[i] == '\r';
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
    start = i + 1;
  }
  if (start < text.size()) out.lines.emplace_back(text.substr(start));
  return out;
}

std::vector<std::string> splitTabs(std::string_view text) {
  std::vector<std::string> fields;
  std::size_t start = 0;
  for (auto tab = text.find('\t'); tab != std::string_view::npos; tab = text.find('\t', start)) {
    fields.emplace_back(text.substr(start, tab - start));
    start = tab + 1;
  }
  fields.emplace_back(text.substr(start));
  return fields;
}

std::string oneLine(std::string_view text) {
  if (text.find_first_of("\r\n\t") == std::string_view::npos) return std::string(strip(text));
  std::string out;
  bool blank = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      blank = true;
      continue;
    }
    if (blank && !out.empty()) out += ' ';
    blank = false;
    out += c;
  }
  return std::string(strip(out));
}

std::string decodeText(std::string_view bytes, std::vector<Phrase>& notes) {
  if (bytes.starts_with(kByteOrderMark)) {
    notes.emplace_back(Phrase::tr("UTF-8 byte order mark"));
    bytes = withoutByteOrderMark(bytes);
  } else if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    notes.emplace_back(Phrase::tr("UTF-16 text"));
    std::string out;
    icu::UnicodeString(bytes.data(), static_cast<int32_t>(bytes.size()), "UTF-16").toUTF8String(out);
    return out;
  }
  if (validUtf8(bytes)) return std::string(bytes);
  notes.emplace_back(Phrase::tr("bytes that are not UTF-8 were replaced"));
  std::string out;
  icu::UnicodeString::fromUTF8(icu::StringPiece(bytes.data(), static_cast<int32_t>(bytes.size())))
      .toUTF8String(out);
  return out;
}

}  // namespace fathom
