// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/figure/pgf_frame.h"
#include "views/figure/pgf_marks.h"

namespace fathom {

namespace {

// A hairline of the same colour around each cell, or viewers that antialias show the paper between them.
std::string fillOf(const std::string& map, double share, bool gray) {
  const ColourMap chosen = colourMapNamed(map);
  const QColor colour = gray ? grayscale(mapColour(chosen, share)) : mapColour(chosen, share);
  return "fill=" + pgfColour(colour) + ", draw=" + pgfColour(colour) + ", line width=0.1pt";
}

}  // namespace

// Cells are filled rectangles: the same colours as on screen, NaN cells grey.
std::string PgfMarks::shape(const CellsMark& m, const MarkStyle&, const Context& c) {
  const CellRange range = cellRange(m);
  std::string text;
  std::size_t index = 0;
  for (int row = 0; row < m.rows; ++row) {
    for (int column = 0; column < m.columns; ++column, ++index) {
      if (!m.has(index)) continue;
      const double value = m.values[index];
      text += box(QRectF(c.pixel(column - 0.5, row - 0.5), c.pixel(column + 0.5, row + 0.5)).normalized(),
                  fillOf(m.map, range.share(value), m_style.gray), c);
    }
  }
  return text;
}

std::string PgfMarks::mapCell(const GridCell& cell, const GridMark& m, const QRectF& box, const Context& c) {
  const int columns = std::max(1, cell.mapColumns), rows = static_cast<int>(cell.y.size()) / columns;
  const double width = box.width() / columns, height = box.height() / std::max(1, rows);
  const double span = m.maximum > m.minimum ? m.maximum - m.minimum : 1;
  std::string text;
  for (std::size_t i = 0; i < cell.y.size(); ++i) {
    if (!cell.shown.empty() && cell.shown[i] != '#') continue;
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    const QPointF corner(box.left() + column * width, box.top() + row * height);
    text += "\\path[" + fillOf(m.map, (cell.y[i] - m.minimum) / span, m_style.gray) + "] " + c.at(corner) +
            " rectangle " + c.at(corner + QPointF(width, height)) + ";\n";
  }
  return text;
}

std::string PgfMarks::lineCell(const GridCell& cell, const MarkStyle& style, const QRectF& box,
                               const std::function<double(double)>& up, const Context& c) const {
  if (cell.x.empty()) return {};
  const auto [low, high] = std::minmax_element(cell.x.begin(), cell.x.end());
  const double width = *high > *low ? *high - *low : 1;
  std::vector<QPointF> points;
  for (std::size_t i = 0; i < cell.x.size(); ++i)
    if (std::isfinite(cell.y[i]))
      points.emplace_back(box.left() + (cell.x[i] - *low) / width * box.width(), up(cell.y[i]));
  MarkStyle plain;  // cells differ in nothing but their colour
  plain.colour = style.colour;
  plain.opacity = style.opacity;
  return stroked(points, strokeOptions(plain), box, c);
}

std::string PgfMarks::violinCell(const GridCell& cell, const MarkStyle& style, const QRectF& box,
                                 const std::function<double(double)>& up, const Context& c) const {
  std::string text;
  const auto highest = std::max_element(cell.y.begin(), cell.y.end());
  if (highest != cell.y.end() && *highest > 0) {
    const double half = box.width() / 2 / *highest;
    QPolygonF outline;
    for (const double side : {half, -half})
      for (std::size_t k = 0; k < cell.x.size(); ++k) {
        const std::size_t i = side > 0 ? k : cell.x.size() - 1 - k;
        outline << QPointF(box.center().x() + side * cell.y[i], up(cell.x[i]));
      }
    text += filled(outline, solidOptions(style), box, c);
  }
  // Samples that are all alike have no density, but a median.
  if (cell.median)
    text += stroked({{box.left(), up(*cell.median)}, {box.right(), up(*cell.median)}},
                    thinOptions(m_style.text), box, c);
  return text;
}

std::string PgfMarks::shape(const GridMark& m, const MarkStyle& s, const Context& c) {
  std::string text;
  const double span = m.maximum > m.minimum ? m.maximum - m.minimum : 1;
  for (const GridCell& cell : m.cells) {
    const double half = kGridCellShare / 2;
    const QRectF box =
        QRectF(c.pixel(cell.column - half, cell.row - half), c.pixel(cell.column + half, cell.row + half))
            .normalized();
    const auto up = [&](double value) { return box.bottom() - (value - m.minimum) / span * box.height(); };
    MarkStyle style = s;
    if (!cell.colour.empty()) style.colour = cell.colour;
    if (m.form == GridForm::Map) {
      text += mapCell(cell, m, box, c);
      continue;
    }
    for (const double threshold : shownThresholds(m))
      text += stroked({{box.left(), up(threshold)}, {box.right(), up(threshold)}},
                      thinOptions(m_style.separator), box, c);
    text +=
        m.form == GridForm::Line ? lineCell(cell, style, box, up, c) : violinCell(cell, style, box, up, c);
  }
  return text;
}

}  // namespace fathom
