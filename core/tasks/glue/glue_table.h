// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"
#include "core/base/lines/line_reader.h"
#include "core/tasks/glue/glue_rules.h"
#include "core/tasks/task.h"
#include "core/tasks/text_column.h"

namespace fathom {

// Separator of the cells of a table.
enum class TableForm {
  Auto,  // as its first lines look
  Tab,   // tabs, cells as they stand
  Csv    // quotes as in CSV, with commas, semicolons or tabs, whichever the first line has most of
};
inline constexpr EnumWord<TableForm> kTableForms[] = {{TableForm::Auto, "auto", "As the first lines look"},
                                                      {TableForm::Tab, "tab", "Tabs, no quotes"},
                                                      {TableForm::Csv, "csv", "CSV with quotes"}};

// Settings for reading a table, beside its rule.
struct GlueReading {
  TableForm form = TableForm::Tab;
  GlueColumns columns;
  std::string firstName, secondName, labelName;  // headings of columns, or their numbers from 0; "" = columns
  std::vector<std::string> labels;               // known ones; empty and not a number: they are collected
  bool number = false, skipsShortRows = false, skipsBadLines = false;
  std::int64_t maxLineBytes = LineReader::kDefaultLineBytes;
  bool labelled() const { return columns.label != kNoColumn || !labelName.empty(); }
};

// Rows of a table (docs/fine_tuning.md §3); empty lines are passed over.
struct GlueTable {
  TextColumn first, second;
  std::vector<double> labels;        // place of the class, or the number; empty: the file has none
  std::vector<std::string> classes;  // what the places stand for; of a number empty
  std::vector<std::int64_t> lines;   // of each row, from 1
  std::vector<std::int64_t> rows;    // of each row, its place among those of the file, from 0
  std::int64_t fileRows = 0;         // of the file, with those passed over
  std::vector<std::int64_t> shortLines, badLines;  // passed over
  std::int64_t oddRows = 0;                        // more or fewer cells than the first line
  std::int64_t emptyTexts = 0;                     // rows with a text of blanks
  // Rows whose first, second text begins and ends with a quote that is read as part of it.
  std::int64_t quotedFirst = 0, quotedSecond = 0;
  bool csv = false;  // read with quotes
  bool pairs = false;
  DataHash hash;
  std::int64_t size() const { return first.size(); }
};

// Data errors name file, line and value: a missing cell or column, an unknown label, what is no number, bytes
// that are no text.
Result<GlueTable> readGlueTable(const std::string& path, const GlueReading& reading, const TaskSetup& setup);

}  // namespace fathom
