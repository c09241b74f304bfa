// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/library/figures/figure_composition.h"
#include "views/figure/figure_page.h"
#include "views/files/figure_export.h"

namespace fathom {

// The style a stored composition names, with its typeface and size of text. Usage error for an unknown style.
Result<FigureStyle> compositionStyle(const FigureComposition& composition);
// Its page in that style; `specs` are the figures of its panels, in their order. Heights that they choose
// themselves grow with the letters as they do in a figure of its own (figure_height.h).
FigurePage compositionPage(const FigureComposition& composition, std::vector<FigureSpec> specs,
                           const FigureStyle& style);
// Builds and writes the page and, as <stem>.csv beside, its numbers; a path that ends in .csv gets nothing
// else. The same composition and data give the same bytes.
Status exportCompositionPage(const FigureComposition& composition, std::vector<FigureSpec> specs,
                             const std::string& path, FigureChecks* found = nullptr);
// The date that goes into files: `created`, ISO 8601.
ExportOptions exportOptionsAt(const std::string& created, FigureChecks* found = nullptr);

// Two recipes with one key draw the same figure.
std::string recipeKey(const FigureRecipe& recipe);

}  // namespace fathom
