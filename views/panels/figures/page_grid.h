// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

namespace fathom {

class PageView;

// The grid of a page on screen: borders of its columns and rows, from the first to the last, in pixels of the
// viewport.
struct PageGrid {
  std::vector<double> columns, rows;
  bool empty() const { return columns.size() < 2 || rows.size() < 2; }
};
PageGrid pageGrid(const PageView& view);

// A place of the grid: one of its cells, or one of a row or column that does not exist yet.
struct PageCell {
  int row = 0, column = 0;
  bool newRow = false, newColumn = false;
  QRectF box;  // in the viewport
};
// The place that somebody means who lets go of a panel there. Along the right and the lower edge, and beyond
// them, lie a new column and a new row, where the grid has fewer than `most`; elsewhere the nearest cell.
std::optional<PageCell> cellAt(const PageGrid& grid, const QPointF& point, int most);

// A border between two columns or rows near the point. `index`: of the track before it.
struct PageBorder {
  bool column = false;
  int index = 0;
  double at = 0;
};
std::optional<PageBorder> borderAt(const PageGrid& grid, const QPointF& point);

}  // namespace fathom
