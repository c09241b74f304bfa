// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/analysis/statistics/paper_table.h"
#include "core/base/errors/result.h"

namespace fathom {

// LaTeX, CSV (RFC 4180, mean and deviation as columns of their own) and Markdown. A data error if a row has
// another number of cells than there are columns. For LaTeX a table of more than 100 rows is one of several
// pages (longtable, which its head names).
Result<std::string> latexTable(const PaperTable& table);
Result<std::string> csvTable(const PaperTable& table);
Result<std::string> markdownTable(const PaperTable& table);
// By the ending of the file's name: .csv, .md, else LaTeX.
Result<std::string> tableForFile(const PaperTable& table, std::string_view file);

}  // namespace fathom
