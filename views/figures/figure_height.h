// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errors/result.h"
#include "core/library/figures/figure_recipe.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// Heights (mm) that figures choose themselves suit the letters of a paper: those of a slide get more room, up
// to a square page.
double heightFor(const FigureSpec& spec, const FigureStyle& style);
// The same for the figure of a recipe; a height that was asked for stays.
double heightFor(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style);
// The same with its panels where the style has room for them (figure_arrangement.h).
FigureSpec figureForPage(const FigureRecipe& recipe, FigureSpec spec, const FigureStyle& style);
// A figure in a file of its own: where the style has whole pages (a slide, 16 : 9) it is one, unless a width
// or height was asked for; one that needs more height than the page keeps it.
FigureSpec figureAlone(const FigureRecipe& recipe, FigureSpec spec, const FigureStyle& style);
// Data error where it is higher than a slide, which nobody can scroll; a paper's editor may still cut a
// figure in two. A height that was asked for is never refused.
Status checkOnSlide(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style);

}  // namespace fathom
