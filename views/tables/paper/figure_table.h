// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_spec.h"
#include "views/files/latex_table.h"

namespace fathom {

// The numbers of a figure as a table, for "show as table": maps and small multiples as rows of (panel, row,
// column, value), curves, points and bars as (panel, series, x, y), violins and boxes by their quartiles.
// Marks without numbers of their own (rules, texts, shapes, pictures) are left out.
PaperTable tableOfFigure(const FigureSpec& spec);

}  // namespace fathom
