// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/comparison/run_score_fields.h"

#include "core/analysis/training/stability_grid.h"
#include "core/base/options/field_builder.h"
#include "core/library/runs/metric_catalogue.h"
#include "views/figures/text_fields.h"

namespace fathom {

std::vector<OptionField> runScoreFields() {
  return {
      typedField("metric", "Metric",
                 "Score of the runs, such as valid.bleu or valid.nll; empty: the one that says most about "
                 "the runs."),
      choiceField("score", "Score", "Best value of a run, or the one at its end.",
                  {{"best", "best"}, {"last", "last"}})};
}

Result<ScoredRuns> scoredRuns(AnalysisSource& source, const OptionValues& options) {
  ScoredRuns runs;
  for (const std::string& run : source.runs()) {
    FATHOM_TRY(RunFacts facts, source.facts(run));
    runs.facts.push_back(std::move(facts));
  }
  if (runs.facts.empty()) return noRunChosen();
  if (runs.facts.size() < 2)
    return usageError(Phrase::tr("one run says nothing about an option"),
                      Phrase::tr("choose two or more runs"));
  std::string metric = options.text("metric");
  if (metric.empty()) metric = MetricCatalogue().leading(stabilityMetrics(runs.facts));
  FATHOM_TRY(runs.scores, reachedScores(runs.facts, metric, options.text("score") == "best"));
  runs.metric = MetricCatalogue().of(metric);
  return runs;
}

std::vector<Phrase> scoredRunNotes(const ScoredRuns& runs) {
  std::vector<Phrase> notes = {runs.scores.best ? Phrase(Phrase::tr("best value of each run"))
                                                : Phrase(Phrase::tr("value at the end of each run"))};
  if (runs.scores.missing > 0)
    notes.push_back(Phrase::tr("%1 of %2 runs failed, are at work or lack the metric")(runs.scores.missing,
                                                                                       runs.facts.size()));
  if (runs.scores.withoutBest > 0)
    notes.push_back(
        Phrase::tr("%1 of them have a value at the end, but no best one")(runs.scores.withoutBest));
  return notes;
}

}  // namespace fathom
