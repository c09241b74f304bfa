// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/analysis/seed_summary.h"
#include "core/base/result.h"

namespace fathom {

// A table for a paper (booktabs). Texts are markup (figure_text.h).
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

// LaTeX, CSV (RFC 4180, mean and deviation as columns of their own) and Markdown. A data error if a row has
// another number of cells than there are columns.
Result<std::string> latexTable(const PaperTable& table);
Result<std::string> csvTable(const PaperTable& table);
Result<std::string> markdownTable(const PaperTable& table);

}  // namespace fathom
