// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "views/figure/figure_colours.h"
#include "views/figure/mark_painter.h"
#include "views/figure/pgf_marks.h"

namespace fathom {

namespace {

std::string fillOf(const std::string& map, double share, bool gray) {
  ColourMap chosen = ColourMap::Viridis;
  colourMapFromName(QString::fromStdString(map), chosen);
  const QColor colour = gray ? grayscale(mapColour(chosen, share)) : mapColour(chosen, share);
  return "fill={rgb,255:red," + std::to_string(colour.red()) + ";green," + std::to_string(colour.green()) +
         ";blue," + std::to_string(colour.blue()) + "}";
}

constexpr double kCellShare = 0.86;

}  // namespace

// Cells are filled rectangles: the same colours as on screen, NaN cells grey.
std::string PgfMarks::shape(const CellsMark& m, const MarkStyle&, const Context& c) {
  const CellRange range = cellRange(m);
  std::string text;
  std::size_t index = 0;
  for (int row = 0; row < m.rows; ++row) {
    for (int column = 0; column < m.columns; ++column, ++index) {
      const double value = m.values[index];
      text += "\\path[" + fillOf(m.map, range.share(value), m_style.gray) + "] " +
              c.point(column - 0.5, row - 0.5) + " rectangle " + c.point(column + 0.5, row + 0.5) + ";\n";
      if (!m.numbers) continue;
      text += "\\node[font=\\tiny] at " + c.point(column, row) + " {" +
              (std::isnan(value) ? std::string("--") : QString::number(value, 'g', 3).toStdString()) + "};\n";
    }
  }
  return text;
}

// Each small plot becomes an outline inside its cell. The direction in which values rise is that of the axis.
std::string PgfMarks::shape(const GridMark& m, const MarkStyle& s, const Context& c) {
  std::string text;
  const double span = m.maximum > m.minimum ? m.maximum - m.minimum : 1;
  for (const GridCell& cell : m.cells) {
    const auto up = [&](double value) { return cell.row + kCellShare * (0.5 - (value - m.minimum) / span); };
    MarkStyle style = s;
    if (!cell.colour.empty()) style.colour = cell.colour;
    if (m.form == GridForm::Map) {
      const int rows = static_cast<int>(cell.y.size()) / std::max(1, cell.mapColumns);
      for (std::size_t i = 0; i < cell.y.size(); ++i) {
        const int row = static_cast<int>(i) / cell.mapColumns, column = static_cast<int>(i) % cell.mapColumns;
        const double width = kCellShare / cell.mapColumns, height = kCellShare / rows;
        const double x = cell.column - kCellShare / 2 + width * column,
                     y = cell.row - kCellShare / 2 + height * row;
        text += "\\path[" + fillOf(m.map, (cell.y[i] - m.minimum) / span, m_style.gray) + "] " +
                c.point(x, y) + " rectangle " + c.point(x + width, y + height) + ";\n";
      }
      continue;
    }
    if (cell.x.empty()) continue;
    if (m.form == GridForm::Line) {
      const auto [low, high] = std::minmax_element(cell.x.begin(), cell.x.end());
      const double width = *high > *low ? *high - *low : 1;
      std::string points;
      for (std::size_t i = 0; i < cell.x.size(); ++i)
        if (std::isfinite(cell.y[i]))
          points += (points.empty() ? "" : " -- ") +
                    c.point(cell.column + kCellShare * ((cell.x[i] - *low) / width - 0.5), up(cell.y[i]));
      text += "\\draw[" + strokeOptions(style, 1) + "] " + points + ";\n";
      continue;
    }
    const double largest = *std::max_element(cell.y.begin(), cell.y.end());
    if (!(largest > 0)) continue;
    std::string outlinePoints;
    for (const double side : {1.0, -1.0}) {
      for (std::size_t k = 0; k < cell.x.size(); ++k) {
        const std::size_t i = side > 0 ? k : cell.x.size() - 1 - k;
        outlinePoints +=
            c.point(cell.column + side * kCellShare / 2 * cell.y[i] / largest, up(cell.x[i])) + " -- ";
      }
    }
    style.fill = 1;
    text += "\\path[" + fillOptions(style) + "] " + outlinePoints + "cycle;\n";
    if (cell.median)
      text += "\\draw " + c.point(cell.column - kCellShare / 2, up(*cell.median)) + " -- " +
              c.point(cell.column + kCellShare / 2, up(*cell.median)) + ";\n";
  }
  return text;
}

}  // namespace fathom
