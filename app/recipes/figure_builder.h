// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/recipes/library_source.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/figures/style_sheet.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/run_listing.h"
#include "core/review/judgements.h"
#include "core/review/stored_review.h"
#include "views/figures/figure_entry.h"

namespace fathom {

// Predictions with what people said of them; stays where it was made.
struct FigureReview {
  Review review;
  std::optional<Judgements> judgements;
  ReviewFigureInput input() const { return {review, judgements->categories(), &*judgements}; }
};

// Figures of recipes from the data of a project. Each run is read and predictions are opened once, however
// many figures need them. One thread.
class FigureBuilder {
 public:
  static Result<std::unique_ptr<FigureBuilder>> open(const std::string& project);
  // The figure of a recipe, of runs or of predictions. Of stored results it shows those that are pinned; a
  // note says where a recipe of an older Fathom pins none.
  Result<FigureSpec> build(const FigureRecipe& recipe, Progress& progress, const StopToken& stop);
  // The same of a recipe that is made now: leaves in it which results it was made of, and how its runs are
  // called.
  Result<FigureSpec> buildAndPin(FigureRecipe& recipe, Progress& progress, const StopToken& stop);
  // The predictions that a recipe names; borrowed until the builder goes.
  Result<const FigureReview*> review(const FigureRecipe& recipe, Progress& progress, const StopToken& stop);
  // The runs it names; usage error for one that is gone.
  Result<std::vector<RunRow>> runs(const FigureRecipe& recipe);
  // All figures of a composition, in the order of its panels. The error names the panel.
  Result<std::vector<FigureSpec>> build(const FigureComposition& composition, Progress& progress,
                                        const StopToken& stop);
  ProjectLibrary& library() { return *m_library; }
  // Notes for the reader: files that changed since they were stored, figures that are not pinned.
  const std::vector<std::string>& notes() const { return m_notes; }
  // Every stored result that a figure of `build` showed was pinned.
  bool allPinned() const { return m_allPinned; }
  // The stored result that the figure lacked which was built last; none where it was built, or lacks another
  // thing.
  const std::optional<MissingResult>& missing() const { return m_missing; }

 private:
  FigureBuilder() = default;
  struct Built {
    FigureSpec spec;
    FigurePins answers;
    bool allPinned = true;
    std::map<std::string, std::string> runNames = {};
  };
  Result<Built> make(const FigureRecipe& recipe, Progress& progress, const StopToken& stop);
  std::string m_project;
  std::unique_ptr<ProjectLibrary> m_library;
  std::unique_ptr<CurveIndex> m_index;
  std::unique_ptr<RunListing> m_listing;
  std::map<std::string, RunRow> m_rows;                            // by UUID
  std::map<std::string, std::unique_ptr<FigureReview>> m_reviews;  // by the recipe's JSON
  std::vector<std::string> m_notes;
  bool m_allPinned = true;
  std::optional<MissingResult> m_missing;
};

// The figure of these runs, and in the recipe which stored results it was made of: what every command and
// workspace that makes a figure of runs calls before it stores the recipe.
Result<FigureSpec> buildAndPin(FigureRecipe& recipe, const std::string& project, std::vector<RunRow> rows);

// Runs, predictions and figures that a composer may choose from.
struct FigureShelf {
  struct Run {
    std::string uuid, name, wholeName;
  };
  std::vector<FigureComposition> compositions;
  std::vector<FigureRecipe> recipes;
  std::vector<Run> runs;  // oldest first
  std::vector<StoredReview> reviews;
  std::vector<StyleSheet> sheets;
  bool readOnly = false;
};
Result<FigureShelf> readFigureShelf(const std::string& project);

}  // namespace fathom
