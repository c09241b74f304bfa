// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure/figure_layout.h"

namespace fathom {

// A legend has at most so many lines: of more marks with a label it names the first ones, and its last line
// says how many are left out. On screen and on paper.
inline constexpr std::size_t kMostLegendLines = 16;
struct LegendNames {
  std::vector<std::size_t> marks;  // of the panel, in its order
  std::size_t rest = 0;            // with a label, but without an entry
};
// Names in the legend of a panel, wherever it lies; empty for LegendPlace::None.
LegendNames legendNames(const FigurePanel& panel);

// Places the legend into the corner that holds no data; false if none of the four is free
// (LegendPlace::Inside: the emptiest is taken) or the legend needs more than 60 % of the width.
bool placeLegendInside(const FigurePanel& panel, const FigureStyle& style, const MarkCanvas& canvas,
                       PanelLayout& layout);
// Room of the legend of panel i where it lies below: the panel's slot, and the whole row where that takes
// more than two lines and no neighbour has one there; of a figure that flows the whole page. `below`: of
// every panel.
QRectF legendRoom(const FigureSpec& spec, const FigureStyle& style, const FigureLayout& layout,
                  const std::vector<bool>& below, std::size_t i);
// Places it there, below the labels of axes (already in layout.panels' texts) and ticks.
void placeLegendBelow(const FigureSpec& spec, const FigureStyle& style,
                      const std::vector<PanelRanges>& ranges, const std::vector<bool>& below, std::size_t i,
                      FigureLayout& layout);
// The height that takes; 0 without entries.
double legendHeight(const FigurePanel& panel, const FigureStyle& style, double width);

}  // namespace fathom
