// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/events/system_samples.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// Charts of a run's load over time, in reading order in `columns` columns and in the language of the window:
// what our programs write in charts that belong together, values that others name otherwise in one each.
// `neededBytes`: estimated memory, drawn into the chart of memory; 0 = not known.
FigureSpec systemFigure(const RunSystem& system, std::int64_t neededBytes, int columns);

}  // namespace fathom
