// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

#include "views/figure/mark_painter.h"

class QPainter;

namespace fathom {

// The part of the line in the area, cut by hand: Qt writes no clips into SVG, and plots of a grid have frames
// of their own.
DrawnLine clippedLine(const DrawnLine& line, const QRectF& area);
// An area of several parts has edges along the border between them, which fill nothing.
QPolygonF clippedOutline(const QPolygonF& outline, const QRectF& area);

// Fills with the painter's brush and strokes with its pen; where something was cut off there is no stroke.
void paintOutlineInside(QPainter& painter, const QPolygonF& outline, const QRectF& area);
void paintLineInside(QPainter& painter, const QPointF& from, const QPointF& to, const QRectF& area);
// Filled with the painter's brush.
void paintDiscInside(QPainter& painter, const QPointF& middle, double size, const QRectF& area);

}  // namespace fathom
