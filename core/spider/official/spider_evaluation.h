// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/base/threads/stop_token.h"
#include "core/spider/official/spider_exact_match.h"
#include "core/spider/official/spider_hardness.h"

namespace fathom {

struct SpiderPair {
  std::string dbId;
  std::string gold;
  std::string predicted;
};

struct SpiderVerdict {
  SpiderHardness hardness = SpiderHardness::Easy;
  MatchResult match;
  // Why the official parser refuses the prediction (then scored as an empty query); empty when it parses.
  std::string parseError;
  bool goldError = false;  // the gold query does not parse: not scored (the official script stops there)
};

// One column of the printed tables.
struct SpiderLevelScores {
  int count = 0;
  double exact = 0;  // share of exact matches
  struct Partial {
    double accuracy = 0, recall = 0, f1 = 0;
  };
  std::array<Partial, kMatchComponents> partial{};
};

struct SpiderEvaluation {
  std::vector<SpiderVerdict> verdicts;  // one per pair
  // easy, medium, hard, extra, all
  std::array<SpiderLevelScores, kHardnessLevels + 1> levels{};
  int exactCount = 0;
  int parseErrors = 0;
  std::vector<std::string> goldErrors;  // "pair 12 (db): reason"
};

struct SpiderEvaluationOptions {
  MatchRules rules = MatchRules::Official;
  int threads = 1;
};

// Scores all pairs (docs/spider_evaluation.md §5). Error: a database that `schemas` does not know, named with
// its pair.
Result<SpiderEvaluation> evaluateSpider(const std::vector<SpiderPair>& pairs, const SpiderSchemas& schemas,
                                        const SpiderEvaluationOptions& options = {},
                                        const StopToken& stop = {});

// Averages verdicts the way the official script does. Also used for slices: `subset` empty = all.
std::array<SpiderLevelScores, kHardnessLevels + 1> averageSpider(const std::vector<SpiderVerdict>& verdicts,
                                                                 const std::vector<std::size_t>& subset = {});

// All the official script prints for etype "match": wrong pairs, parse errors, tables. Byte for byte.
std::string officialReport(const std::vector<SpiderPair>& pairs, const SpiderEvaluation& evaluation);
// The tables alone.
std::string officialScoreTables(const SpiderEvaluation& evaluation);

}  // namespace fathom
