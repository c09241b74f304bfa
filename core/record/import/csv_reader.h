// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/compressed_file.h"

namespace fathom {

// Rows of a CSV file (RFC 4180; comma, semicolon or tab, told from the first line; LF, CRLF or CR; an
// optional BOM; packed or not), streamed. Caps (docs/reliability.md §5): a row up to 2 MB, a field up to 1
// MB, 4,096 columns. Data errors name file, line and byte: NUL bytes, invalid UTF-8, a quote that is never
// closed.
class CsvReader {
 public:
  static Result<std::unique_ptr<CsvReader>> open(const std::string& path);
  // The next row; false at the end. Empty lines are passed over.
  Result<bool> next(std::vector<std::string>& fields);
  // Of the row that next() gave, 1-based.
  std::int64_t line() const { return m_rowLine; }
  std::uint64_t packedBytes() const { return m_in->packedBytes(); }

 private:
  CsvReader(std::unique_ptr<PackedReader> in, std::string path)
      : m_in(std::move(in)), m_path(std::move(path)) {}
  Result<int> byte();  // -1 at the end
  Result<bool> row(std::vector<std::string>& fields);
  Status closeField(std::vector<std::string>& fields);
  Error failure(const Phrase& what) const;
  std::unique_ptr<PackedReader> m_in;
  std::string m_path, m_buffer, m_field;
  std::size_t m_at = 0, m_filled = 0, m_rowBytes = 0;
  std::int64_t m_line = 1, m_rowLine = 0;
  std::uint64_t m_offset = 0;
  char m_separator = ',';
};

// True when the bytes are UTF-8 without surrogates and overlong forms.
bool validUtf8(std::string_view text);

}  // namespace fathom
