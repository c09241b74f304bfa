// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// The figure with lines and points of its legends told apart by dashes and marks where a print without colour
// would not (figure_checks.h); in every panel the same look for the same thing. Those that are apart already
// stay as they are.
FigureSpec withDashes(FigureSpec spec, const FigureStyle& style);
// True if that changes something.
bool dashesWouldHelp(const FigureSpec& spec, const FigureStyle& style);

}  // namespace fathom
