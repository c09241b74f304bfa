// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "views/figure/figure_spec.h"

namespace fathom {

// A line for each layer of a stack: dark = low, light = high, as in the papers (viridis up to where it is
// still readable on white). Of many layers only some are named in the legend.
FigureMark layerLine(std::size_t layer, std::size_t layers, std::vector<double> x, std::vector<double> y);

// The key of the layers in a figure whose runs take `rows` rows of panels each: below everything, and below
// each run whose next one has other layers.
void addDepthLegends(FigureSpec& spec, std::size_t rows);

// Values that a line cannot show, for the caption: not numbers, and on a logarithmic axis nothing above 0.
// They are set to NaN.
int hideMissing(std::vector<double>& values, bool logarithmic);

// An axis of `count` sub-layers or layers, numbered from one: whole numbers, half a step of room at both
// ends.
void numberPlaces(FigureAxis& axis, std::size_t count);

}  // namespace fathom
