// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_height.h"

#include <algorithm>

namespace fathom {

double heightFor(const FigureSpec& spec, const FigureStyle& style) {
  constexpr double kPaperPoints = 8, kLarge = 1.25;
  const double larger = style.labelPoints / kPaperPoints;
  if (spec.heightMm <= 0 || larger < kLarge) return spec.heightMm;
  const double width = spec.widthMm > 0 ? spec.widthMm : style.widthMm;
  return std::max(spec.heightMm, std::min(spec.heightMm * larger, width));
}

double heightFor(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style) {
  const auto found = recipe.options.find("height");
  const bool chosen = found != recipe.options.end() && found->is_number() && found->get<double>() > 0;
  return chosen ? spec.heightMm : heightFor(spec, style);
}

}  // namespace fathom
