// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/fresh_row.h"

#include <algorithm>
#include <utility>

#include "core/library/figures/panel_places.h"
#include "views/figure/figure_page.h"
#include "views/figures/composition_page.h"

namespace fathom {

namespace {

constexpr double kAlike = 1.15;      // heights that differ by less are alike
constexpr double kMostHigher = 1.4;  // than the page of its style: a page that can still be pressed into it

struct FreshPlace {
  const FigureComposition& page;
  const std::vector<FigureSpec>& figures;
  const FigureStyle& style;
  std::size_t fresh;
};

FigureComposition placedAt(const FreshPlace& of, PanelPlace place, int columns = 1) {
  FigureComposition next = of.page;
  CompositionPanel& moved = next.panels[of.fresh];
  moved.row = place.row;
  moved.column = place.column;
  moved.rowSpan = 1;
  moved.columnSpan = columns;
  return next;
}

// Nobody beside the fresh one is much higher or lower.
bool standsWell(const FreshPlace& of, const FigureComposition& page) {
  const FigurePage drawn = compositionPage(page, of.figures, of.style);
  const auto heightOf = [&](std::size_t i) { return figureSize(drawn.figures[i].spec, of.style).heightMm; };
  const CompositionPanel& fresh = page.panels[of.fresh];
  for (std::size_t i = 0; i < page.panels.size(); ++i) {
    const CompositionPanel& panel = page.panels[i];
    if (i == of.fresh || panel.row > fresh.row || fresh.row >= panel.row + panel.rowSpan) continue;
    const auto [smaller, larger] = std::minmax({heightOf(i), heightOf(of.fresh)});
    if (larger > kAlike * smaller) return false;
  }
  return true;
}

double heightOfPage(const FreshPlace& of, const FigureComposition& page) {
  return naturalHeightMm(compositionPage(page, of.figures, of.style), of.style);
}

// Free places in rows that there are, as far as columns are wide enough for a figure.
std::vector<FigureComposition> besideOthers(const FreshPlace& of, int rows, int columns) {
  std::vector<FigureComposition> pages;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      if (FigureComposition next = placedAt(of, {row, column}); checkComposition(next).ok())
        pages.push_back(std::move(next));
  return pages;
}

// Half of the row of a figure that has all of it for itself.
std::vector<FigureComposition> halvedRows(const FreshPlace& of, int columns) {
  std::vector<FigureComposition> pages;
  for (std::size_t i = 0; i < of.page.panels.size() && columns > 1; ++i) {
    const CompositionPanel& panel = of.page.panels[i];
    if (i == of.fresh || panel.column > 0 || panel.columnSpan < columns || panel.rowSpan > 1) continue;
    FigureComposition next = placedAt(of, {panel.row, columns / 2}, columns - columns / 2);
    next.panels[i].columnSpan = columns / 2;
    if (checkComposition(next).ok()) pages.push_back(std::move(next));
  }
  return pages;
}

}  // namespace

double columnWidthMm(const FigureComposition& page, const FigureStyle& style) {
  return (page.widthMm > 0 ? page.widthMm : style.widthOfPage()) / std::max(1, columnsOf(page));
}

int columnsThatFit(const FigureComposition& page, const FigureStyle& style) {
  const double width = page.widthMm > 0 ? page.widthMm : style.widthOfPage();
  return std::max(1, static_cast<int>(width / kLeastColumnMm));
}

std::optional<FigureComposition> withFreshRow(const FigureComposition& page,
                                              const std::vector<FigureSpec>& figures,
                                              const FigureStyle& style, int fresh) {
  if (fresh < 0 || fresh >= int(page.panels.size()) || page.panels.size() < 2) return std::nullopt;
  const FreshPlace of{page, figures, style, std::size_t(fresh)};
  FigureComposition others = page;
  others.panels.erase(others.panels.begin() + fresh);
  const int rows = rowsOf(others), columns = columnsOf(others);
  const auto changed = [&](FigureComposition next) -> std::optional<FigureComposition> {
    if (next.toJson() == page.toJson()) return std::nullopt;
    return next;
  };
  std::vector<FigureComposition> pages =
      besideOthers(of, rows, std::max(columns, std::min(2, columnsThatFit(page, style))));
  for (const FigureComposition& next : pages)
    if (standsWell(of, next)) return changed(next);
  // In a row of its own because those there are taken it leaves room for the next one.
  const bool taken = page.panels[of.fresh].row >= rows;
  FigureComposition below = placedAt(of, {rows, 0}, taken ? 1 : columns);
  if (checkComposition(below).ok()) {
    if (heightOfPage(of, below) <= kMostHigher * style.mostHeightMm) return changed(std::move(below));
    pages.push_back(std::move(below));
  }
  for (FigureComposition& next : halvedRows(of, columns)) pages.push_back(std::move(next));
  if (pages.empty()) return std::nullopt;
  std::vector<double> heights;
  for (const FigureComposition& next : pages) heights.push_back(heightOfPage(of, next));
  const auto lowest = std::min_element(heights.begin(), heights.end()) - heights.begin();
  return changed(std::move(pages[std::size_t(lowest)]));
}

}  // namespace fathom
