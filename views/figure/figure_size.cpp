// SPDX-License-Identifier: GPL-3.0-or-later
// Which size a figure has on paper.
#include <algorithm>
#include <optional>

#include "core/base/numbers/figure_limits.h"
#include "views/figure/figure_layout.h"

namespace fathom {

namespace {

std::vector<PanelRanges> wholeRanges(const FigureSpec& spec) {
  std::vector<PanelRanges> ranges;
  for (const FigurePanel& panel : spec.panels)
    ranges.push_back({panelRange(panel, true), panelRange(panel, false)});
  return ranges;
}

// Height that panels with an aspect need at this width, so that nothing is left free above and below them;
// std::nullopt where another panel is among them.
std::optional<double> aspectHeight(const FigureSpec& spec, const FigureStyle& style, double widthMm) {
  constexpr double kMostRowMm = 100, kLeastMm = 40;  // a wide page shows squares of a hand's width
  int rows = 1;
  for (const FigurePanel& panel : spec.panels) {
    if (!panel.aspect) return std::nullopt;
    rows = std::max(rows, panel.row + panel.rowSpan);
  }
  if (spec.panels.empty()) return std::nullopt;
  const double tallMm = 4 * widthMm * rows;
  const QSizeF page(unitsOfMm(widthMm), unitsOfMm(tallMm));
  const FigureLayout layout = layOutFigure(spec, style, page, wholeRanges(spec));
  double least = page.height();  // all rows are equally high: the one that needs most says how much is left
  for (const PanelLayout& panel : layout.panels)
    least = std::min(least, panel.room.height() - panel.area.height());
  const double needed = tallMm - rows * least / 96 * 25.4;
  return std::clamp(needed, kLeastMm, kMostRowMm * rows);
}

}  // namespace

FigureSize figureSize(const FigureSpec& spec, const FigureStyle& style) {
  FigureSize size{spec.widthMm, spec.heightMm};
  if (size.widthMm <= 0) size.widthMm = style.widthMm;
  if (size.heightMm > 0) return size;
  if (const auto height = aspectHeight(spec, style, size.widthMm)) {
    size.heightMm = *height;
    return size;
  }
  int rows = 1, columns = 1;
  for (const FigurePanel& panel : spec.panels) {
    rows = std::max(rows, panel.row + panel.rowSpan);
    columns = std::max(columns, panel.column + panel.columnSpan);
  }
  constexpr double kGolden = 1.618;
  const double natural = size.widthMm / columns / kGolden * rows;
  // Legends below their panel come on top, or a long one would leave nothing for the curves.
  const QSizeF page(unitsOfMm(size.widthMm), unitsOfMm(natural));
  const FigureLayout layout = layOutFigure(spec, style, page, wholeRanges(spec));
  std::vector<double> below(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    double& row = below[static_cast<std::size_t>(spec.panels[i].row + spec.panels[i].rowSpan - 1)];
    if (!layout.panels[i].legendInside) row = std::max(row, layout.panels[i].legendBox.height());
  }
  double extra = 0;
  for (const double height : below) extra += height / 96 * 25.4;
  size.heightMm = std::clamp(natural + extra, 10.0, kLargestFigureMm);
  return size;
}

}  // namespace fathom
