// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/grammar_search.h"

#include <algorithm>

namespace fathom {

namespace {

struct Candidate {
  std::size_t from;
  GrammarAction action;
  double score;
};

std::vector<Candidate> expand(const std::vector<GrammarHypothesis>& live,
                              const std::vector<std::vector<double>>& scores, int columns,
                              double columnWeight) {
  std::vector<Candidate> candidates;
  for (std::size_t h = 0; h < live.size(); ++h) {
    for (const GrammarAction action : live[h].state.validActions(columns)) {
      const bool column = action >= kSelectColumn;
      const auto at = static_cast<std::size_t>(column ? kGrammarRules + 1 + action - kSelectColumn : action);
      const double gain = scores.at(h).at(at) * (column ? columnWeight : 1.0);
      candidates.push_back({h, action, live[h].score + gain});
    }
  }
  return candidates;
}

bool better(const Candidate& a, const Candidate& b) {
  return a.score > b.score;
}

}  // namespace

GrammarSearchResult searchGrammar(int columns, const GrammarScorer& scorer,
                                  const GrammarSearchOptions& options) {
  GrammarSearchResult result;
  std::vector<GrammarHypothesis> live(1);
  const auto beam = static_cast<std::size_t>(std::max(1, options.beam));
  for (int step = 0; step < options.maxSteps && result.completed.size() < beam && !live.empty(); ++step) {
    std::vector<const GrammarHypothesis*> rows;
    for (const auto& hypothesis : live) rows.push_back(&hypothesis);
    auto candidates = expand(live, scorer(rows), columns, options.columnWeight);
    const auto total = static_cast<int>(candidates.size());
    std::stable_sort(candidates.begin(), candidates.end(), better);
    candidates.resize(std::min(candidates.size(), beam - result.completed.size()));
    std::vector<GrammarHypothesis> next;
    for (const auto& candidate : candidates) {
      GrammarHypothesis hypothesis = live[candidate.from];
      hypothesis.state.apply(candidate.action);
      hypothesis.actions.push_back(candidate.action);
      hypothesis.score = candidate.score;
      auto& target = hypothesis.state.complete() ? result.completed : next;
      target.push_back(std::move(hypothesis));
    }
    live = std::move(next);
    result.steps.push_back({total, static_cast<int>(live.size()), static_cast<int>(result.completed.size())});
  }
  std::stable_sort(result.completed.begin(), result.completed.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return result;
}

}  // namespace fathom
