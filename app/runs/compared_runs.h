// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/analysis/training/run_comparison.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

// Metrics that any of these runs has, complete, in the order in which a comparison shows them: what says most
// about a run first, then the others that are compared, then the rest; else by their ids.
Metrics comparedMetrics(const std::vector<RunFacts>& runs, const MetricCatalogue& catalogue);

// Rows of a project side by side, the first as the base (core/analysis/training/run_comparison.h).
RunComparison compareRows(const std::vector<RunRow>& rows, bool groupSeeds, bool best);

}  // namespace fathom
