// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/layer_curves.h"

#include <cmath>
#include <limits>

#include "views/figure/figure_colours.h"

namespace fathom {

namespace {
constexpr double kLightest = 0.88;       // of viridis: yellow is too light for thin lines
constexpr std::size_t kMostNumbers = 8;  // along an axis of places
constexpr std::size_t kNamed = 6;        // legend entries
constexpr std::size_t kMarkers = 25;     // points that still have a marker
}  // namespace

FigureMark layerLine(std::size_t layer, std::size_t layers, std::vector<double> x, std::vector<double> y) {
  FigureMark mark;
  const double position =
      layers < 2 ? 0 : kLightest * static_cast<double>(layer) / static_cast<double>(layers - 1);
  mark.style.colour = mapColour(ColourMap::Viridis, position).name().toStdString();
  mark.style.marker = x.size() <= kMarkers ? MarkerShape::Disc : MarkerShape::None;
  const std::size_t every = (layers + kNamed - 1) / kNamed;
  if (layer % every == 0 || layer + 1 == layers) mark.label = Phrase::tr("layer %1")(layer + 1);
  mark.shape = LineMark{std::move(x), std::move(y)};
  return mark;
}

void addDepthLegends(FigureSpec& spec, std::size_t rows) {
  std::vector<FigurePanel*> lowest;  // of each run, the first panel of its last row that has lines
  for (FigurePanel& panel : spec.panels) {
    const bool last = static_cast<std::size_t>(panel.row) % rows == rows - 1;
    if (last && !panel.marks.empty() && (lowest.empty() || lowest.back()->row != panel.row))
      lowest.push_back(&panel);
  }
  for (std::size_t i = 0; i < lowest.size(); ++i)
    if (i + 1 == lowest.size() || lowest[i]->marks.size() != lowest[i + 1]->marks.size())
      lowest[i]->legend = LegendPlace::Below;
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

void numberPlaces(FigureAxis& axis, std::size_t count) {
  if (count == 0) return;
  axis.minimum = 0.5;
  axis.maximum = static_cast<double>(count) + 0.5;
  std::size_t every = 1;
  for (const std::size_t step : {2, 5, 10, 20, 50, 100})
    if (count > kMostNumbers * every) every = step;
  axis.ticks.clear();
  for (std::size_t place = every; place <= count; place += every)
    axis.ticks.push_back(static_cast<double>(place));
}

}  // namespace fathom
