// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/library/figures/figure_composition.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

namespace fathom {

// A figure that was put beside others of another height would be stretched, or stretch them: the page with
// the panel `fresh` below all others, as wide as they are together. std::nullopt where it stands well, or
// there is no room. `figures` are those of the page's panels, in order.
std::optional<FigureComposition> withFreshRow(const FigureComposition& page,
                                              const std::vector<FigureSpec>& figures,
                                              const FigureStyle& style, int fresh);

}  // namespace fathom
