// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "views/figure/figure_spec.h"

namespace fathom {

// The first line of every such table.
inline constexpr const char* kFigureCsvHead =
    "panel,title,mark,kind,series,cell_row,cell_column,x,y,x_end,y_end,value,low,high\n";

// The numbers of a figure as a table (RFC 4180), one line per point, cell, bar or grid value of any mark.
// Columns: panel (from 1), title, mark (from 1), kind, series, cell_row, cell_column, x, y, x_end, y_end,
// value, low, high; what a kind does not have stays empty. Positions on category axes are their names.
// violin: x position, y value, value density; a second kind violin_quartiles has value median. bars: value
// height, low and high the ends of the error bar. cells: x column, y row. Numbers are the shortest that read
// back the same.
std::string figureCsv(const FigureSpec& spec);

}  // namespace fathom
