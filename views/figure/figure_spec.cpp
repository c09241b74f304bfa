// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_spec.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace fathom {

namespace {

// What is wrong with the shape, or empty.
std::string lengths(const std::string& names, std::initializer_list<std::size_t> sizes) {
  const bool equal =
      std::all_of(sizes.begin(), sizes.end(), [&](std::size_t n) { return n == *sizes.begin(); });
  if (equal) return {};
  std::string text = names + " have different lengths:";
  for (const std::size_t size : sizes) text += " " + std::to_string(size);
  return text;
}

struct ShapeCheck {
  std::string operator()(const LineMark& m) const { return lengths("x and y", {m.x.size(), m.y.size()}); }
  std::string operator()(const BandMark& m) const {
    return lengths("x, lower and upper", {m.x.size(), m.lower.size(), m.upper.size()});
  }
  std::string operator()(const PointsMark& m) const { return lengths("x and y", {m.x.size(), m.y.size()}); }
  std::string operator()(const SegmentsMark& m) const {
    const std::size_t n = m.x0.size();
    return lengths("x0, y0, x1, y1 and weight",
                   {n, m.y0.size(), m.x1.size(), m.y1.size(), m.weight.empty() ? n : m.weight.size()});
  }
  std::string operator()(const CellsMark& m) const {
    const std::size_t cells = static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns);
    if (cells != m.values.size())
      return std::to_string(m.rows) + " x " + std::to_string(m.columns) + " cells, but " +
             std::to_string(m.values.size()) + " values";
    if (!m.shown.empty() && m.shown.size() != cells)
      return std::to_string(cells) + " cells, but \"shown\" names " + std::to_string(m.shown.size());
    if (m.shown.find_first_not_of("#.") != std::string::npos)
      return "\"shown\" has characters besides # and .";
    return {};
  }
  std::string operator()(const ViolinMark& m) const {
    return lengths("grid and density", {m.grid.size(), m.density.size()});
  }
  std::string operator()(const BarsMark& m) const {
    const std::size_t n = m.x.size();
    return lengths("x, height and error", {n, m.height.size(), m.error.empty() ? n : m.error.size()});
  }
  std::string operator()(const PolygonMark& m) const { return lengths("x and y", {m.x.size(), m.y.size()}); }
  std::string operator()(const GridMark& m) const {
    for (const GridCell& cell : m.cells) {
      if (m.form == GridForm::Map) {
        if (cell.mapColumns < 1 || cell.y.size() % static_cast<std::size_t>(cell.mapColumns) != 0)
          return "a map cell with " + std::to_string(cell.y.size()) + " values in " +
                 std::to_string(cell.mapColumns) + " columns";
      } else if (cell.x.size() != cell.y.size()) {
        return lengths("x and y of a cell", {cell.x.size(), cell.y.size()});
      }
    }
    return {};
  }
  template <class T>
  std::string operator()(const T&) const {
    return {};
  }
};

std::string axisProblem(const FigureAxis& axis) {
  if (axis.minimum && axis.maximum && !(*axis.minimum < *axis.maximum)) return "minimum is not below maximum";
  if (axis.scale == AxisScale::Log && axis.minimum && *axis.minimum <= 0)
    return "a logarithmic axis cannot start at " + jsonNumber(*axis.minimum);
  if (axis.scale == AxisScale::Symlog && !(axis.linearBelow > 0)) return "linear_below must be above 0";
  if (!axis.tickLabels.empty() && axis.tickLabels != "none") return "tick_labels is neither empty nor none";
  return {};
}

Status panelStatus(const FigurePanel& panel, const std::string& place) {
  for (const auto& [axis, name] : {std::pair{&panel.x, "x"}, std::pair{&panel.y, "y"}})
    if (const std::string problem = axisProblem(*axis); !problem.empty())
      return dataError("figure: " + place + "." + name + ": " + problem);
  if (panel.rowSpan < 1 || panel.columnSpan < 1) return dataError("figure: " + place + ": a span below 1");
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const std::string problem = std::visit(ShapeCheck{}, panel.marks[i].shape);
    if (!problem.empty())
      return dataError("figure: " + place + ".marks[" + std::to_string(i) + "] (" +
                       kMarkWords[panel.marks[i].shape.index()] + "): " + problem);
  }
  return {};
}

Status bandsStatus(const FigureSpec& spec) {
  if (spec.bands.empty()) return {};
  int rows = 0, covered = 0;
  for (const FigurePanel& panel : spec.panels) rows = std::max(rows, panel.row + panel.rowSpan);
  for (std::size_t i = 0; i < spec.bands.size(); ++i) {
    const RowBand& band = spec.bands[i];
    if (band.rows < 1 || !(band.share > 0) || !std::isfinite(band.share))
      return dataError("figure: bands[" + std::to_string(i) + "]: " + std::to_string(band.rows) +
                       " rows of share " + jsonNumber(band.share));
    covered += band.rows;
  }
  if (covered != rows)
    return dataError("figure: bands: " + std::to_string(covered) + " rows, the panels have " +
                     std::to_string(rows));
  return {};
}

}  // namespace

Status checkFigure(const FigureSpec& spec) {
  if (spec.panels.empty()) return dataError("figure: there is no panel");
  if (spec.widthMm < 0 || spec.heightMm < 0 || spec.widthMm > 2000 || spec.heightMm > 2000)
    return dataError(
        "figure: a size of " + jsonNumber(spec.widthMm) + " x " + jsonNumber(spec.heightMm) + " mm",
        "0 to 2000 mm");
  std::set<std::pair<int, int>> taken;
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    const std::string place = "panels[" + std::to_string(i) + "]";
    FATHOM_CHECK(panelStatus(panel, place));
    if (panel.row + panel.rowSpan > 64 || panel.column + panel.columnSpan > 64)
      return dataError("figure: " + place + ": more than 64 rows or columns", "use a grid mark");
    for (int row = panel.row; row < panel.row + panel.rowSpan; ++row)
      for (int column = panel.column; column < panel.column + panel.columnSpan; ++column)
        if (!taken.emplace(row, column).second)
          return dataError("figure: " + place + ": row " + std::to_string(row) + ", column " +
                           std::to_string(column) + " is taken by another panel");
  }
  return bandsStatus(spec);
}

}  // namespace fathom
