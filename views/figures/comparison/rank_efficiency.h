// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/figure/figure_spec.h"

namespace fathom {

// Parts of figures of predicted efficiency against the number of processes: axes with a rule at 80 %, and a
// line over 1, 2, 4, … 512 of them. Efficiencies from 0 to 1.
FigurePanel rankEfficiencyPanel();
FigureMark rankEfficiencyLine(const std::vector<double>& ranks, const std::vector<double>& efficiencies);

}  // namespace fathom
