// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_spec.h"

namespace fathom {

// The figure with its axis labels, words at axes, panel titles, colour bars and legend entries in the
// language of the window. For the screen only: a figure that is exported stays in English, the language of
// the papers.
FigureSpec inWindowLanguage(FigureSpec spec);

}  // namespace fathom
