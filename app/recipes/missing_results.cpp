// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recipes/missing_results.h"

#include "app/recipes/figure_builder.h"
#include "app/requests/analysis_job.h"
#include "core/record/runs/checkpoint_choice.h"

namespace fathom {

Status computeMissingResults(const FigureRecipe& recipe, const std::string& project, Progress& progress,
                             const StopToken& stop) {
  // A figure may want two results of a run, at two checkpoints.
  const std::size_t most = 2 * recipe.runs.size() + 1;
  for (std::size_t computed = 0;; ++computed) {
    FATHOM_TRY(const auto builder, FigureBuilder::open(project));
    const auto spec = builder->build(recipe, progress, stop);
    if (spec.ok()) return {};
    const auto& missing = builder->missing();
    if (!missing || computed == most) return spec.error();
    AnalysisWish wish = wishOf(*missing);
    // A run that kept no checkpoint has its initial state.
    if (wish.checkpoint.empty() && !chooseCheckpoint(missing->run.path, {}).ok()) wish.checkpoint = "init";
    FATHOM_CHECK(computeAnalyses(project, missing->run, wish, progress, stop));
  }
}

}  // namespace fathom
