// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

using CsvRow = std::vector<std::string>;

// Rows of CSV (RFC 4180; LF, CRLF or CR; an optional BOM), streamed. Caps (docs/reliability.md §5): a row up
// to 2 MB, a field up to 1 MB, 4,096 columns. Data errors name file, line and byte: UTF-16, NUL bytes,
// invalid UTF-8, a quote that is never closed.
class CsvReader {
 public:
  // Gives the next bytes, up to `most` of them; 0 at the end.
  using Source = std::function<Result<std::size_t>(char* bytes, std::size_t most)>;
  // Comma, semicolon or tab, whichever is most frequent in the first line.
  static constexpr char kGuessSeparator = '\0';
  CsvReader(Source source, std::string path, char separator = kGuessSeparator);
  // The next row; false at the end. Empty lines are passed over.
  Result<bool> next(CsvRow& fields);
  // Line of the row that next() gave, 1-based.
  std::int64_t line() const { return m_rowLine; }

 private:
  Status begin();
  Result<int> byte();  // -1 at the end
  Result<bool> row(CsvRow& fields);
  Status closeField(CsvRow& fields);
  Error failure(const Phrase& what) const;
  Source m_source;
  std::string m_path, m_buffer, m_field;
  std::size_t m_at = 0, m_filled = 0, m_rowBytes = 0;
  std::int64_t m_line = 1, m_rowLine = 0;
  std::uint64_t m_offset = 0;
  char m_separator;
  bool m_rowQuoted = false;  // an empty line is none, a pair of quotes is a field
};

// The separator (comma or semicolon) where the text begins like a table of that form: no tab in its first
// line, which has two fields or more, and as many in three of four of its first rows: an odd one among them
// is a fault of the table. Nothing otherwise.
std::optional<char> csvSeparator(std::string_view head);

// All rows of a text with commas.
Result<std::vector<CsvRow>> parseCsv(std::string_view text, const std::string& path);

// A field for CSV output, quoted when needed, and whole rows.
std::string csvField(std::string_view text);
std::string csvText(const std::vector<CsvRow>& rows);

}  // namespace fathom
