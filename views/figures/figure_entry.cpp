// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/figure_entry.h"

#include "views/figure/figure_style.h"

namespace fathom {

Result<FigureEntry> findFigure(const std::string& id) {
  std::string known;
  for (const FigureEntry& entry : figures()) {
    if (entry.id == id) return entry;
    known += (known.empty() ? "" : ", ") + entry.id;
  }
  return usageError("there is no figure \"" + id + "\"", "one of " + known);
}

Json recipeToJson(const FigureRecipe& recipe) {
  return {{"format", FigureRecipe::kFormat}, {"figure", recipe.figure},
          {"style", recipe.style},           {"runs", recipe.runs},
          {"options", recipe.options},       {"date", recipe.date}};
}

Result<FigureRecipe> recipeFromJson(const Json& json) {
  FigureRecipe recipe;
  const auto text = [&json](const char* key) -> Result<std::string> {
    if (!json.contains(key) || !json[key].is_string())
      return dataError(std::string("a figure recipe needs the text \"") + key + "\"");
    return json[key].get<std::string>();
  };
  if (!json.is_object() || json.value("format", Json()) != FigureRecipe::kFormat)
    return dataError("this is no figure recipe of format " + std::to_string(FigureRecipe::kFormat));
  FATHOM_TRY(recipe.figure, text("figure"));
  FATHOM_TRY(recipe.style, text("style"));
  for (const Json& run : json.value("runs", Json::array())) {
    if (!run.is_string()) return dataError("a figure recipe names its runs by UUID, found " + run.dump());
    recipe.runs.push_back(run.get<std::string>());
  }
  recipe.options = json.value("options", Json::object());
  if (!recipe.options.is_object()) return dataError("the options of a figure recipe must be an object");
  const Json date = json.value("date", Json(0));
  if (!date.is_number_integer()) return dataError("the date of a figure recipe must be whole seconds");
  recipe.date = date.get<std::int64_t>();
  return recipe;
}

Result<FigureSpec> buildFigure(const FigureRecipe& recipe, AnalysisSource& source) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  OptionValues options(OptionSchema(entry.fields, {}));
  FATHOM_CHECK(options.merge(recipe.options, "figure recipe"));
  FATHOM_CHECK(options.check());
  FATHOM_TRY(FigureSpec spec, entry.build(source, options));
  spec.id = entry.id;
  spec.style = recipe.style;
  FATHOM_CHECK(checkFigure(spec));
  return spec;
}

Status exportRecipe(const FigureRecipe& recipe, AnalysisSource& source, const std::string& path) {
  FATHOM_CHECK(figureFormatOf(path));
  FATHOM_TRY(const FigureStyle style, figureStyle(QString::fromStdString(recipe.style)));
  FATHOM_TRY(const FigureSpec spec, buildFigure(recipe, source));
  return exportFigure(spec, style, path, {recipe.date, 300});
}

}  // namespace fathom
