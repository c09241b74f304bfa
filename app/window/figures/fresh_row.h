// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/library/figures/figure_composition.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// A figure has no room in a column that is narrower, in mm.
inline constexpr double kLeastColumnMm = 60;

// Width of a column of the page, and how many a page of this width has room for, at least one.
double columnWidthMm(const FigureComposition& page, const FigureStyle& style);
int columnsThatFit(const FigureComposition& page, const FigureStyle& style);

// The page with the panel `fresh`, which nobody gave a place, where it stands well: beside figures of about
// its height, else below all others, as wide as they are together; on a page that would get too high for its
// style by that, wherever it stays lowest. std::nullopt where it stands there, or there is no room. `figures`
// are those of the page's panels, in order.
std::optional<FigureComposition> withFreshRow(const FigureComposition& page,
                                              const std::vector<FigureSpec>& figures,
                                              const FigureStyle& style, int fresh);

}  // namespace fathom
