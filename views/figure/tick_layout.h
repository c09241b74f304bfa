// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <vector>

#include "views/figure/figure_layout.h"

namespace fathom {

// Frame around the marks of a panel, in units of the page: rules at the ticks, behind the marks; axes with
// their ticks in front of them. An axis lies on the border of the area, where bars begin.
struct FrameLines {
  std::vector<QLineF> rules, axes;
};
FrameLines frameLines(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                      const PanelRanges& ranges);

}  // namespace fathom
