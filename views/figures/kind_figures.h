// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/figures/figure_entry.h"

namespace fathom {

// Figures that only a review of some kinds has; those of any review are in figures(). Made of
// kind_figures.list.
const std::vector<FigureEntry>& kindFigures();

}  // namespace fathom
