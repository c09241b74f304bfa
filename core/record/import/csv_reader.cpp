// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/csv_reader.h"

#include <algorithm>

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

bool validUtf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
    }
    const auto second = static_cast<unsigned char>(text[i + 1]);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool outside = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    if (overlong || outside) return false;
    i += length;
  }
  return true;
}

Result<std::unique_ptr<CsvReader>> CsvReader::open(const std::string& path) {
  FATHOM_TRY(auto in, PackedReader::open(path));
  std::unique_ptr<CsvReader> reader(new CsvReader(std::move(in), path));
  reader->m_buffer.resize(kCsvBufferBytes);
  FATHOM_TRY(reader->m_filled, reader->m_in->read(reader->m_buffer.data(), kCsvBufferBytes));
  const std::string_view head(reader->m_buffer.data(), reader->m_filled);
  if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF"))
    return dataErrorAt(path, 1, Phrase::tr("the file is UTF-16"),
                       Phrase::tr("convert it to UTF-8, for instance with iconv"));
  if (head.starts_with("\xEF\xBB\xBF")) reader->m_at = reader->m_offset = 3;
  reader->m_separator = likelySeparator(head.substr(reader->m_at));
  return reader;
}

Error CsvReader::failure(const Phrase& what) const {
  return dataErrorAt(m_path, m_rowLine, what, Phrase::tr("byte %1")(m_offset));
}

Result<int> CsvReader::byte() {
  if (m_at == m_filled) {
    FATHOM_TRY(m_filled, m_in->read(m_buffer.data(), m_buffer.size()));
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
      quoted = true;
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
  while (true) {
    FATHOM_TRY(const bool more, row(fields));
    if (!more) return false;
    if (fields.size() > 1 || !fields.front().empty()) return true;
  }
}

}  // namespace fathom
