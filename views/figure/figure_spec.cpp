// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/figure_spec.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/numbers/figure_limits.h"

namespace fathom {

namespace {

// The problem of a mask of `cells` cells, or empty.
Phrase maskProblem(const std::string& shown, std::size_t cells) {
  if (!shown.empty() && shown.size() != cells)
    return Phrase::tr("%1 cells, but \"shown\" names %2")(cells, shown.size());
  if (shown.find_first_not_of("#.") != std::string::npos)
    return Phrase::tr("\"shown\" has characters besides # and .");
  return {};
}

// The problem of the shape, or empty.
Phrase lengths(const std::string& names, std::initializer_list<std::size_t> sizes) {
  const bool equal =
      std::all_of(sizes.begin(), sizes.end(), [&](std::size_t n) { return n == *sizes.begin(); });
  if (equal) return {};
  std::string all;
  for (const std::size_t size : sizes) all += " " + std::to_string(size);
  return Phrase::tr("%1 have different lengths:%2")(names, all);
}

struct ShapeCheck {
  Phrase operator()(const LineMark& m) const { return lengths("x and y", {m.x.size(), m.y.size()}); }
  Phrase operator()(const BandMark& m) const {
    return lengths("x, lower and upper", {m.x.size(), m.lower.size(), m.upper.size()});
  }
  Phrase operator()(const PointsMark& m) const { return lengths("x and y", {m.x.size(), m.y.size()}); }
  Phrase operator()(const SegmentsMark& m) const {
    const std::size_t n = m.x0.size();
    return lengths("x0, y0, x1, y1 and weight",
                   {n, m.y0.size(), m.x1.size(), m.y1.size(), m.weight.empty() ? n : m.weight.size()});
  }
  Phrase operator()(const CellsMark& m) const {
    const std::size_t cells = static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns);
    if (cells != m.values.size())
      return Phrase::tr("%1 x %2 cells, but %3 values")(m.rows, m.columns, m.values.size());
    return maskProblem(m.shown, cells);
  }
  Phrase operator()(const ViolinMark& m) const {
    return lengths("grid and density", {m.grid.size(), m.density.size()});
  }
  Phrase operator()(const BarsMark& m) const {
    const std::size_t n = m.x.size();
    return lengths("x, height and error", {n, m.height.size(), m.error.empty() ? n : m.error.size()});
  }
  Phrase operator()(const PolygonMark& m) const { return lengths("x and y", {m.x.size(), m.y.size()}); }
  Phrase operator()(const GridMark& m) const {
    for (const GridCell& cell : m.cells) {
      if (m.form == GridForm::Map) {
        if (cell.mapColumns < 1 || cell.y.size() % static_cast<std::size_t>(cell.mapColumns) != 0)
          return Phrase::tr("a map cell with %1 values in %2 columns")(cell.y.size(), cell.mapColumns);
        if (Phrase problem = maskProblem(cell.shown, cell.y.size()); !problem.empty()) return problem;
      } else if (cell.x.size() != cell.y.size()) {
        return lengths("x and y of a cell", {cell.x.size(), cell.y.size()});
      }
    }
    return {};
  }
  template <class T>
  Phrase operator()(const T&) const {
    return {};
  }
};

Phrase axisProblem(const FigureAxis& axis) {
  if (axis.minimum && axis.maximum && !(*axis.minimum < *axis.maximum))
    return Phrase::tr("minimum is not below maximum");
  if (axis.scale == AxisScale::Log && axis.minimum && *axis.minimum <= 0)
    return Phrase::tr("a logarithmic axis cannot start at %1")(jsonNumber(*axis.minimum));
  if (axis.scale == AxisScale::Symlog && !(axis.linearBelow > 0))
    return Phrase::tr("linear_below must be above 0");
  if (!axis.tickLabels.empty() && axis.tickLabels != "none")
    return Phrase::tr("tick_labels is neither empty nor none");
  return {};
}

Status panelStatus(const FigurePanel& panel, const std::string& place) {
  for (const auto& [axis, name] : {std::pair{&panel.x, "x"}, std::pair{&panel.y, "y"}})
    if (const Phrase problem = axisProblem(*axis); !problem.empty())
      return dataError(Phrase::tr("figure: %1.%2: %3")(place, name, problem));
  if (panel.rowSpan < 1 || panel.columnSpan < 1)
    return dataError(Phrase::tr("figure: %1: a span below 1")(place));
  for (std::size_t i = 0; i < panel.marks.size(); ++i) {
    const Phrase problem = std::visit(ShapeCheck{}, panel.marks[i].shape);
    if (!problem.empty())
      return dataError(Phrase::tr("figure: %1.marks[%2] (%3): %4")(
          place, i, kMarkWords[panel.marks[i].shape.index()], problem));
  }
  return {};
}

Status columnBandsStatus(const FigureSpec& spec) {
  if (spec.columnBands.empty()) return {};
  int columns = 0, covered = 0;
  for (const FigurePanel& panel : spec.panels) columns = std::max(columns, panel.column + panel.columnSpan);
  for (std::size_t i = 0; i < spec.columnBands.size(); ++i) {
    const ColumnBand& band = spec.columnBands[i];
    if (band.columns < 1 || !(band.share > 0) || !std::isfinite(band.share))
      return dataError(Phrase::tr("figure: column_bands[%1]: %2 columns of share %3")(
          i, band.columns, jsonNumber(band.share)));
    covered += band.columns;
  }
  if (covered != columns)
    return dataError(Phrase::tr("figure: column_bands: %1 columns, the panels have %2")(covered, columns));
  return {};
}

Status bandsStatus(const FigureSpec& spec) {
  if (spec.bands.empty()) return {};
  int rows = 0, covered = 0;
  for (const FigurePanel& panel : spec.panels) rows = std::max(rows, panel.row + panel.rowSpan);
  for (std::size_t i = 0; i < spec.bands.size(); ++i) {
    const RowBand& band = spec.bands[i];
    if (band.rows < 1 || !(band.share > 0) || !std::isfinite(band.share))
      return dataError(
          Phrase::tr("figure: bands[%1]: %2 rows of share %3")(i, band.rows, jsonNumber(band.share)));
    covered += band.rows;
  }
  if (covered != rows)
    return dataError(Phrase::tr("figure: bands: %1 rows, the panels have %2")(covered, rows));
  return {};
}

}  // namespace

