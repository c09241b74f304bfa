// SPDX-License-Identifier: Apache-2.0
#include "core/spider/data/text_lines.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace fathom {

namespace {

constexpr std::size_t kMaxField = std::size_t{1} << 20;
constexpr std::size_t kMaxColumns = 4096;

bool isSpace(UChar32 code) {
  return code >= 0 && (u_isUWhiteSpace(code) || (code >= 0x1c && code <= 0x1f));
}

// Byte length of the white-space character at `at`, 0 when there is none.
std::size_t spaceAt(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return isSpace(byte) ? 1 : 0;
  int32_t next = 0;
  UChar32 code = 0;
  U8_NEXT(reinterpret_cast<const uint8_t*>(text.data()) + at, next,
          static_cast<int32_t>(std::min<std::size_t>(4, text.size() - at)), code);
  return isSpace(code) ? static_cast<std::size_t>(next) : 0;
}

bool validUtf8(std::string_view text) {
  int32_t at = 0;
  const auto length = static_cast<int32_t>(text.size());
  while (at < length) {
    UChar32 code = 0;
    U8_NEXT(reinterpret_cast<const uint8_t*>(text.data()), at, length, code);
    if (code < 0) return false;
  }
  return true;
}

}  // namespace

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

std::string stripUnicode(std::string_view text) {
  std::size_t first = 0;
  while (first < text.size()) {
    const std::size_t length = spaceAt(text, first);
    if (length == 0) break;
    first += length;
  }
  std::size_t last = text.size();
  while (last > first) {
    std::size_t at = last - 1;
    while (at > first && last - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    if (spaceAt(text, at) != last - at) break;
    last = at;
  }
  return std::string(text.substr(first, last - first));
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
  if (text.find_first_of("\r\n\t") == std::string_view::npos) return stripUnicode(text);
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
  return stripUnicode(out);
}

std::string decodeText(std::string_view bytes, std::vector<Phrase>& notes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    notes.emplace_back(Phrase::tr("UTF-8 byte order mark"));
    bytes.remove_prefix(3);
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

Result<std::vector<std::vector<std::string>>> parseCsv(std::string_view text, const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool quoted = false, any = false;
  const auto fault = [&](const Phrase& what) {
    return dataErrorAt(path, static_cast<std::int64_t>(rows.size()) + 1,
                       Phrase::tr("CSV record %1: %2")(rows.size() + 1, what));
  };
  const auto endField = [&] {
    row.push_back(std::move(field));
    field.clear();
  };
  const auto endRow = [&] {
    if (!any && row.empty() && field.empty()) return;
    endField();
    rows.push_back(std::move(row));
    row.clear();
    any = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else if (c == '"') {
        quoted = false;
      } else {
        field += c;
      }
    } else if (c == '"' && field.empty()) {
      quoted = any = true;
    } else if (c == ',') {
      any = true;
      endField();
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      endRow();
    } else {
      field += c;
    }
    if (field.size() > kMaxField) return fault(Phrase::tr("a field is longer than 1 MB"));
    if (row.size() > kMaxColumns) return fault(Phrase::tr("more than 4,096 columns"));
  }
  if (quoted) return fault(Phrase::tr("a quote is never closed"));
  endRow();
  return rows;
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    out += c;
    if (c == '"') out += c;
  }
  return out + "\"";
}

}  // namespace fathom
