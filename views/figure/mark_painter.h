// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "views/figure/axis_scale.h"
#include "views/figure/figure_spec.h"
#include "views/figure/figure_style.h"

class QPainter;

namespace fathom {

// Place and style of a painted mark: the plot area in painter units (96 per inch), the ranges of both axes.
struct MarkCanvas {
  AxisMap x, y;
  AxisRange rangeX, rangeY;
  bool reversedX = false, reversedY = false;
  QRectF area;
  bool vector = false;    // PDF, SVG: real paths; else the fast raster way
  bool outlines = false;  // texts as paths
  double scale = 1;       // device pixels per unit
  const FigureStyle* style = nullptr;

  double pixelX(double value) const {
    const double share = (x.toUnit(value) - rangeX.low) / rangeX.size();
    return area.left() + (reversedX ? 1 - share : share) * area.width();
  }
  double pixelY(double value) const {
    const double share = (y.toUnit(value) - rangeY.low) / rangeY.size();
    return area.bottom() - (reversedY ? 1 - share : share) * area.height();
  }
  QPointF pixel(double valueX, double valueY) const { return {pixelX(valueX), pixelY(valueY)}; }
  double units(double points) const { return points * 96.0 / 72.0; }
};

// Paints one mark; nothing of it reaches out of the area but markers, which are painted whole. Colours that
// the style does not know are drawn in its text colour.
void paintMark(QPainter& painter, const FigureMark& mark, const MarkCanvas& canvas);
// Text of a mark at its place; std::nullopt where its place is not on the axes.
std::optional<PlacedText> placeText(const TextMark& mark, const MarkStyle& style, const MarkCanvas& canvas);
// The numbers of cells that print them and have room for them.
std::vector<PlacedText> cellNumbers(const CellsMark& cells, const MarkCanvas& canvas);
// True if the mark's sample in a legend is a filled box, else a line or a marker.
bool sampleIsArea(const FigureMark& mark);
// The mark's sample in a legend.
void paintSample(QPainter& painter, const FigureMark& mark, const MarkCanvas& canvas, const QRectF& box);

// A line as it is drawn: pieces between non-finite points, reduced to minimum and maximum per column where
// there are more than 1.5 points per column; nothing outside the area is kept but the next neighbours.
struct DrawnLine {
  std::vector<std::vector<QPointF>> pieces;
  // Columns whose extent is more than a pixel (reduced lines on screen only): x, top, bottom.
  std::vector<QRectF> columns;
};
DrawnLine drawnLine(const std::vector<double>& x, const std::vector<double>& y, const MarkCanvas& canvas);

// Strokes what drawnLine gave.
void strokeLine(QPainter& painter, const DrawnLine& line, const MarkStyle& style, const MarkCanvas& canvas);
// In multiples of the width; empty = solid.
std::vector<double> dashPattern(LineDash dash);

// Stroke of a mark: its colour mixed with the background for opacity below 1, so that overlapping segments do
// not show; widths in painter units.
QPen markPen(const MarkStyle& style, const MarkCanvas& canvas);
QColor markColour(const MarkStyle& style, const MarkCanvas& canvas);
QBrush markBrush(const MarkStyle& style, const MarkCanvas& canvas);
void paintMarker(QPainter& painter, MarkerShape shape, const QPointF& at, double size);

// Marks that fill areas (mark_areas.cpp) and small multiples (mark_grid.cpp).
// `asImage`: one of many maps, not worth a path a cell.
void paintCells(QPainter& painter, const CellsMark& cells, const MarkCanvas& canvas, bool asImage = false);
void paintViolin(QPainter& painter, const ViolinMark& violin, const MarkStyle& style,
                 const MarkCanvas& canvas);
void paintBox(QPainter& painter, const BoxMark& box, const MarkStyle& style, const MarkCanvas& canvas);
void paintBars(QPainter& painter, const BarsMark& bars, const MarkStyle& style, const MarkCanvas& canvas);
void paintImage(QPainter& painter, const ImageMark& image, const MarkCanvas& canvas);
// More cells than are worth a path each: drawn as a picture.
bool rasterCells(const CellsMark& cells);
bool rasterGrid(const GridMark& grid);
// Thresholds on the axis of the cells' values: another one would be drawn into the row above or below.
std::vector<double> shownThresholds(const GridMark& grid);
void paintGrid(QPainter& painter, const GridMark& grid, const MarkStyle& style, const MarkCanvas& canvas);

// Colour range of a map: its own limits or the finite values, symmetric about `centre` where set.
struct CellRange {
  double minimum = 0, maximum = 1;
  int missing = 0;
  double share(double value) const { return (value - minimum) / (maximum - minimum); }
};
CellRange cellRange(const CellsMark& cells);

}  // namespace fathom
