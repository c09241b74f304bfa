// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/layer_curves.h"

#include <cmath>
#include <limits>

#include "views/figure/figure_colours.h"

namespace fathom {

namespace {
constexpr double kLightest = 0.88;    // of viridis: yellow is too light for thin lines
constexpr std::size_t kNamed = 6;     // legend entries
constexpr std::size_t kMarkers = 25;  // points that still have a marker
}  // namespace

FigureMark layerLine(std::size_t layer, std::size_t layers, std::vector<double> x, std::vector<double> y) {
  FigureMark mark;
  const double position =
      layers < 2 ? 0 : kLightest * static_cast<double>(layer) / static_cast<double>(layers - 1);
  mark.style.colour = mapColour(ColourMap::Viridis, position).name().toStdString();
  mark.style.marker = x.size() <= kMarkers ? MarkerShape::Disc : MarkerShape::None;
  const std::size_t every = (layers + kNamed - 1) / kNamed;
  if (layer % every == 0 || layer + 1 == layers) mark.label = "layer " + std::to_string(layer + 1);
  mark.shape = LineMark{std::move(x), std::move(y)};
  return mark;
}

int hideMissing(std::vector<double>& values, bool logarithmic) {
  int missing = 0;
  for (double& value : values) {
    if (std::isfinite(value) && (!logarithmic || value > 0)) continue;
    value = std::numeric_limits<double>::quiet_NaN();
    ++missing;
  }
  return missing;
}

}  // namespace fathom
