// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/figure/line_clip.h"
#include "views/figure/mark_painter.h"

namespace fathom {

namespace {

constexpr std::size_t kVectorValues = 64 * 64;  // more in all maps together: each map is an image

struct CellFrame {
  QRectF box;
  double minimum, maximum;
  double valueY(double value) const {
    return box.bottom() - (value - minimum) / (maximum - minimum) * box.height();
  }
};

void paintViolinCell(QPainter& painter, const GridCell& cell, const CellFrame& frame, const QColor& colour,
                     const MarkCanvas& canvas) {
  const auto highest = std::max_element(cell.y.begin(), cell.y.end());
  if (highest != cell.y.end() && *highest > 0) {
    QPolygonF outline;
    const double half = frame.box.width() / 2 / *highest, centre = frame.box.center().x();
    for (std::size_t i = 0; i < cell.x.size(); ++i)
      outline << QPointF(centre + half * cell.y[i], frame.valueY(cell.x[i]));
    for (std::size_t i = cell.x.size(); i-- > 0;)
      outline << QPointF(centre - half * cell.y[i], frame.valueY(cell.x[i]));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    paintOutlineInside(painter, outline, frame.box);
  }
  // Samples that are all alike have no density, but a median.
  if (!cell.median) return;
  painter.setPen(QPen(canvas.style->text, canvas.units(canvas.style->axisPoints)));
  const double at = frame.valueY(*cell.median);
  paintLineInside(painter, QPointF(frame.box.left(), at), QPointF(frame.box.right(), at), frame.box);
}

void paintLineCell(QPainter& painter, const GridCell& cell, const CellFrame& frame, const QColor& colour,
                   const MarkCanvas& canvas) {
  if (cell.x.empty()) return;
  const auto [low, high] = std::minmax_element(cell.x.begin(), cell.x.end());
  const double span = *high > *low ? *high - *low : 1;
  std::vector<QPointF> points;
  for (std::size_t i = 0; i < cell.x.size(); ++i)
    if (std::isfinite(cell.y[i]))
      points.emplace_back(frame.box.left() + (cell.x[i] - *low) / span * frame.box.width(),
                          frame.valueY(cell.y[i]));
  painter.setPen(
      QPen(colour, canvas.units(canvas.style->linePoints), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  for (const auto& piece : clippedLine({{points}, {}}, frame.box).pieces)
    painter.drawPolyline(piece.data(), static_cast<int>(piece.size()));
}

void paintMapCell(QPainter& painter, const GridCell& cell, const GridMark& grid, const CellFrame& frame,
                  const MarkCanvas& canvas, bool asImage) {
  CellsMark cells;
  cells.columns = cell.mapColumns;
  cells.rows = static_cast<int>(cell.y.size()) / cell.mapColumns;
  cells.values = cell.y;
  cells.shown = cell.shown;
  cells.map = grid.map;
  cells.minimum = grid.minimum;
  cells.maximum = grid.maximum;
  MarkCanvas inner = canvas;
  inner.x = inner.y = AxisMap();
  inner.rangeX = {-0.5, cells.columns - 0.5};
  inner.rangeY = {-0.5, cells.rows - 0.5};
  inner.reversedX = false;
  inner.reversedY = true;  // row 0 on top, as matrices are read
  inner.area = frame.box;
  paintCells(painter, cells, inner, asImage);
}

}  // namespace

bool rasterGrid(const GridMark& grid) {
  std::size_t values = 0;
  if (grid.form == GridForm::Map)
    for (const GridCell& cell : grid.cells) values += cell.y.size();
  return values > kVectorValues;
}

std::vector<double> shownThresholds(const GridMark& grid) {
  std::vector<double> shown;
  for (const double value : grid.thresholds)
    if (value >= grid.minimum && value <= grid.maximum) shown.push_back(value);
  return shown;
}

void paintGrid(QPainter& painter, const GridMark& grid, const MarkStyle& style, const MarkCanvas& canvas) {
  const QColor own = markColour(style, canvas);
  const QPen thin(canvas.style->separator, canvas.units(canvas.style->axisPoints));
  const double span = grid.maximum > grid.minimum ? grid.maximum - grid.minimum : 1;
  const bool manyValues = rasterGrid(grid);
  for (const GridCell& cell : grid.cells) {
    const QRectF slot = QRectF(canvas.pixel(cell.column - 0.5, cell.row - 0.5),
                               canvas.pixel(cell.column + 0.5, cell.row + 0.5))
                            .normalized();
    if (!slot.intersects(canvas.area)) continue;
    const double marginX = slot.width() * (1 - kGridCellShare) / 2,
                 marginY = slot.height() * (1 - kGridCellShare) / 2;
    const CellFrame frame{slot.adjusted(marginX, marginY, -marginX, -marginY), grid.minimum,
                          grid.minimum + span};
    if (grid.form == GridForm::Map) {
      paintMapCell(painter, cell, grid, frame, canvas, manyValues);
      continue;
    }
    painter.setPen(thin);
    for (const double threshold : shownThresholds(grid))
      painter.drawLine(QPointF(frame.box.left(), frame.valueY(threshold)),
                       QPointF(frame.box.right(), frame.valueY(threshold)));
    MarkStyle cellStyle = style;
    cellStyle.colour = cell.colour;
    const QColor colour = cell.colour.empty() ? own : markColour(cellStyle, canvas);
    if (grid.form == GridForm::Violin) paintViolinCell(painter, cell, frame, colour, canvas);
    if (grid.form == GridForm::Line) paintLineCell(painter, cell, frame, colour, canvas);
  }
}

}  // namespace fathom
