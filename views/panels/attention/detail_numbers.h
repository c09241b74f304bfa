// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_spec.h"
#include "views/tables/paper/paper_table_model.h"

namespace fathom {

// The numbers of a place of a figure, a row for each run: quartiles and median of its violins and boxes. No
// rows where the figure has none of these.
PaperTable detailNumbers(const FigureSpec& detail);

}  // namespace fathom
