// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/spider/grammar/action_sequence.h"

namespace fathom {

struct GrammarHypothesis {
  GrammarState state;
  std::vector<GrammarAction> actions;
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
  std::vector<GrammarHypothesis> completed;  // best first; empty when nothing ended in time
  std::vector<GrammarSearchStep> steps;
};

// The plain search, one example, double precision: the reference for the batched search on the device. Ties
// go to the earlier candidate: hypotheses by rank, productions ascending, then Reduce; columns ascending.
GrammarSearchResult searchGrammar(int columns, const GrammarScorer& scorer,
                                  const GrammarSearchOptions& options = {});

}  // namespace fathom
