// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/training/option_axes.h"
#include "core/base/options/metric.h"
#include "core/base/options/option_field.h"
#include "views/figure/figure_spec.h"

namespace fathom {

// What figures of runs by their options have in common: the metric, which value of it, and the runs.

// The options "metric" and "score".
std::vector<OptionField> runScoreFields();

struct ScoredRuns {
  std::vector<RunFacts> facts;
  ReachedScores scores;
  Metric metric;
};
// The chosen runs with their scores; without a metric the one that says most about them. Usage error for
// fewer than two runs.
Result<ScoredRuns> scoredRuns(AnalysisSource& source, const OptionValues& options);

// What a caption must say of them: which value counts, how many runs have none.
std::vector<Phrase> scoredRunNotes(const ScoredRuns& runs);

}  // namespace fathom
