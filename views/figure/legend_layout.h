// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_layout.h"

namespace fathom {

// Places the legend into the corner that holds no data; false if none of the four is free
// (LegendPlace::Inside: the emptiest is taken) or the legend needs more than 60 % of the width.
bool placeLegendInside(const FigurePanel& panel, const FigureStyle& style, const MarkCanvas& canvas,
                       PanelLayout& layout);
// Places it below the axis label (already in layout.texts) and the tick labels, in lines as wide as the slot.
void placeLegendBelow(const FigurePanel& panel, const FigureStyle& style,
                      const std::vector<PlacedText>& ticks, PanelLayout& layout);
// The height that takes; 0 without entries.
double legendHeight(const FigurePanel& panel, const FigureStyle& style, double width);

}  // namespace fathom
