// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/library/figures/figure_texts.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// The figure in the words of its recipe.
FigureSpec withOwnTexts(FigureSpec spec, const FigureTexts& texts);
// Everything that the figure says and `texts` could say otherwise, once each.
std::vector<std::string> textsOf(const FigureSpec& spec);

}  // namespace fathom