Status checkFigure(const FigureSpec& spec) {
  if (spec.panels.empty()) return dataError(Phrase::tr("figure: there is no panel"));
  if (spec.widthMm < 0 || spec.heightMm < 0 || spec.widthMm > kLargestFigureMm ||
      spec.heightMm > kLargestFigureMm)
    return dataError(
        Phrase::tr("figure: a size of %1 x %2 mm")(jsonNumber(spec.widthMm), jsonNumber(spec.heightMm)),
        Phrase::tr("0 to %1 mm")(jsonNumber(kLargestFigureMm)));
  std::set<std::pair<int, int>> taken;
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const FigurePanel& panel = spec.panels[i];
    const std::string place = "panels[" + std::to_string(i) + "]";
    FATHOM_CHECK(panelStatus(panel, place));
    if (panel.row + panel.rowSpan > kMostFigureTracks || panel.column + panel.columnSpan > kMostFigureTracks)
      return dataError(Phrase::tr("figure: %1: more than %2 rows or columns")(place, kMostFigureTracks),
                       Phrase::tr("use a grid mark"));
    for (int row = panel.row; row < panel.row + panel.rowSpan; ++row)
      for (int column = panel.column; column < panel.column + panel.columnSpan; ++column)
        if (!taken.emplace(row, column).second)
          return dataError(
              Phrase::tr("figure: %1: row %2, column %3 is taken by another panel")(place, row, column));
  }
  FATHOM_CHECK(bandsStatus(spec));
  return columnBandsStatus(spec);
}

}  // namespace fathom
