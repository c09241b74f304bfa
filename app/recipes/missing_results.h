// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/errors/result.h"
#include "core/base/threads/progress.h"
#include "core/base/threads/stop_token.h"
#include "core/library/figures/figure_composition.h"

namespace fathom {

// Computes and stores the results that a figure of runs lacks, one after the other, each with an engine of
// its own (app/requests/analysis_job.h). What else keeps the figure from being drawn is an error. Any thread.
Status computeMissingResults(const FigureRecipe& recipe, const std::string& project, Progress& progress,
                             const StopToken& stop);

}  // namespace fathom
