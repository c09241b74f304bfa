// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/imports/imported_run.h"

namespace fathom {

// How cells of a table are written.
struct CellDialect {
  bool decimalComma = false;
  bool nanIsMissing = false;  // tables of W&B's history: what was not logged in a row
};
// Nothing for an empty cell ("", NA, null, ...); NaN and infinities are numbers. A data error for any other
// text.
Result<std::optional<double>> cellNumber(std::string_view text, const CellDialect& dialect);
// The same of a time: a date is seconds since 1970, and so are milliseconds.
Result<std::optional<double>> cellTime(std::string_view text, const CellDialect& dialect);

// What a column of a table is, by its name.
enum class CsvRole { Data, Skipped, Step, Time, Epoch, Tokens, Run, RunName, Metric, Value };
struct CsvColumn {
  CsvRole role = CsvRole::Data;
  std::string metric;  // of Data
  std::string option;  // of Data: what it is called as an option, "" = it is no option by its name
  std::string run;     // of Data in a chart export: whose it is; of Step too
  bool said = false;   // by a person (ImportOptions::columns), and not by its name
};
// The words that people say what a column is in, as the shell has them.
inline constexpr std::array kColumnUses = {"metric", "option",   "run",  "step",  "time",   "epoch",
                                           "tokens", "run_name", "name", "value", "skipped"};
// The word for what it is.
std::string columnUse(const CsvColumn& column);
struct CsvColumns {
  std::vector<CsvColumn> columns;
  bool longForm = false;   // a row is one value of one metric
  bool chart = false;      // W&B's chart export: "RUN - METRIC", with __MIN and __MAX
  bool countRows = false;  // no column tells the step
  std::string title;       // of a table with one metric whose file says whose it is
  CellDialect dialect;
  int place(CsvRole role) const;
};
// By the header; `path` tells tag and run of TensorBoard's downloads. Errors name the columns there are.
Result<CsvColumns> columnsOf(const std::vector<std::string>& header, const ImportOptions& options,
                             const std::string& path);
// The same of a table in which nothing may tell the step.
Result<CsvColumns> namedColumns(const std::vector<std::string>& header, const ImportOptions& options,
                                const std::string& path);
// "run_exp1-tag-loss.csv": run and tag of a file that TensorBoard's page gave; nothing for another name.
std::optional<std::pair<std::string, std::string>> downloadNames(const std::string& path);
// Comma, semicolon or tab, whichever is most frequent in the first line.
char separatorOf(std::string_view text);
// The end of the last row that is whole: a line break outside of quotes. As CsvReader has it, a quote opens
// at the beginning of a field alone.
std::size_t wholeRows(std::string_view text, char separator);
// True if a comma in a number stands before its fraction: in tables with semicolons; in those with tabs,
// where one of its first numbers can be read in no other way ("0,25", not "1,234") and none has a point.
bool hasDecimalComma(std::string_view text, char separator);

}  // namespace fathom
