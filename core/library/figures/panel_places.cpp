// SPDX-License-Identifier: Apache-2.0
#include "core/library/figures/panel_places.h"

#include <algorithm>
#include <utility>

namespace fathom {

std::optional<std::size_t> panelAt(const FigureComposition& composition, PanelPlace place) {
  for (std::size_t i = 0; i < composition.panels.size(); ++i) {
    const CompositionPanel& panel = composition.panels[i];
    if (panel.row <= place.row && place.row < panel.row + panel.rowSpan && panel.column <= place.column &&
        place.column < panel.column + panel.columnSpan)
      return i;
  }
  return std::nullopt;
}

bool movePanelTo(FigureComposition& composition, std::size_t index, PanelPlace place) {
  if (index >= composition.panels.size()) return false;
  FigureComposition next = composition;
  CompositionPanel& moved = next.panels[index];
  const auto there = panelAt(composition, place);
  if (there == index) return true;
  if (there) {
    CompositionPanel& other = next.panels[*there];
    std::swap(moved.row, other.row);
    std::swap(moved.column, other.column);
    std::swap(moved.rowSpan, other.rowSpan);
    std::swap(moved.columnSpan, other.columnSpan);
  } else {
    moved.row = place.row;
    moved.column = place.column;
    // A wide one that would lie on others at an empty place becomes as small as the place.
    if (!checkComposition(next).ok()) moved.rowSpan = moved.columnSpan = 1;
  }
  if (!checkComposition(next).ok()) return false;
  composition = std::move(next);
  return true;
}

bool putPanelAt(FigureComposition& composition, CompositionPanel panel, PanelPlace place) {
  FigureComposition next = composition;
  panel.row = place.row;
  panel.column = place.column;
  panel.rowSpan = panel.columnSpan = 1;
  const auto there = panelAt(next, place);
  if (there) {
    // It looks for its own place once the new one has taken this.
    CompositionPanel before = next.panels[*there];
    next.panels[*there] = panel;
    const PanelPlace free = freePlace(next);
    before.row = free.row;
    before.column = free.column;
    before.rowSpan = before.columnSpan = 1;
    next.panels[*there] = std::move(before);
  }
  next.panels.push_back(std::move(panel));
  if (!checkComposition(next).ok()) return false;
  composition = std::move(next);
  return true;
}

bool arrangePanels(FigureComposition& composition, int columns) {
  FigureComposition next = composition;
  std::vector<CompositionPanel*> order;
  for (CompositionPanel& panel : next.panels) order.push_back(&panel);
  std::stable_sort(order.begin(), order.end(), [](const CompositionPanel* a, const CompositionPanel* b) {
    return std::pair(a->row, a->column) < std::pair(b->row, b->column);
  });
  for (int i = 0; i < int(order.size()); ++i) {
    CompositionPanel& panel = *order[std::size_t(i)];
    panel.row = i / columns;
    panel.column = i % columns;
    panel.rowSpan = panel.columnSpan = 1;
  }
  if (!checkComposition(next).ok()) return false;
  composition = std::move(next);
  return true;
}

int rowsOf(const FigureComposition& composition) {
  int rows = 0;
  for (const CompositionPanel& panel : composition.panels) rows = std::max(rows, panel.row + panel.rowSpan);
  return rows;
}

int columnsOf(const FigureComposition& composition) {
  int columns = 0;
  for (const CompositionPanel& panel : composition.panels)
    columns = std::max(columns, panel.column + panel.columnSpan);
  return columns;
}

}  // namespace fathom
