// SPDX-License-Identifier: Apache-2.0
#include "core/library/figures/figure_recipe.h"

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/base/text/text_list.h"
#include "core/library/records/saved_documents.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr const char* kRecipeKind = "figure";
constexpr int kRecipeFormat = 1;

}  // namespace

Json FigureRecipe::toJson() const {
  Json json = {{"format", kRecipeFormat}, {"uuid", uuid},      {"name", name},
               {"figure", figure},        {"runs", runs},      {"options", options},
               {"style", style},          {"created", created}};
  if (!runNames.empty()) json["run_names"] = runNames;
  if (!texts.empty()) json["texts"] = texts.toJson();
  if (!review.is_null()) json["review"] = review;
  if (pins) json["pins"] = pins->toJson();
  return json;
}

Result<FigureRecipe> figureRecipeFromJson(const Json& json) {
  FATHOM_CHECK(checkDocument(json, Phrase::tr("figure recipe"), kRecipeFormat));
  FigureRecipe recipe;
  recipe.uuid = memberText(json, "uuid");
  recipe.name = memberText(json, "name");
  recipe.figure = memberText(json, "figure");
  recipe.style = memberText(json, "style");
  recipe.created = memberText(json, "created");
  if (recipe.figure.empty()) return dataError(Phrase::tr("a figure recipe needs the member \"figure\""));
  for (const Json& run : memberList(json, "runs")) {
    if (!run.is_string()) return dataError(Phrase::tr("\"runs\" of a figure recipe must be texts"));
    recipe.runs.push_back(run.get<std::string>());
  }
  for (const auto& [run, name] : memberObject(json, "run_names").items())
    if (name.is_string()) recipe.runNames[run] = name.get<std::string>();
  if (const auto review = json.find("review"); review != json.end() && review->is_object())
    recipe.review = *review;
  recipe.options = memberObject(json, "options");
  if (const auto texts = json.find("texts"); texts != json.end()) {
    FATHOM_TRY(recipe.texts, figureTextsFromJson(*texts));
  }
  if (const auto pins = json.find("pins"); pins != json.end()) {
    FATHOM_TRY(recipe.pins, figurePinsFromJson(*pins));
  }
  return recipe;
}

Result<std::vector<FigureRecipe>> figureRecipes(ProjectLibrary& library) {
  return readableDocuments(library, kRecipeKind, figureRecipeFromJson);
}

Result<FigureRecipe> figureRecipe(ProjectLibrary& library, const std::string& uuidOrName) {
  FATHOM_TRY(const auto recipes, figureRecipes(library));
  std::vector<std::string> names;
  std::vector<const FigureRecipe*> named;
  for (const FigureRecipe& recipe : recipes) {
    if (recipe.uuid == uuidOrName) return recipe;
    if (recipe.name == uuidOrName) named.push_back(&recipe);
    names.push_back(recipe.name);
  }
  if (named.size() == 1) return *named.front();
  if (!named.empty()) {
    const std::string which = joined(
        named, ", ", [](const FigureRecipe* recipe) { return recipe->uuid + " (" + recipe->created + ")"; });
    return usageError(Phrase::tr("%1 figures are named \"%2\"")(named.size(), uuidOrName),
                      Phrase::tr("name one by its UUID: %1")(which));
  }
  return noSuchDocument(library, Phrase::tr("figure"), uuidOrName, names);
}

Result<std::string> saveFigureRecipe(ProjectLibrary& library, FigureRecipe recipe) {
  if (recipe.uuid.empty()) recipe.uuid = makeUuid();
  if (recipe.created.empty()) recipe.created = isoTimeNow();
  FATHOM_TRY(const auto before,
             library.setDocument(kRecipeKind, {recipe.uuid, recipe.name, "", recipe.toJson()}));
  return recipe.uuid;
}

Result<std::string> keepFigureRecipe(ProjectLibrary& library, FigureRecipe& recipe) {
  FATHOM_TRY(const auto known, figureRecipes(library));
  for (const FigureRecipe& other : known) {
    const bool same = other.name == recipe.name && other.figure == recipe.figure &&
                      other.runs == recipe.runs && other.review == recipe.review &&
                      other.options == recipe.options && other.style == recipe.style &&
                      other.texts == recipe.texts;
    if (same && other.pins == recipe.pins) {
      recipe = other;
      return recipe.uuid;
    }
    // One of an older Fathom that is made anew: from now on it is pinned.
    if (!same || other.pins) continue;
    recipe.uuid = other.uuid;
    recipe.created = other.created;
    break;
  }
  FATHOM_TRY(recipe.uuid, saveFigureRecipe(library, recipe));
  return recipe.uuid;
}

Result<Phrase> keepOrSayWhyNot(ProjectLibrary& library, FigureRecipe& recipe) {
  const Result<std::string> kept =
      library.readOnly()
          ? Result<std::string>(unavailableError(Phrase::tr("the project %1 is read-only")(library.path())))
          : keepFigureRecipe(library, recipe);
  if (kept.ok()) return Phrase();
  if (kept.error().kind != ErrorKind::Resource) return kept.error();
  recipe.uuid.clear();
  return kept.error().phrase();
}

}  // namespace fathom
