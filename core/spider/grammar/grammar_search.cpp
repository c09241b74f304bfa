// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/grammar_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom {

namespace {

struct Candidate {
  std::size_t from, place;  // its hypothesis; its place among all candidates
  GrammarAction action;
  double logP, score, compared;
};

// Score for comparisons: scores of the same derivation by another order of summation are one score.
double rounded(double score) {
  return std::round(score * 1e9);
}

template <typename Scored>
void sortByScore(std::vector<Scored>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Scored& a, const Scored& b) { return rounded(a.score) > rounded(b.score); });
}

// The best ones first, as far as there is room; a tie goes to the earlier one.
void keepBest(std::vector<Candidate>& all, std::size_t room) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), room));
  std::partial_sort(all.begin(), end, all.end(), [](const Candidate& a, const Candidate& b) {
    return a.compared != b.compared ? a.compared > b.compared : a.place < b.place;
  });
  all.erase(end, all.end());
}

}  // namespace

GrammarBeam::GrammarBeam(int columns, const GrammarSearchOptions& options)
    : m_columns(columns), m_options(options), m_live(1), m_parents(1, 0) {
  m_options.beam = std::max(1, options.beam);
}

bool GrammarBeam::ended() const {
  return static_cast<int>(m_result.steps.size()) >= m_options.maxSteps || m_live.empty() ||
         static_cast<int>(m_result.completed.size()) >= m_options.beam;
}

void GrammarBeam::advance(const std::function<double(std::size_t, std::size_t)>& logP) {
  std::vector<Candidate> candidates;
  for (std::size_t h = 0; h < m_live.size(); ++h) {
    for (const GrammarAction action : m_live[h].state.validActions(m_columns)) {
      const bool column = action >= kSelectColumn;
      const std::size_t output = column ? kRuleOutputs + static_cast<std::size_t>(action - kSelectColumn)
                                        : static_cast<std::size_t>(action);
      const double gain = logP(h, output);
      const double score = m_live[h].score + gain * (column ? m_options.columnWeight : 1.0);
      candidates.push_back({h, candidates.size(), action, gain, score, rounded(score)});
    }
  }
  const auto total = static_cast<int>(candidates.size());
  keepBest(candidates, static_cast<std::size_t>(m_options.beam) - m_result.completed.size());
  std::vector<GrammarHypothesis> next;
  m_parents.clear();
  for (const Candidate& candidate : candidates) {
    GrammarHypothesis hypothesis = m_live[candidate.from];
    hypothesis.state.apply(candidate.action);
    hypothesis.actions.push_back(candidate.action);
    hypothesis.logProbabilities.push_back(candidate.logP);
    hypothesis.score = candidate.score;
    if (hypothesis.state.complete()) {
      m_result.completed.push_back(std::move(hypothesis));
      continue;
    }
    next.push_back(std::move(hypothesis));
    m_parents.push_back(candidate.from);
  }
  m_live = std::move(next);
  m_result.steps.push_back(
      {total, static_cast<int>(m_live.size()), static_cast<int>(m_result.completed.size())});
}

GrammarSearchResult GrammarBeam::take() {
  sortByScore(m_result.completed);
  m_result.unfinished = std::move(m_live);
  m_live.clear();
  return std::move(m_result);
}

GrammarSearchResult searchGrammar(int columns, const GrammarScorer& scorer,
                                  const GrammarSearchOptions& options) {
  GrammarBeam beam(columns, options);
  while (!beam.ended()) {
    std::vector<const GrammarHypothesis*> rows;
    for (const auto& hypothesis : beam.live()) rows.push_back(&hypothesis);
    const std::vector<std::vector<double>> scores = scorer(rows);
    beam.advance([&](std::size_t h, std::size_t output) { return scores.at(h).at(output); });
  }
  return beam.take();
}

}  // namespace fathom
