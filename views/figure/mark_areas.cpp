// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "views/figure/figure_colours.h"
#include "views/figure/line_clip.h"
#include "views/figure/mark_painter.h"

namespace fathom {

namespace {

constexpr int kVectorCells = 64;  // larger maps are images at native resolution

QColor cellColour(const MarkCanvas& canvas, ColourMap map, double share) {
  const QColor colour = mapColour(map, share);
  return canvas.style->gray ? grayscale(colour) : colour;
}

QRectF cellRect(const MarkCanvas& canvas, int row, int column) {
  return QRectF(canvas.pixel(column - 0.5, row - 0.5), canvas.pixel(column + 0.5, row + 0.5)).normalized();
}

void paintCellImage(QPainter& painter, const CellsMark& cells, const CellRange& range,
                    const MarkCanvas& canvas) {
  const ColourMap map = colourMapNamed(cells.map);
  const std::vector<QRgb>& steps = mapSteps(map, canvas.style->gray);
  const QRgb missing = cellColour(canvas, map, std::numeric_limits<double>::quiet_NaN()).rgb();
  // The paper shows through empty cells.
  QImage image(cells.columns, cells.rows,
               cells.shown.empty() ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
  for (int row = 0; row < cells.rows; ++row) {
    // Row 0 lies at the bottom unless the axis is reversed; image line 0 is the top.
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(canvas.reversedY ? row : cells.rows - 1 - row));
    for (int column = 0; column < cells.columns; ++column) {
      const std::size_t index = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.columns) +
                                static_cast<std::size_t>(column);
      QRgb& pixel = line[canvas.reversedX ? cells.columns - 1 - column : column];
      if (!cells.has(index)) {
        pixel = qRgba(0, 0, 0, 0);
        continue;
      }
      const double value = cells.values[index];
      const double step = std::clamp(range.share(value), 0.0, 1.0) * (kMapSteps - 1) + 0.5;
      pixel = std::isnan(value) ? missing : steps[static_cast<std::size_t>(step)];
    }
  }
  const QRectF box =
      QRectF(canvas.pixel(-0.5, -0.5), canvas.pixel(cells.columns - 0.5, cells.rows - 0.5)).normalized();
  // Smaller than its cells on the screen: nearest cells would hide the others.
  const bool shrunk = !canvas.vector && box.width() * canvas.scale < cells.columns;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, shrunk);
  painter.setRenderHint(QPainter::LosslessImageRendering, true);
  painter.drawImage(box, image);
}

}  // namespace

CellRange cellRange(const CellsMark& cells) {
  CellRange range;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const double value = cells.values[i];
    if (!cells.has(i)) continue;
    if (std::isnan(value)) ++range.missing;
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = 0, high = 1;
  range.minimum = cells.minimum.value_or(low);
  range.maximum = cells.maximum.value_or(high);
  if (cells.centre) {
    const double reach =
        std::max(std::abs(range.maximum - *cells.centre), std::abs(*cells.centre - range.minimum));
    range.minimum = *cells.centre - reach;
    range.maximum = *cells.centre + reach;
  }
  if (!(range.minimum < range.maximum)) range.maximum = range.minimum + 1;
  return range;
}

bool rasterCells(const CellsMark& cells) {
  return cells.rows > kVectorCells || cells.columns > kVectorCells;
}

std::vector<PlacedText> cellNumbers(const CellsMark& cells, const MarkCanvas& canvas) {
  std::vector<PlacedText> numbers;
  if (!cells.numbers || rasterCells(cells)) return numbers;
  const CellRange range = cellRange(cells);
  std::size_t index = 0;
  for (int row = 0; row < cells.rows; ++row) {
    for (int column = 0; column < cells.columns; ++column, ++index) {
      if (!cells.has(index)) continue;
      const double value = cells.values[index];
      const QRectF box = cellRect(canvas, row, column);
      PlacedText text;
      text.full = std::isnan(value) ? QStringLiteral("–") : QString::number(value, 'g', 3);
      text.points = canvas.style->tickPoints;
      text.line = TextLine(text.full, canvas.style->font(text.points));
      if (text.line.width() > box.width()) continue;
      const QColor fill = cellColour(canvas, colourMapNamed(cells.map), range.share(value));
      text.colour = contrastRatio(fill, Qt::black) > contrastRatio(fill, Qt::white) ? Qt::black : Qt::white;
      text.anchor = 0.5;
      text.baseline = {box.center().x() - text.line.width() / 2,
                       box.center().y() + (text.line.ascent() - text.line.descent()) / 2};
      numbers.push_back(std::move(text));
    }
  }
  return numbers;
}

void paintCells(QPainter& painter, const CellsMark& cells, const MarkCanvas& canvas, bool asImage) {
  if (cells.rows == 0 || cells.columns == 0) return;
  // Nobody counts missing cells here: limits that are given need no look at the values.
  const bool given = cells.minimum && cells.maximum && !cells.centre && *cells.minimum < *cells.maximum;
  const CellRange range = given ? CellRange{*cells.minimum, *cells.maximum, 0} : cellRange(cells);
  if (asImage || rasterCells(cells)) return paintCellImage(painter, cells, range, canvas);
  const ColourMap map = colourMapNamed(cells.map);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  std::size_t index = 0;
  // Neighbours overlap a little, or viewers that antialias show hairlines between them.
  const double overlap = canvas.vector ? 0.25 : 0;
  for (int row = 0; row < cells.rows; ++row)
    for (int column = 0; column < cells.columns; ++column, ++index) {
      if (!cells.has(index)) continue;
      painter.fillRect(
          cellRect(canvas, row, column).adjusted(0, 0, overlap, overlap).intersected(canvas.area),
          cellColour(canvas, map, range.share(cells.values[index])));
    }
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (const PlacedText& number : cellNumbers(cells, canvas)) number.draw(painter, canvas.outlines);
}

