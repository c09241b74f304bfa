// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/library/figures/figure_recipe.h"

namespace fathom {

// One place of a composition: a whole figure over some rows and columns of the page's grid. `recipe` says
// how the figure is made; its own style, name and date do not matter here.
struct CompositionPanel {
  FigureRecipe recipe;
  int row = 0, column = 0, rowSpan = 1, columnSpan = 1;
  std::string title;  // instead of the figure's own where not empty; plain text
};

// A page of several figures, kept with the project. Everything needed to make the file again is in it.
struct FigureComposition {
  static constexpr int kMostTracks = 8;  // rows, columns
  std::string uuid;
  std::string name;
  std::string style = "acl_wide";    // id of a figure style
  double widthMm = 0, heightMm = 0;  // 0 = the style's width, the height that suits the figures
  std::string letters = "(a)";       // "(a)", "a)", "A", "" = none
  bool shareX = false, shareY = false;
  // Parts of the page that its rows and columns take, margins included, in any unit; one that has none takes
  // as much as the others do on average. Empty = rows as high as their figures need, columns equally wide.
  std::vector<double> rowShares = {}, columnShares = {};
  bool dashes = false;    // lines that a print without colour would not tell apart get dashes and marks
  std::string font;       // "" = the style's, "serif", "sans"
  double textPoints = 0;  // size of axis labels, 0 = the style's; the other texts in proportion
  std::string created;    // ISO 8601 UTC; written into exported files
  std::vector<CompositionPanel> panels;
  Json toJson() const;
};

// Wrong types, panels outside the grid or on one place, numbers out of range: data errors that name them.
Result<FigureComposition> figureCompositionFromJson(const Json& json);
Status checkComposition(const FigureComposition& composition);

// Gives a panel another place. Those in its way go where it was, if they fit there; false, and nothing is
// changed, where they do not or the place is outside the grid.
bool placePanel(FigureComposition& composition, std::size_t index, const CompositionPanel& wanted);
// The first free place, row by row; a page of one column gets a second before a second row.
struct PanelPlace {
  int row = 0, column = 0;
};
PanelPlace freePlace(const FigureComposition& composition);

// By name. Documents that cannot be read are left out.
Result<std::vector<FigureComposition>> figureCompositions(ProjectLibrary& library);
// By UUID or, failing that, by name; usage error with the nearest name when there is none.
Result<FigureComposition> figureComposition(ProjectLibrary& library, const std::string& uuidOrName);
// Stores or replaces by UUID (made when empty); returns the UUID.
Result<std::string> saveFigureComposition(ProjectLibrary& library, FigureComposition composition);
Status removeFigureComposition(ProjectLibrary& library, const std::string& uuid);

}  // namespace fathom
