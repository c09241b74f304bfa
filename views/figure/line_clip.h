// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "views/figure/mark_painter.h"

namespace fathom {

// What of the line lies in the area: Qt writes no clips into SVG.
DrawnLine clippedLine(const DrawnLine& line, const QRectF& area);

}  // namespace fathom
