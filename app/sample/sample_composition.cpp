// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sample/sample_composition.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/recipes/figure_builder.h"
#include "app/sample/sample_project.h"
#include "app/sample/trained_run.h"
#include "core/base/files/path_facts.h"

namespace fathom {

namespace {

struct Part {
  const char* figure;
  std::size_t runs;  // at most
  int row, column, columnSpan;
};

const std::string kTrainedPage = "Trained before";
constexpr const char* kTrainedPageStored = "sample.trained_page";  // setting of the project

// Curves and gradients beside each other, entropy and dependency of two runs below.
constexpr Part kParts[] = {{"training_curve", 6, 0, 0, 1},
                           {"gradient_norm", 6, 0, 1, 1},
                           {"attention_entropy", 2, 1, 0, 2},
                           {"beta_dependency", 2, 2, 0, 2}};

// The figure of as many runs as have its data; none when no run has.
Result<FigureRecipe> drawableRecipe(FigureBuilder& builder, const std::vector<RunRow>& runs, const Part& part,
                                    Progress& progress, const StopToken& stop) {
  FigureRecipe recipe;
  recipe.figure = part.figure;
  for (const RunRow& run : runs) {
    if (stop.stopRequested()) return interruptedError();
    if (recipe.runs.size() == part.runs) break;
    recipe.runs.push_back(run.identity.uuid);
    if (!builder.build(recipe, progress, stop).ok()) recipe.runs.pop_back();
  }
  if (recipe.runs.empty()) return recipe;
  FATHOM_TRY(const FigureSpec pinned, builder.buildAndPin(recipe, progress, stop));
  return recipe;
}

Result<bool> storePage(FigureBuilder& builder, const std::string& name, const std::vector<RunRow>& runs,
                       Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto known, figureCompositions(builder.library()));
  const bool begun = std::any_of(known.begin(), known.end(),
                                 [](const FigureComposition& each) { return each.name != kTrainedPage; });
  if (builder.library().readOnly() || begun) return false;
  FigureComposition page;
  page.name = name;
  for (const Part& part : kParts) {
    FATHOM_TRY(FigureRecipe recipe, drawableRecipe(builder, runs, part, progress, stop));
    if (recipe.runs.empty()) continue;
    CompositionPanel panel;
    panel.recipe = std::move(recipe);
    panel.row = part.row;
    panel.column = part.column;
    panel.columnSpan = part.columnSpan;
    page.panels.push_back(std::move(panel));
  }
  if (page.panels.size() < 2) return false;
  FATHOM_TRY(const std::string uuid, saveFigureComposition(builder.library(), std::move(page)));
  return !uuid.empty();
}

}  // namespace

Result<bool> storeSampleComposition(const std::string& project, Progress& progress, const StopToken& stop) {
  FATHOM_TRY(const auto builder, FigureBuilder::open(project));
  FATHOM_TRY(const auto runs, sampleRunRows(builder->library()));
  return storePage(*builder, "Sample", runs, progress, stop);
}

Result<bool> storeTrainedComposition(const std::string& project, Progress& progress, const StopToken& stop) {
  if (!folderExists(trainedRunPath(project))) return false;
  FATHOM_TRY(const auto builder, FigureBuilder::open(project));
  ProjectLibrary& library = builder->library();
  FATHOM_TRY(const Json before, library.setting(kTrainedPageStored, false));
  if (before == true) return false;
  FATHOM_TRY(auto runs, listRuns(library));
  std::erase_if(runs, [&](const RunRow& run) { return run.path != trainedRunPath(project); });
  FATHOM_TRY(const bool stored, storePage(*builder, kTrainedPage, runs, progress, stop));
  if (stored) FATHOM_CHECK(library.setSetting(kTrainedPageStored, true));
  return stored;
}

}  // namespace fathom
