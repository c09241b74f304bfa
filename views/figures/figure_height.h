// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/library/figure_recipe.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// Heights (mm) that figures choose themselves suit the letters of a paper: those of a slide get more room, up
// to a square page.
double heightFor(const FigureSpec& spec, const FigureStyle& style);
// The same for the figure of a recipe; a height that was asked for stays.
double heightFor(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style);

}  // namespace fathom