void paintViolin(QPainter& painter, const ViolinMark& violin, const MarkStyle& style,
                 const MarkCanvas& canvas) {
  if (violin.grid.empty()) return;
  const double largest = *std::max_element(violin.density.begin(), violin.density.end());
  if (!(largest > 0)) return;
  QPolygonF outline;
  const auto edge = [&](std::size_t i, double side) {
    outline << canvas.pixel(violin.position + side * violin.width / 2 * violin.density[i] / largest,
                            violin.grid[i]);
  };
  for (std::size_t i = 0; i < violin.grid.size(); ++i) edge(i, 1);
  for (std::size_t i = violin.grid.size(); i-- > 0;) edge(i, -1);
  painter.setPen(markPen(style, canvas));
  painter.setBrush(markBrush(style, canvas));
  paintOutlineInside(painter, outline, canvas.area);
  const double centre = canvas.pixelX(violin.position);
  QPen pen(canvas.style->text, canvas.units(canvas.style->axisPoints));
  painter.setPen(pen);
  if (violin.quartile1 && violin.quartile3)
    paintLineInside(painter, QPointF(centre, canvas.pixelY(*violin.quartile1)),
                    QPointF(centre, canvas.pixelY(*violin.quartile3)), canvas.area);
  if (violin.median) {
    painter.setBrush(canvas.style->text);
    paintDiscInside(painter, {centre, canvas.pixelY(*violin.median)}, canvas.units(canvas.style->ink(2)),
                    canvas.area);
  }
}

void paintBox(QPainter& painter, const BoxMark& box, const MarkStyle& style, const MarkCanvas& canvas) {
  const double left = canvas.pixelX(box.position - box.width / 2),
               right = canvas.pixelX(box.position + box.width / 2);
  const double centre = canvas.pixelX(box.position);
  painter.setPen(markPen(style, canvas));
  painter.setBrush(markBrush(style, canvas));
  const double low = canvas.pixelY(box.quartile1), high = canvas.pixelY(box.quartile3);
  paintOutlineInside(painter, QPolygonF({{left, high}, {right, high}, {right, low}, {left, low}}),
                     canvas.area);
  const auto line = [&](const QPointF& from, const QPointF& to) {
    paintLineInside(painter, from, to, canvas.area);
  };
  line({left, canvas.pixelY(box.median)}, {right, canvas.pixelY(box.median)});
  line({centre, high}, {centre, canvas.pixelY(box.maximum)});
  line({centre, low}, {centre, canvas.pixelY(box.minimum)});
  painter.setBrush(markColour(style, canvas));
  for (const double value : box.outliers)
    paintDiscInside(painter, {centre, canvas.pixelY(value)}, canvas.units(canvas.style->ink(2)), canvas.area);
}

void paintBars(QPainter& painter, const BarsMark& bars, const MarkStyle& style, const MarkCanvas& canvas) {
  const double logBase = canvas.y.fromUnit(canvas.rangeY.low);
  const double base = std::isfinite(canvas.y.toUnit(bars.base)) ? bars.base : logBase;
  for (std::size_t i = 0; i < bars.x.size(); ++i) {
    if (!std::isfinite(canvas.y.toUnit(bars.height[i]))) continue;
    const QRectF bar(canvas.pixel(bars.x[i] - bars.width / 2, bars.height[i]),
                     canvas.pixel(bars.x[i] + bars.width / 2, base));
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.fill > 0 ? markBrush(style, canvas) : QBrush(markColour(style, canvas)));
    painter.drawRect(bar.normalized().intersected(canvas.area));
    if (bars.error.empty() || !std::isfinite(bars.error[i])) continue;
    painter.setPen(QPen(canvas.style->text, canvas.units(canvas.style->axisPoints)));
    const double low = canvas.y.toUnit(bars.height[i] - bars.error[i]);
    paintLineInside(painter, canvas.pixel(bars.x[i], bars.height[i] + bars.error[i]),
                    canvas.pixel(bars.x[i], std::isfinite(low) ? bars.height[i] - bars.error[i] : base),
                    canvas.area);
  }
}

void paintImage(QPainter& painter, const ImageMark& image, const MarkCanvas& canvas) {
  const QByteArray bytes = QByteArray::fromBase64(QByteArray::fromStdString(image.png));
  const QImage picture = QImage::fromData(bytes, "PNG");
  if (picture.isNull()) return;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.setRenderHint(QPainter::LosslessImageRendering, true);
  painter.drawImage(QRectF(canvas.pixel(image.x0, image.y0), canvas.pixel(image.x1, image.y1)).normalized(),
                    picture);
}

}  // namespace fathom
