// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/sql_grammar.h"

namespace fathom {

const char* grammarTypeName(int type) {
  static constexpr std::array<const char*, kGrammarTypes> kNames = {
      "agg_op",       "col_id",      "col_unit",     "cond_expr", "from_cond_expr", "from_expr",
      "groupBy_expr", "having_expr", "orderBy_expr", "order_op",  "query_expr",     "sel_col",
      "sel_expr",     "stmt",        "val_unit",     "where_expr"};
  return kNames.at(static_cast<std::size_t>(type));
}

const std::array<GrammarProduction, kGrammarRules>& grammarProductions() {
  constexpr auto one = Cardinality::One, optional = Cardinality::Optional, many = Cardinality::Many;
  static const std::vector<GrammarField> unit = {{kTypeValUnit, one}};
  static const std::vector<GrammarField> nested = {{kTypeValUnit, one}, {kTypeQuery, one}};
  static const std::vector<GrammarField> two = {{kTypeCond, one}, {kTypeCond, one}};
  static const std::vector<GrammarField> columns = {{kTypeColUnit, one}, {kTypeColUnit, one}};
  static const std::vector<GrammarField> order = {{kTypeOrderOp, one}, {kTypeValUnit, many}};
  static const std::vector<GrammarField> bodies = {{kTypeQuery, one}, {kTypeQuery, one}};
  static const std::array<GrammarProduction, kGrammarRules> productions = {{
      {kTypeAggOp, "avg", {}},
      {kTypeAggOp, "count", {}},
      {kTypeAggOp, "max", {}},
      {kTypeAggOp, "min", {}},
      {kTypeAggOp, "none", {}},
      {kTypeAggOp, "sum", {}},
      {kTypeColUnit, "ColUnit", {{kTypeAggOp, one}, {kTypeColId, one}}},
      {kTypeCond, "And", two},
      {kTypeCond, "Between", unit},
      {kTypeCond, "Equal", unit},
      {kTypeCond, "Greater", unit},
      {kTypeCond, "GreaterEqual", unit},
      {kTypeCond, "In", nested},
      {kTypeCond, "Inequal", unit},
      {kTypeCond, "Less", unit},
      {kTypeCond, "LessEqual", unit},
      {kTypeCond, "Like", unit},
      {kTypeCond, "NestedEqual", nested},
      {kTypeCond, "NestedGreater", nested},
      {kTypeCond, "NestedGreaterEqual", nested},
      {kTypeCond, "NestedInequal", nested},
      {kTypeCond, "NestedLess", nested},
      {kTypeCond, "NestedLessEqual", nested},
      {kTypeCond, "NotIn", nested},
      {kTypeCond, "NotLike", unit},
      {kTypeCond, "Or", two},
      {kTypeFromCond, "FromCond", columns},
      {kTypeFrom, "From", {{kTypeFromCond, many}}},
      {kTypeGroupBy, "GroupBy", {{kTypeColUnit, many}}},
      {kTypeHaving, "Having", {{kTypeCond, one}}},
      {kTypeOrderBy, "Order", order},
      {kTypeOrderBy, "Superlative", order},
      {kTypeOrderOp, "asc", {}},
      {kTypeOrderOp, "desc", {}},
      {kTypeQuery,
       "Query",
       {{kTypeSelect, one},
        {kTypeFrom, optional},
        {kTypeWhere, optional},
        {kTypeHaving, optional},
        {kTypeOrderBy, optional},
        {kTypeGroupBy, optional}}},
      {kTypeSelCol, "SelectCol", {{kTypeAggOp, one}, {kTypeValUnit, one}}},
      {kTypeSelect, "Select", {{kTypeSelCol, many}}},
      {kTypeStmt, "Except", bodies},
      {kTypeStmt, "Intersect", bodies},
      {kTypeStmt, "SingleQuery", {{kTypeQuery, one}}},
      {kTypeStmt, "Union", bodies},
      {kTypeValUnit, "ValUnit", {{kTypeColUnit, one}}},
      {kTypeValUnit, "ValUnitMinus", columns},
      {kTypeValUnit, "ValUnitPlus", columns},
      {kTypeWhere, "Where", {{kTypeCond, one}}},
  }};
  return productions;
}

const std::vector<int>& productionsOf(GrammarType type) {
  static const std::array<std::vector<int>, kGrammarTypes> table = [] {
    std::array<std::vector<int>, kGrammarTypes> out;
    for (int id = 0; id < kGrammarRules; ++id) {
      out[static_cast<std::size_t>(grammarProductions()[static_cast<std::size_t>(id)].type)].push_back(id);
    }
    return out;
  }();
  return table[static_cast<std::size_t>(type)];
}

}  // namespace fathom
