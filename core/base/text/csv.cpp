// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/csv.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/text/byte_order_mark.h"
#include "core/base/text/utf8.h"

namespace fathom {

namespace {

constexpr std::size_t kCsvBufferBytes = 1 << 20;
constexpr std::size_t kMaxRow = 2'000'000;
constexpr std::size_t kMaxField = 1'000'000;
constexpr std::size_t kMaxColumns = 4096;

char likelySeparator(std::string_view head) {
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  char best = ',';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    const auto count = std::count(line.begin(), line.end(), candidate);
    if (count > most) most = count, best = candidate;
  }
  return best;
}

}  // namespace

CsvReader::CsvReader(Source source, std::string path, char separator)
    : m_source(std::move(source)), m_path(std::move(path)), m_separator(separator) {}

Status CsvReader::begin() {
  m_buffer.resize(kCsvBufferBytes);
  FATHOM_TRY(m_filled, m_source(m_buffer.data(), m_buffer.size()));
  const std::string_view head(m_buffer.data(), m_filled);
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
    return dataErrorAt(m_path, 1, Phrase::tr("the file is UTF-16"),
                       Phrase::tr("convert it to UTF-8, for instance with iconv"));
  if (head.starts_with(kByteOrderMark)) m_at = m_offset = kByteOrderMark.size();
  if (m_separator == kGuessSeparator) m_separator = likelySeparator(head.substr(m_at));
  return {};
}

Error CsvReader::failure(const Phrase& what) const {
  return dataErrorAt(m_path, m_rowLine, what, Phrase::tr("byte %1")(m_offset));
}

Result<int> CsvReader::byte() {
  if (m_at == m_filled) {
    FATHOM_TRY(m_filled, m_source(m_buffer.data(), m_buffer.size()));
    m_at = 0;
    if (m_filled == 0) return -1;
  }
  ++m_offset;
  return static_cast<unsigned char>(m_buffer[m_at++]);
}

Status CsvReader::closeField(std::vector<std::string>& fields) {
  if (fields.size() >= kMaxColumns) return failure(Phrase::tr("more than %1 columns")(kMaxColumns));
  if (!validUtf8(m_field)) return failure(Phrase::tr("column %1 is not valid UTF-8")(fields.size() + 1));
  fields.push_back(std::move(m_field));
  m_field.clear();
  return {};
}

Result<bool> CsvReader::row(std::vector<std::string>& fields) {
  fields.clear();
  m_field.clear();
  m_rowLine = m_line;
  m_rowBytes = 0;
  m_rowQuoted = false;
  bool quoted = false, afterQuote = false;
  while (true) {
    FATHOM_TRY(const int c, byte());
    if (c < 0) {
      if (quoted) return failure(Phrase::tr("a quote is never closed"));
      if (m_rowBytes == 0) return false;
      FATHOM_CHECK(closeField(fields));
      return true;
    }
    if (c == 0) return failure(Phrase::tr("the file has a zero byte: it is not text"));
    if (++m_rowBytes > kMaxRow) return failure(Phrase::tr("a row is longer than 2 MB"));
    if (m_field.size() > kMaxField) return failure(Phrase::tr("a field is longer than 1 MB"));
    if (c == '\n') ++m_line;
    if (quoted && !afterQuote) {
      if (c == '"')
        afterQuote = true;
      else
        m_field += static_cast<char>(c);
      continue;
    }
    if (afterQuote && c == '"') {
      m_field += '"';
      afterQuote = false;
      continue;
    }
    if (afterQuote) quoted = afterQuote = false;
    if (c == '"' && m_field.empty()) {
      quoted = m_rowQuoted = true;
    } else if (c == m_separator) {
      FATHOM_CHECK(closeField(fields));
    } else if (c == '\n' || c == '\r') {
      if (c == '\r') {
        // CRLF is one end of line; a CR alone counts as one, too.
        FATHOM_TRY(const int following, byte());
        if (following == '\n' || following < 0) {
          m_line += following == '\n' ? 1 : 0;
        } else {
          ++m_line;
          --m_at, --m_offset;
        }
      }
      FATHOM_CHECK(closeField(fields));
      return true;
    } else {
      m_field += static_cast<char>(c);
    }
  }
}

Result<bool> CsvReader::next(std::vector<std::string>& fields) {
  if (m_buffer.empty()) FATHOM_CHECK(begin());
  while (true) {
    FATHOM_TRY(const bool more, row(fields));
    if (!more) return false;
    if (m_rowQuoted || fields.size() > 1 || !fields.front().empty()) return true;
  }
}

std::optional<char> csvSeparator(std::string_view head) {
  constexpr int kMostRows = 20;
  constexpr std::size_t kMostBytes = 1 << 18;
  const bool whole = head.size() <= kMostBytes;
  head = head.substr(0, kMostBytes);
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  if (line.find('\t') != std::string_view::npos) return std::nullopt;
  const char separator = likelySeparator(line);
  std::string_view rest = head;
  const auto source = [&rest](char* bytes, std::size_t most) -> Result<std::size_t> {
    const std::size_t count = rest.copy(bytes, most);
    rest.remove_prefix(count);
    return count;
  };
  CsvReader reader(source, "", separator);
  std::size_t width = 0;
  int rows = 0, odd = 0;
  bool isOdd = false;
  for (CsvRow row; rows < kMostRows; ++rows, odd += isOdd) {
    const auto more = reader.next(row);
    if (more.ok() && *more) {
      if (rows == 0) width = row.size();
      isOdd = row.size() != width;
      continue;
    }
    // The last row of a part of the text may be cut, anywhere; in the whole of it a quote is never closed.
    if (whole && !more.ok()) ++rows, ++odd;
    if (!whole && more.ok() && isOdd) --rows, --odd;
    break;
  }
  if (width < 2 || (!whole && rows < 2) || 4 * odd > rows) return std::nullopt;
  return separator;
}

Result<std::vector<CsvRow>> parseCsv(std::string_view text, const std::string& path) {
  const auto source = [&text](char* bytes, std::size_t most) -> Result<std::size_t> {
    const std::size_t count = std::min(text.size(), most);
    std::memcpy(bytes, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
  CsvReader reader(source, path, ',');
  std::vector<CsvRow> rows;
  while (true) {
    CsvRow row;
    FATHOM_TRY(const bool more, reader.next(row));
    if (!more) return rows;
    rows.push_back(std::move(row));
  }
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

std::string csvText(const std::vector<CsvRow>& rows) {
  std::string text;
  for (const CsvRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + csvField(row[i]);
    text += "\n";
  }
  return text;
}

}  // namespace fathom
