// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/library/figures/figure_composition.h"

namespace fathom {

// The look of pages under a name of a person's, kept with the project: a style of a venue, and what was
// changed in it. A page that takes it has its values from then on; later changes of the sheet leave the page
// alone.
struct StyleSheet {
  std::string uuid;
  std::string name;
  std::string style = "acl_wide";  // id of a figure style
  double widthMm = 0;              // as FigureComposition has them, these too
  std::string font;
  double textPoints = 0;
  std::string letters = "(a)";
  bool dashes = false;
  Json toJson() const;
};
// Wrong types and numbers out of range: data errors that name them.
Result<StyleSheet> styleSheetFromJson(const Json& json);

StyleSheet styleSheetOf(const FigureComposition& page, const std::string& name);
FigureComposition withStyleSheet(FigureComposition page, const StyleSheet& sheet);
// The page looks as the sheet says.
bool looksLike(const FigureComposition& page, const StyleSheet& sheet);

// By name. Documents that cannot be read are left out.
Result<std::vector<StyleSheet>> styleSheets(ProjectLibrary& library);
// By UUID or, failing that, by name; usage error with the nearest name when there is none.
Result<StyleSheet> styleSheet(ProjectLibrary& library, const std::string& uuidOrName);
// Stores it, in the place of one with the same UUID (made when empty).
Status saveStyleSheet(ProjectLibrary& library, StyleSheet sheet);
Status removeStyleSheet(ProjectLibrary& library, const std::string& uuid);

}  // namespace fathom
