// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

// DT-Fixup's grammar of SQL: 45 productions over 16 types (docs/sql_grammar.md §1). Ids are ranks of the
// text forms and part of the released weights' layout: never renumber.
enum GrammarType : std::int8_t {
  kTypeAggOp,
  kTypeColId,
  kTypeColUnit,
  kTypeCond,
  kTypeFromCond,
  kTypeFrom,
  kTypeGroupBy,
  kTypeHaving,
  kTypeOrderBy,
  kTypeOrderOp,
  kTypeQuery,
  kTypeSelCol,
  kTypeSelect,
  kTypeStmt,
  kTypeValUnit,
  kTypeWhere
};
constexpr int kGrammarTypes = 16;
const char* grammarTypeName(int type);  // "agg_op", …

enum GrammarRule : std::int8_t {
  kRuleAvg,
  kRuleCount,
  kRuleMax,
  kRuleMin,
  kRuleNone,
  kRuleSum,
  kRuleColUnit,
  kRuleAnd,
  kRuleBetween,
  kRuleEqual,
  kRuleGreater,
  kRuleGreaterEqual,
  kRuleIn,
  kRuleInequal,
  kRuleLess,
  kRuleLessEqual,
  kRuleLike,
  kRuleNestedEqual,
  kRuleNestedGreater,
  kRuleNestedGreaterEqual,
  kRuleNestedInequal,
  kRuleNestedLess,
  kRuleNestedLessEqual,
  kRuleNotIn,
  kRuleNotLike,
  kRuleOr,
  kRuleFromCond,
  kRuleFrom,
  kRuleGroupBy,
  kRuleHaving,
  kRuleOrder,
  kRuleSuperlative,
  kRuleAsc,
  kRuleDesc,
  kRuleQuery,
  kRuleSelectCol,
  kRuleSelect,
  kRuleExcept,
  kRuleIntersect,
  kRuleSingleQuery,
  kRuleUnion,
  kRuleValUnit,
  kRuleValUnitMinus,
  kRuleValUnitPlus,
  kRuleWhere
};
constexpr int kGrammarRules = 45;
constexpr int kReduce = 45;  // the 46th output: ends a list, leaves out an optional field

enum class Cardinality : std::int8_t { One, Optional, Many };

struct GrammarField {
  GrammarType type;
  Cardinality cardinality;
};

struct GrammarProduction {
  GrammarType type;
  const char* constructor;
  std::vector<GrammarField> fields;
};

const std::array<GrammarProduction, kGrammarRules>& grammarProductions();
// Ids of a type's productions, ascending; empty for col_id.
const std::vector<int>& productionsOf(GrammarType type);

}  // namespace fathom
