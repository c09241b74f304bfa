// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_height.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/figure/figure_arrangement.h"

namespace fathom {

double heightFor(const FigureSpec& spec, const FigureStyle& style) {
  constexpr double kPaperPoints = 8, kLarge = 1.25;
  const double larger = style.labelPoints / kPaperPoints;
  if (spec.heightMm <= 0 || larger < kLarge) return spec.heightMm;
  const double width = spec.widthMm > 0 ? spec.widthMm : style.widthMm;
  return std::max(spec.heightMm, std::min(spec.heightMm * larger, width));
}

namespace {

constexpr double kHairMm = 1;

bool chosen(const FigureRecipe& recipe, const char* size) {
  const auto found = recipe.options.find(size);
  return found != recipe.options.end() && found->is_number() && found->get<double>() > 0;
}

bool heightChosen(const FigureRecipe& recipe) {
  return chosen(recipe, "height");
}

}  // namespace

double heightFor(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style) {
  return heightChosen(recipe) ? spec.heightMm : heightFor(spec, style);
}

FigureSpec figureForPage(const FigureRecipe& recipe, FigureSpec spec, const FigureStyle& style) {
  spec.heightMm = heightFor(recipe, spec, style);
  return arrangedFigure(std::move(spec), style, heightChosen(recipe));
}

FigureSpec figureAlone(const FigureRecipe& recipe, FigureSpec spec, const FigureStyle& style) {
  if (style.pageHeightMm <= 0 || heightChosen(recipe) || chosen(recipe, "width"))
    return figureForPage(recipe, std::move(spec), style);
  spec.widthMm = style.widthOfPage();
  FigureSpec drawn = figureForPage(recipe, std::move(spec), style);
  if (figureSize(drawn, style).heightMm <= style.pageHeightMm + kHairMm) drawn.heightMm = style.pageHeightMm;
  return drawn;
}

Status checkOnSlide(const FigureRecipe& recipe, const FigureSpec& spec, const FigureStyle& style) {
  const double height = figureSize(spec, style).heightMm;
  if (style.id != QLatin1String("slide") || heightChosen(recipe) || height <= style.mostHeightMm + kHairMm)
    return {};
  return dataError(Phrase::tr("the figure needs %1 mm of height, a slide has %2")(
                       std::to_string(std::lround(height)), std::to_string(std::lround(style.mostHeightMm))),
                   Phrase::tr("draw fewer runs or parts of them, choose a style of a paper, or name a height "
                              "with --set height=MM"));
}

}  // namespace fathom
