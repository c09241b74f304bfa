// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/page_grid.h"

#include <algorithm>

#include "views/panels/figures/page_view.h"

namespace fathom {

namespace {

constexpr double kNewShare = 0.12, kLeastNew = 10, kMostNew = 28;  // of the last track; pixels
constexpr double kBesideBorder = 4;

std::vector<double> every(const std::vector<double>& edges, int tracks, double first, double zoom) {
  std::vector<double> borders;
  for (std::size_t i = 0; i < edges.size(); i += std::size_t(std::max(1, tracks)))
    borders.push_back(first + edges[i] * zoom);
  return borders;
}

// The track that holds the place; the first or last one beyond the ends.
int trackAt(const std::vector<double>& borders, double at) {
  const auto after = std::upper_bound(borders.begin() + 1, borders.end() - 1, at);
  return int(after - borders.begin()) - 1;
}

// Depth of the strip at the end in which a new track begins.
double stripOf(const std::vector<double>& borders) {
  const double last = borders.back() - borders[borders.size() - 2];
  return std::clamp(kNewShare * last, kLeastNew, kMostNew);
}

}  // namespace

PageGrid pageGrid(const PageView& view) {
  PageGrid grid;
  if (!view.hasPage()) return grid;
  const QPointF corner = view.paper().topLeft();
  grid.columns =
      every(view.pageLayout().columnEdges, view.composed().columnTracks, corner.x(), view.shownZoom());
  grid.rows = every(view.pageLayout().rowEdges, view.composed().rowTracks, corner.y(), view.shownZoom());
  return grid;
}

std::optional<PageCell> cellAt(const PageGrid& grid, const QPointF& point, int most) {
  if (grid.empty()) return std::nullopt;
  PageCell cell;
  cell.row = trackAt(grid.rows, point.y());
  cell.column = trackAt(grid.columns, point.x());
  const auto row = std::size_t(cell.row), column = std::size_t(cell.column);
  cell.box = QRectF(QPointF(grid.columns[column], grid.rows[row]),
                    QPointF(grid.columns[column + 1], grid.rows[row + 1]));
  const double wide = stripOf(grid.columns), high = stripOf(grid.rows);
  if (point.y() > grid.rows.back() - high && int(grid.rows.size()) - 1 < most) {
    cell.newRow = true;
    cell.row = int(grid.rows.size()) - 1;
    cell.box = QRectF(cell.box.left(), grid.rows.back() - high, cell.box.width(), 2 * high);
  } else if (point.x() > grid.columns.back() - wide && int(grid.columns.size()) - 1 < most) {
    cell.newColumn = true;
    cell.column = int(grid.columns.size()) - 1;
    cell.box = QRectF(grid.columns.back() - wide, cell.box.top(), 2 * wide, cell.box.height());
  }
  return cell;
}

std::optional<PageBorder> borderAt(const PageGrid& grid, const QPointF& point) {
  if (grid.empty()) return std::nullopt;
  const auto inside = [](const std::vector<double>& borders, double at) {
    return at >= borders.front() && at <= borders.back();
  };
  for (std::size_t i = 1; i + 1 < grid.columns.size(); ++i)
    if (std::abs(point.x() - grid.columns[i]) <= kBesideBorder && inside(grid.rows, point.y()))
      return PageBorder{true, int(i) - 1, grid.columns[i]};
  for (std::size_t i = 1; i + 1 < grid.rows.size(); ++i)
    if (std::abs(point.y() - grid.rows[i]) <= kBesideBorder && inside(grid.columns, point.x()))
      return PageBorder{false, int(i) - 1, grid.rows[i]};
  return std::nullopt;
}

}  // namespace fathom
