// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/library/figures/figure_pins.h"
#include "core/library/figures/figure_texts.h"
#include "core/library/records/project_library.h"

namespace fathom {

// Everything needed to make a figure again, byte for byte (docs/figures.md §2): which figure, of which data,
// with which options and style, and the date that goes into the file.
struct FigureRecipe {
  std::string uuid;
  std::string name;
  std::string figure;                                // id in figures.list
  std::vector<std::string> runs;                     // run UUIDs
  std::map<std::string, std::string> runNames = {};  // as they were called when it was made, by UUID
  Json review;                    // of predictions instead of runs: core/review's StoredReview, else null
  Json options = Json::object();  // the figure's own options
  FigureTexts texts = {};         // words of a person's in the place of the figure's
  std::string style;              // "paper_acl", ...
  std::string created;            // ISO 8601 UTC; written into exported files
  // The stored results it was made of; none: a recipe of an older Fathom, which shows what was computed last.
  std::optional<FigurePins> pins;
  Json toJson() const;
};
Result<FigureRecipe> figureRecipeFromJson(const Json& json);

Result<std::vector<FigureRecipe>> figureRecipes(ProjectLibrary& library);
// By UUID or, failing that, by name; usage error with the nearest name when there is none, and one that lists
// them where several have the name.
Result<FigureRecipe> figureRecipe(ProjectLibrary& library, const std::string& uuidOrName);
// Stores or replaces by UUID (made when empty); returns the UUID.
Result<std::string> saveFigureRecipe(ProjectLibrary& library, FigureRecipe recipe);
// Stores it unless the same figure is there already: then `recipe` becomes that one, with its UUID and date,
// and so its bytes. The same figure without pins (of an older Fathom) gets those of `recipe`. Returns the
// UUID.
Result<std::string> keepFigureRecipe(ProjectLibrary& library, FigureRecipe& recipe);
// The same for a figure that is drawn in any case: where the project cannot take it (read-only, no room, in
// use) returns why, to be told to whoever will look for the recipe; empty when it is kept.
Result<Phrase> keepOrSayWhyNot(ProjectLibrary& library, FigureRecipe& recipe);

}  // namespace fathom
