// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figure_builder.h"

#include <algorithm>
#include <utility>

#include "app/pinned_source.h"
#include "app/run_json.h"
#include "app/spider_inputs.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

Result<std::unique_ptr<FigureBuilder>> FigureBuilder::open(const std::string& project) {
  std::unique_ptr<FigureBuilder> builder(new FigureBuilder);
  builder->m_project = project;
  FATHOM_TRY(builder->m_library, ProjectLibrary::open(project));
  return builder;
}

Result<std::vector<RunRow>> FigureBuilder::runs(const FigureRecipe& recipe) {
  if (m_rows == nullptr) {
    FATHOM_TRY(const auto index, CurveIndex::open(m_project));
    FATHOM_TRY(auto rows, RunListing(*m_library, index.get()).rows());
    m_rows = std::make_unique<std::vector<RunRow>>(std::move(rows));
  }
  std::vector<RunRow> chosen;
  for (const std::string& uuid : recipe.runs) {
    const auto row = std::find_if(m_rows->begin(), m_rows->end(),
                                  [&uuid](const RunRow& each) { return each.identity.uuid == uuid; });
    if (row == m_rows->end())
      return usageError("the run " + uuid + " of the figure is not in this project",
                        "choose other runs for it, or restore the run");
    chosen.push_back(*row);
  }
  if (chosen.empty()) return usageError("the figure names no runs", "choose some");
  return chosen;
}

Result<const FigureReview*> FigureBuilder::review(const FigureRecipe& recipe, Progress& progress,
                                                  const StopToken& stop) {
  if (recipe.review.is_null()) return usageError("the figure names no predictions", "choose a stored review");
  std::unique_ptr<FigureReview>& known = m_reviews[recipe.review.dump()];
  if (known != nullptr) return known.get();
  FATHOM_TRY(const StoredReview stored, storedReviewFromJson(recipe.review));
  ReviewOptions options;
  options.threads = spiderThreads();
  FATHOM_TRY(options.preset, categoryPreset(stored.preset));
  auto opened = std::make_unique<FigureReview>();
  FATHOM_TRY(opened->review, openSpiderReview(stored.sources, options, progress, stop));
  for (const auto& note : changedSince(stored, opened->review)) m_notes.push_back(note);
  FATHOM_TRY(const ReviewJudgements judged, ReviewJudgements::load(opened->review, m_library.get()));
  opened->categories = judged.categories();
  known = std::move(opened);
  return known.get();
}

Result<FigureBuilder::Built> FigureBuilder::make(const FigureRecipe& recipe, Progress& progress,
                                                 const StopToken& stop) {
  FATHOM_TRY(const FigureEntry entry, findFigure(recipe.figure));
  if (entry.buildReview) {
    FATHOM_TRY(const FigureReview* opened, review(recipe, progress, stop));
    FATHOM_TRY(ReviewFigure figure, buildReviewFigure(recipe, opened->input()));
    return Built{std::move(figure.spec), {}, true};
  }
  FATHOM_TRY(auto rows, runs(recipe));
  FATHOM_TRY(const auto source, LibrarySource::open(m_project, std::move(rows)));
  PinnedSource pinned(*source, recipe.pins);
  FATHOM_TRY(FigureSpec spec, buildFigure(recipe, pinned));
  return Built{std::move(spec), pinned.answers(), pinned.allPinned()};
}

Result<FigureSpec> FigureBuilder::build(const FigureRecipe& recipe, Progress& progress,
                                        const StopToken& stop) {
  FATHOM_TRY(Built built, make(recipe, progress, stop));
  m_allPinned = m_allPinned && built.allPinned;
  if (!built.allPinned)
    m_notes.push_back("the figure " + (recipe.name.empty() ? recipe.figure : recipe.name) +
                      " is not pinned: it shows what was computed last; make it anew, or regenerate its "
                      "page, to pin the results it shows now");
  return std::move(built.spec);
}

Result<FigureSpec> FigureBuilder::buildAndPin(FigureRecipe& recipe, Progress& progress,
                                              const StopToken& stop) {
  FATHOM_TRY(Built built, make(recipe, progress, stop));
  recipe.pins = std::move(built.answers);
  return std::move(built.spec);
}

Result<FigureSpec> buildAndPin(FigureRecipe& recipe, const std::string& project, std::vector<RunRow> rows) {
  FATHOM_TRY(const auto source, LibrarySource::open(project, std::move(rows)));
  PinnedSource pinned(*source, recipe.pins);
  FATHOM_TRY(FigureSpec spec, buildFigure(recipe, pinned));
  recipe.pins = pinned.answers();
  return spec;
}

Result<std::vector<FigureSpec>> FigureBuilder::build(const FigureComposition& composition, Progress& progress,
                                                     const StopToken& stop) {
  std::vector<FigureSpec> specs;
  for (std::size_t i = 0; i < composition.panels.size(); ++i) {
    if (stop.stopRequested()) return interruptedError();
    const CompositionPanel& panel = composition.panels[i];
    auto spec = build(panel.recipe, progress, stop);
    if (!spec.ok()) {
      Error error = spec.error();
      error.message = "panel " + std::to_string(i + 1) + " (" + panel.recipe.figure + "): " + error.message;
      return error;
    }
    specs.push_back(std::move(*spec));
  }
  return specs;
}

Result<FigureShelf> readFigureShelf(const std::string& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project));
  FigureShelf shelf;
  FATHOM_TRY(shelf.compositions, figureCompositions(*library));
  FATHOM_TRY(shelf.recipes, figureRecipes(*library));
  FATHOM_TRY(shelf.reviews, storedReviews(*library));
  FATHOM_TRY(const auto index, CurveIndex::open(project));
  FATHOM_TRY(const auto rows, RunListing(*library, index.get()).rows());
  for (const RunRow& row : rows) shelf.runs.push_back({row.identity.uuid, row.name});
  shelf.readOnly = library->readOnly();
  return shelf;
}

}  // namespace fathom
