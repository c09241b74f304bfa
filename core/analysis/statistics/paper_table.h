// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/statistics/seed_summary.h"

namespace fathom {

// A table for a paper; written by views/files/latex_table.h. Texts are markup (figure_text.h).
struct TableColumn {
  std::string header;
  int decimals = 2;
  enum class Best { None, Highest, Lowest } best = Best::None;  // printed bold
};
// A text, a number (NaN: "--"), or a summary over seeds: "27.31 \pm .12", "failed 2/5" added where runs
// failed.
using TableCell = std::variant<std::string, double, SeedSummary>;
struct PaperTable {
  std::string caption, label;  // both optional
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;
};

// Plain text as markup.
std::string markupOf(const std::string& plain);
// The number of a cell, or the mean of its summary; nothing for a text and what is not finite.
std::optional<double> cellValue(const TableCell& cell);
// With so many digits after the point, in the C locale.
std::string fixedText(double value, int decimals);
// A p-value with two significant digits: "0.031", and below 0.001 "2.3 × 10<sup>−5</sup>".
std::string probabilityMarkup(double p);
// Print of the best cells of a column, by which cells are compared: equal prints are equally good. Empty for
// a column without a best.
std::optional<std::string> bestPrint(const PaperTable& table, std::size_t column);

}  // namespace fathom
