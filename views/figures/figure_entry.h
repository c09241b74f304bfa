// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "views/figure/figure_export.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// What a list entry of figures.list defines.
struct FigureEntry {
  std::string id;  // as in `fathom export-figure --figure ID`
  std::string title;
  std::string reference;
  std::vector<OptionField> fields;
  std::function<Result<FigureSpec>(AnalysisSource&, const OptionValues&)> build;
};

const std::vector<FigureEntry>& figures();
// Usage error with the known ids.
Result<FigureEntry> findFigure(const std::string& id);

// What a figure was made from: stored with the project, and enough to make it again.
struct FigureRecipe {
  static constexpr int kFormat = 1;
  std::string figure;             // list id
  std::string style;              // style id
  std::vector<std::string> runs;  // UUIDs
  Json options = Json::object();  // only what differs from the defaults
  std::int64_t date = 0;          // written into the file; seconds since the epoch
};
Json recipeToJson(const FigureRecipe& recipe);
Result<FigureRecipe> recipeFromJson(const Json& json);

// Builds the figure of a recipe from the source's runs (the caller has resolved recipe.runs).
Result<FigureSpec> buildFigure(const FigureRecipe& recipe, AnalysisSource& source);
// Builds and writes it: what `fathom export-figure` and the window call. The ending of the path is the
// format.
Status exportRecipe(const FigureRecipe& recipe, AnalysisSource& source, const std::string& path);

}  // namespace fathom
