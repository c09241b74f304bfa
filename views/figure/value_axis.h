// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <vector>

#include "views/figure/figure_layout.h"

namespace fathom {

// The axis of the values inside the cells of a grid: all rows share one range, so the scale stands once, on
// the right of the panel, with a bar beside every row.
struct ValueAxis {
  std::vector<QLineF> lines;      // bars and ticks
  std::vector<PlacedText> texts;  // numbers, at every row that has room for them
};

// The grid whose values have an axis; null = none.
const GridMark* gridWithAxis(const FigurePanel& panel);
// From the right edge of the plot to the end of the numbers, in units; 0 = no axis.
double valueAxisWidth(const FigurePanel& panel, const FigureStyle& style);
ValueAxis placeValueAxis(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                         const PanelRanges& ranges);

}  // namespace fathom
