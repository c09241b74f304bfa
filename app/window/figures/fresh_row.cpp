// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/fresh_row.h"

#include <algorithm>

#include "views/figure/figure_page.h"
#include "views/figures/composition_page.h"

namespace fathom {

namespace {

constexpr double kAlike = 1.15;  // heights that differ by less are alike

bool standsBeside(const CompositionPanel& panel, const CompositionPanel& fresh) {
  return panel.row <= fresh.row && fresh.row < panel.row + panel.rowSpan;
}

}  // namespace

std::optional<FigureComposition> withFreshRow(const FigureComposition& page,
                                              const std::vector<FigureSpec>& figures,
                                              const FigureStyle& style, int fresh) {
  if (fresh < 0 || fresh >= int(page.panels.size())) return std::nullopt;
  const FigurePage drawn = compositionPage(page, figures, style);
  const auto heightOf = [&](int i) { return figureSize(drawn.figures[std::size_t(i)].spec, style).heightMm; };
  FigureComposition next = page;
  CompositionPanel& moved = next.panels[std::size_t(fresh)];
  bool apart = false;
  int rows = 0, columns = 1;  // that the others take
  for (int i = 0; i < int(page.panels.size()); ++i) {
    if (i == fresh) continue;
    const CompositionPanel& panel = page.panels[std::size_t(i)];
    rows = std::max(rows, panel.row + panel.rowSpan);
    columns = std::max(columns, panel.column + panel.columnSpan);
    const auto [smaller, larger] = std::minmax({heightOf(i), heightOf(fresh)});
    apart = apart || (standsBeside(panel, moved) && larger > kAlike * smaller);
  }
  if (!apart) return std::nullopt;
  moved.row = rows;
  moved.column = 0;
  moved.columnSpan = columns;
  if (!checkComposition(next).ok()) return std::nullopt;
  return next;
}

}  // namespace fathom
