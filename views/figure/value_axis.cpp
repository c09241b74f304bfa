// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/value_axis.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "views/figure/axis_scale.h"

namespace fathom {

namespace {

constexpr double kAway = 3;       // units between plot and bar, and between ticks and numbers
constexpr double kLetters = 1.4;  // of the height of a line: what PDF takes for the box of a number is higher

TextLine numberLine(double value, const FigureStyle& style) {
  return TextLine(shortValueText(value), style.font(style.tickPoints));
}

// Ends of the range and what is marked between them.
std::vector<double> ticksOf(const GridMark& grid) {
  std::vector<double> ticks = {grid.minimum, grid.maximum};
  for (const double value : grid.thresholds)
    if (value > grid.minimum && value < grid.maximum) ticks.push_back(value);
  return ticks;  // the ends come first: they are numbered before anything else
}

struct Numbers {
  std::vector<PlacedText> texts;
  bool ends = false;  // both ends have theirs
};

// The numbers of one row whose bar goes from `bottom` up to `top`.
Numbers numbersOf(const GridMark& grid, const FigureStyle& style, double left, double top, double bottom) {
  Numbers numbers;
  std::vector<double> taken;
  for (const double value : ticksOf(grid)) {
    PlacedText text;
    text.line = numberLine(value, style);
    text.full = valueText(value);
    text.colour = style.text;
    text.points = style.tickPoints;
    const double high = text.line.height() * kLetters;
    const double at = bottom - (value - grid.minimum) / (grid.maximum - grid.minimum) * (bottom - top);
    if (std::any_of(taken.begin(), taken.end(), [&](double other) { return std::abs(other - at) < high; }))
      continue;
    taken.push_back(at);
    text.baseline = {left, at + (text.line.ascent() - text.line.descent()) / 2};
    numbers.texts.push_back(std::move(text));
    if (taken.size() == 2) numbers.ends = value == grid.maximum;
  }
  return numbers;
}

}  // namespace

const GridMark* gridWithAxis(const FigurePanel& panel) {
  for (const FigureMark& mark : panel.marks)
    if (const auto* grid = std::get_if<GridMark>(&mark.shape))
      if (!grid->axis.empty() && !grid->cells.empty() && grid->maximum > grid->minimum) return grid;
  return nullptr;
}

double valueAxisWidth(const FigurePanel& panel, const FigureStyle& style) {
  const GridMark* grid = gridWithAxis(panel);
  if (grid == nullptr) return 0;
  double width = 0;
  for (const double value : ticksOf(*grid)) width = std::max(width, numberLine(value, style).width());
  return kAway + unitsOf(style.tickLengthPoints) + kAway + width;
}

ValueAxis placeValueAxis(const FigurePanel& panel, const FigureStyle& style, const QRectF& area,
                         const PanelRanges& ranges) {
  ValueAxis axis;
  const GridMark* grid = gridWithAxis(panel);
  if (grid == nullptr) return axis;
  const MarkCanvas canvas = panelCanvas(panel, style, area, ranges);
  const double bar = area.right() + kAway, length = unitsOf(style.tickLengthPoints);
  std::set<int> rows;
  for (const GridCell& cell : grid->cells) rows.insert(cell.row);
  double free = area.top() - 1e3;  // where numbers of the next row may begin
  const double high = numberLine(grid->maximum, style).height() * kLetters;
  for (const int row : rows) {
    const double half = kGridCellShare / 2;
    const double a = canvas.pixelY(row - half), b = canvas.pixelY(row + half);
    const double top = std::min(a, b), bottom = std::max(a, b);
    if (top < area.top() - 1 || bottom > area.bottom() + 1) continue;  // the view is zoomed in elsewhere
    axis.lines.emplace_back(bar, top, bar, bottom);
    for (const double value : ticksOf(*grid)) {
      const double y = bottom - (value - grid->minimum) / (grid->maximum - grid->minimum) * (bottom - top);
      axis.lines.emplace_back(bar, y, bar + length, y);
    }
    if (top - high / 2 < free) continue;
    Numbers numbers = numbersOf(*grid, style, bar + length + kAway, top, bottom);
    // Rows that are lower than a number: the first one's ends go without, but never the scale.
    if (!numbers.ends && !axis.texts.empty()) continue;
    for (PlacedText& text : numbers.texts) axis.texts.push_back(std::move(text));
    free = bottom + high / 2;
  }
  return axis;
}

}  // namespace fathom
