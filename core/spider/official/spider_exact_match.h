// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "core/spider/official/sql_parser.h"

namespace fathom {

// The ten components in the order the official report prints them (docs/spider_evaluation.md §4.2).
enum class MatchComponent {
  Select,
  SelectNoAgg,
  Where,
  WhereNoOp,
  GroupNoHaving,
  Group,
  Order,
  AndOr,
  Iuen,
  Keywords
};
constexpr std::size_t kMatchComponents = 10;
const char* matchComponentName(std::size_t component);  // "select", "select(no AGG)", …

struct ComponentScore {
  int goldTotal = 0;
  int predictedTotal = 0;
  int correct = 0;
  // All or nothing: accuracy, recall and F1 of one example are this number.
  int score() const { return predictedTotal == goldTotal && correct == predictedTotal ? 1 : 0; }
};

struct MatchResult {
  bool exact = false;
  bool tablesDiffer = false;  // all components agree, the FROM tables do not
  std::array<ComponentScore, kMatchComponents> components;
};

// Which evaluator: the official one, or DT-Fixup's internal one (docs/spider_evaluation.md §7).
enum class MatchRules { Official, DtFixup };

// Erases values and DISTINCT and merges foreign-key siblings as the evaluator does before it compares
// (docs/spider_evaluation.md §4.1).
SqlQuery normaliseForMatch(const SqlQuery& query, const SpiderSchema& schema,
                           MatchRules rules = MatchRules::Official);

// Compares two normalised queries.
MatchResult compareNormalised(const SqlQuery& predicted, const SqlQuery& gold, const SpiderSchema& schema,
                              MatchRules rules = MatchRules::Official);

// Both steps. An empty SqlQuery stands for a prediction that does not parse.
MatchResult exactMatch(const SqlQuery& predicted, const SqlQuery& gold, const SpiderSchema& schema,
                       MatchRules rules = MatchRules::Official);

}  // namespace fathom
