// SPDX-License-Identifier: Apache-2.0
#include "core/imports/preview/table_columns.h"

#include "core/base/text/csv.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/imports/csv_columns.h"
#include "core/imports/grown_file.h"

namespace fathom {

namespace {

constexpr std::size_t kLookedAt = std::size_t{64} << 10;
constexpr int kRowsLookedAt = 20;
constexpr std::size_t kLongestExample = 200;

// The beginning as UTF-8, up to the end of its last whole row where there is more behind it.
Result<std::string> beginningOf(const std::string& path) {
  GrownFile file(path);
  FATHOM_TRY(std::string bytes, file.more(kLookedAt));
  const bool all = bytes.size() < kLookedAt;
  const bool wide = bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
  if (wide) bytes.resize(bytes.size() / 2 * 2);
  std::string text = wide ? decodedText(std::move(bytes)) : std::move(bytes);
  if (!all) text.resize(wholeRows(text, separatorOf(text)));
  return validUtf8(text) ? text : latin1Decoded(text);
}

}  // namespace

Result<std::vector<SourceColumn>> tableColumns(const std::string& path, const ImportOptions& options) {
  FATHOM_TRY(const std::string text, beginningOf(path));
  std::size_t at = 0;
  CsvReader reader(
      [&](char* to, std::size_t most) -> Result<std::size_t> {
        const std::size_t count = std::string_view(text).substr(at).copy(to, most);
        at += count;
        return count;
      },
      path, separatorOf(text));
  CsvRow header, row;
  std::vector<SourceColumn> columns;
  FATHOM_TRY(const bool any, reader.next(header));
  if (!any) return columns;
  FATHOM_TRY(const CsvColumns table, namedColumns(header, options, path));
  if (table.chart) return columns;
  for (std::size_t i = 0; i < header.size(); ++i)
    columns.push_back({header[i], {}, columnUse(table.columns[i])});
  for (int rows = 0; rows < kRowsLookedAt; ++rows) {
    FATHOM_TRY(const bool more, reader.next(row));
    if (!more) break;
    for (std::size_t i = 0; i < columns.size() && i < row.size(); ++i)
      if (columns[i].example.empty()) columns[i].example = trimmed(row[i]).substr(0, kLongestExample);
  }
  return columns;
}

}  // namespace fathom
