// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/spider/grammar/action_sequence.h"

namespace fathom {

struct GrammarHypothesis {
  GrammarState state;
  std::vector<GrammarAction> actions;
  std::vector<double> logProbabilities;  // of the actions, each counted once
  double score = 0;
};

struct GrammarSearchOptions {
  int beam = 5;
  int maxSteps = 100;
  // Log-probabilities of columns count this often, in the search only (docs/decoding.md §2).
  double columnWeight = 3;
};

// Scores of one step: one row per live hypothesis, each 46 rule outputs (Reduce last) followed by `columns`
// columns.
using GrammarScorer =
    std::function<std::vector<std::vector<double>>(const std::vector<const GrammarHypothesis*>& live)>;

struct GrammarSearchStep {
  int candidates = 0, live = 0, completed = 0;
};

struct GrammarSearchResult {
  std::vector<GrammarHypothesis> completed;   // best first; empty when nothing ended in time
  std::vector<GrammarHypothesis> unfinished;  // that were alive when the search ended, best first
  std::vector<GrammarSearchStep> steps;
};

// Outputs of a scorer for one hypothesis: 46 rules (Reduce last), then the columns.
constexpr std::size_t kRuleOutputs = kReduce + 1;

// The search of one example, step by step, so that a scorer can serve many examples at once. Scores that
// agree after rounding to 1e-9 are a tie and go to the earlier candidate: hypotheses by rank, productions
// ascending, then Reduce; columns ascending. Completed ones of equal score keep the order of completion.
class GrammarBeam {
 public:
  GrammarBeam(int columns, const GrammarSearchOptions& options);
  // Enough are complete, no step is left, or none is alive.
  bool ended() const;
  const std::vector<GrammarHypothesis>& live() const { return m_live; }
  // Which hypothesis of the step before each live one continues.
  const std::vector<std::size_t>& parents() const { return m_parents; }
  // logP(h, output): log p of an output of live()[h]; asked for valid actions only.
  void advance(const std::function<double(std::size_t, std::size_t)>& logP);
  // The whole beam. It is empty afterwards.
  GrammarSearchResult take();

 private:
  int m_columns;
  GrammarSearchOptions m_options;
  std::vector<GrammarHypothesis> m_live;
  std::vector<std::size_t> m_parents;
  GrammarSearchResult m_result;
};

// The plain search, one example, double precision: the reference for the batched search on the device.
GrammarSearchResult searchGrammar(int columns, const GrammarScorer& scorer,
                                  const GrammarSearchOptions& options = {});

}  // namespace fathom
