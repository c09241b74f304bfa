// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/review/gold_options.h"
#include "core/review/review_kind.h"

namespace fathom {

// A table of texts with one right answer a row, as GLUE's tasks ship it.
struct GoldTable {
  struct Row {
    std::string id;
    std::vector<std::string> texts;
    std::string label;
    std::int64_t line = 0;
    std::int64_t place = 0;  // among the rows of the file, from 0 (ReviewExample::place)
  };
  std::vector<ReviewText> texts;
  std::vector<Row> rows;
  BadGold bad;
  std::int64_t records = 0;  // ReviewGold::records
  std::vector<Phrase> notes;
};

// Tabs, no quoting, empty lines passed over; with a heading whose names tell the columns (GLUE's tasks), or
// CoLA's four columns, or texts with the label last. Or JSON lines with a member "label". Or a prediction set
// of this program, whose lines hold texts and reference. Options label_column and text_columns (names or
// numbers from 0, commas between) decide instead. Data errors name file, line and value: rows with too few or
// too many cells (QQP's short rows are counted), no column of labels.
Result<GoldTable> readGoldTable(const ReviewSources& sources);
// The options that readGoldTable() reads, for the entry of a kind.
std::vector<ReviewOption> goldTableOptions();

}  // namespace fathom
