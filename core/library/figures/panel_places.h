// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/library/figures/figure_composition.h"

namespace fathom {

// Places of the panels of a page, as a hand moves them.

// Index of the panel that covers the place.
std::optional<std::size_t> panelAt(const FigureComposition& composition, PanelPlace place);
// The panel to the place: where another one is, both change places, with the rows and columns that they take.
// At an empty place no other one moves: where the panel would lie on others, it becomes as small as the
// place. False, and nothing is changed, where it would leave the grid.
bool movePanelTo(FigureComposition& composition, std::size_t index, PanelPlace place);
// A new panel at the place; one that is there goes to the first free place. False, and nothing is changed,
// where there is none, or `place` is outside the grid.
bool putPanelAt(FigureComposition& composition, CompositionPanel panel, PanelPlace place);
// All panels row by row in so many columns, in the order in which they are read, one place each. False, and
// nothing is changed, where the grid has too few rows.
bool arrangePanels(FigureComposition& composition, int columns);
// Rows and columns that the panels take.
int rowsOf(const FigureComposition& composition);
int columnsOf(const FigureComposition& composition);

}  // namespace fathom
