// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json/json.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// Figure of a trainability report (core/analysis/training/trainability.h), by depth, a line per stack:
// output scale with what was predicted, β²_ii, and the gradient norm relative to the largest of the model. In
// the language of the window. A gradient of 0 and what is not a number leave a gap.
FigureSpec trainabilityFigure(const Json& report);

}  // namespace fathom
