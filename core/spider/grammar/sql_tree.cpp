// SPDX-License-Identifier: Apache-2.0
#include "core/spider/grammar/sql_tree.h"

#include <algorithm>
#include <array>
#include <set>

namespace fathom {

namespace {

GrammarTree node(int production) {
  GrammarTree tree;
  tree.production = production;
  tree.fields.resize(grammarProductions()[static_cast<std::size_t>(production)].fields.size());
  return tree;
}

int aggregateRule(int aggregate) {
  static constexpr std::array<int, 6> kRules = {kRuleNone,  kRuleMax, kRuleMin,
                                                kRuleCount, kRuleSum, kRuleAvg};
  return kRules[static_cast<std::size_t>(aggregate)];
}
int ruleAggregate(int rule) {
  switch (rule) {
    case kRuleMax:
      return kAggMax;
    case kRuleMin:
      return kAggMin;
    case kRuleCount:
      return kAggCount;
    case kRuleSum:
      return kAggSum;
    case kRuleAvg:
      return kAggAvg;
    default:
      return kAggNone;
  }
}

struct ComparisonRules {
  SqlWhereOp op;
  int plain, nested;
};
constexpr std::array<ComparisonRules, 6> kComparisons = {
    {{kOpEqual, kRuleEqual, kRuleNestedEqual},
     {kOpGreater, kRuleGreater, kRuleNestedGreater},
     {kOpLess, kRuleLess, kRuleNestedLess},
     {kOpGreaterEqual, kRuleGreaterEqual, kRuleNestedGreaterEqual},
     {kOpLessEqual, kRuleLessEqual, kRuleNestedLessEqual},
     {kOpNotEqual, kRuleInequal, kRuleNestedInequal}}};

// A construct outside the grammar. Caught in treeFromQuery.
struct NotExpressible {
  std::string what;
};

// ---- SQL -> tree
// ----------------------------------------------------------------------------------------------

class TreeBuilder {
 public:
  explicit TreeBuilder(const SpiderSchema& schema) : m_schema(schema) {}

  GrammarTree statement(const SqlQuery& q) {
    if (q.setOp == kSetNone) {
      GrammarTree tree = node(kRuleSingleQuery);
      tree.fields[0].push_back(query(q));
      return tree;
    }
    GrammarTree tree = node(q.setOp == kSetExcept  ? kRuleExcept
                            : q.setOp == kSetUnion ? kRuleUnion
                                                   : kRuleIntersect);
    tree.fields[0].push_back(query(q));
    tree.fields[1].push_back(query(*q.partner));
    return tree;
  }

 private:
  GrammarTree query(const SqlQuery& q) {
    const SqlQuery* outer = m_query;
    m_query = &q;
    GrammarTree tree = node(kRuleQuery);
    GrammarTree select = node(kRuleSelect);
    for (const auto& item : q.select) select.fields[0].push_back(selectColumn(item));
    tree.fields[0].push_back(std::move(select));
    if (!q.on.empty()) tree.fields[1].push_back(from(q));
    if (!q.where.empty()) tree.fields[2].push_back(wrapped(kRuleWhere, q.where));
    if (!q.having.empty()) tree.fields[3].push_back(wrapped(kRuleHaving, q.having));
    if (q.orderBy) tree.fields[4].push_back(order(q));
    if (!q.groupBy.empty()) {
      GrammarTree group = node(kRuleGroupBy);
      for (const auto& unit : q.groupBy) group.fields[0].push_back(columnUnit(unit));
      tree.fields[5].push_back(std::move(group));
    }
    m_query = outer;
    return tree;
  }

  GrammarTree selectColumn(const SqlSelectItem& item) {
    GrammarTree tree = node(kRuleSelectCol);
    tree.fields[0].push_back(node(aggregateRule(item.aggregate)));
    tree.fields[1].push_back(valUnit(item.unit));
    return tree;
  }

  GrammarTree valUnit(const SqlValUnit& unit) {
    if (unit.op == kUnitTimes || unit.op == kUnitDivide) throw NotExpressible{unitOpName(unit.op)};
    GrammarTree tree = node(unit.op == kUnitNone    ? kRuleValUnit
                            : unit.op == kUnitMinus ? kRuleValUnitMinus
                                                    : kRuleValUnitPlus);
    tree.fields[0].push_back(columnUnit(unit.first));
    if (unit.second) tree.fields[1].push_back(columnUnit(*unit.second));
    return tree;
  }

  GrammarTree columnUnit(const SqlColumnUnit& unit) {
    GrammarTree tree = node(kRuleColUnit);
    tree.fields[0].push_back(node(aggregateRule(unit.aggregate)));
    GrammarTree leaf;
    leaf.column = unit.column == 0 ? star() : expandedColumn(m_schema, unit.column);
    tree.fields[1].push_back(std::move(leaf));
    return tree;
  }

  // One table in FROM: its own star; otherwise the global one.
  int star() const {
    const auto& tables = m_query->tables;
    return tables.size() == 1 && tables[0].table >= 0 ? tables[0].table + 1 : 0;
  }

  int tableOf(int column) const { return m_schema.columns[static_cast<std::size_t>(column)].table; }

  // Tables that clauses other than FROM mention.
  std::set<int> mentionedTables(const SqlQuery& q) const {
    std::set<int> tables;
    const auto add = [&](const SqlValUnit& unit) {
      tables.insert(tableOf(unit.first.column));
      if (unit.second) tables.insert(tableOf(unit.second->column));
    };
    for (const auto& item : q.select) add(item.unit);
    for (const auto* conditions : {&q.where, &q.having}) {
      for (const auto& unit : conditions->units) add(unit.unit);
    }
    for (const auto& unit : q.groupBy) tables.insert(tableOf(unit.column));
    if (q.orderBy) {
      for (const auto& unit : q.orderBy->units) add(unit);
    }
    return tables;
  }

  // A side whose table is not in FROM (an alias used again in a sub-query) gets the column of that name that
  // is.
  SqlColumnUnit joinSide(SqlColumnUnit unit, const std::set<int>& mentioned,
                         const std::vector<int>& remaining) const {
    const int table = tableOf(unit.column);
    if (mentioned.contains(table) || std::find(remaining.begin(), remaining.end(), table) != remaining.end())
      return unit;
    const auto& key = m_schema.columns[static_cast<std::size_t>(unit.column)].key;
    for (const int candidate : remaining) {
      if (const int column = m_schema.columnIndex(candidate, key); column >= 0) {
        unit.column = column;
        return unit;
      }
    }
    return unit;
  }

  GrammarTree from(const SqlQuery& q) {
    const std::set<int> mentioned = mentionedTables(q);
    std::vector<int> remaining;
    for (const auto& unit : q.tables) {
      if (unit.table >= 0 && !mentioned.contains(unit.table)) remaining.push_back(unit.table);
    }
    GrammarTree tree = node(kRuleFrom);
    for (const auto& condition : q.on.units) {
      if (condition.op != kOpEqual || condition.first.kind != SqlValue::Kind::Column)
        throw NotExpressible{"a join condition that is no equality of columns"};
      GrammarTree pair = node(kRuleFromCond);
      pair.fields[0].push_back(columnUnit(joinSide(condition.unit.first, mentioned, remaining)));
      pair.fields[1].push_back(columnUnit(joinSide(condition.first.column, mentioned, remaining)));
      tree.fields[0].push_back(std::move(pair));
    }
    return tree;
  }

  GrammarTree wrapped(int rule, const SqlConditions& conditions) {
    GrammarTree tree = node(rule);
    tree.fields[0].push_back(conditionsFrom(conditions, 0));
    return tree;
  }

  // Right-branching in text order: a AND b OR c is And(a, Or(b, c)).
  GrammarTree conditionsFrom(const SqlConditions& conditions, std::size_t at) {
    if (at >= conditions.connectives.size() || at + 1 >= conditions.units.size())
      return condition(conditions.units[at]);
    GrammarTree tree = node(conditions.connectives[at] == SqlConnective::Or ? kRuleOr : kRuleAnd);
    tree.fields[0].push_back(condition(conditions.units[at]));
    tree.fields[1].push_back(conditionsFrom(conditions, at + 1));
    return tree;
  }

  static int conditionRule(const SqlCondition& c) {
    const bool nested = c.first.kind == SqlValue::Kind::Query;
    if (c.op == kOpIn && nested) return c.negated ? kRuleNotIn : kRuleIn;
    if (c.op == kOpLike && !nested) return c.negated ? kRuleNotLike : kRuleLike;
    if (c.op == kOpBetween && !c.negated) return kRuleBetween;  // its values are dropped, queries or not
    for (const auto& comparison : kComparisons) {
      if (c.op == comparison.op && !c.negated) return nested ? comparison.nested : comparison.plain;
    }
    throw NotExpressible{std::string(c.negated ? "NOT " : "") + whereOpName(c.op)};
  }

  GrammarTree condition(const SqlCondition& c) {
    GrammarTree tree = node(conditionRule(c));
    tree.fields[0].push_back(valUnit(c.unit));
    if (tree.fields.size() > 1) tree.fields[1].push_back(query(*c.first.query));
    return tree;
  }

  GrammarTree order(const SqlQuery& q) {
    GrammarTree tree = node(q.limit ? kRuleSuperlative : kRuleOrder);
    tree.fields[0].push_back(node(q.orderBy->descending ? kRuleDesc : kRuleAsc));
    for (const auto& unit : q.orderBy->units) tree.fields[1].push_back(valUnit(unit));
    return tree;
  }

  const SpiderSchema& m_schema;
  const SqlQuery* m_query = nullptr;
};

// ---- tree -> SQL
// ----------------------------------------------------------------------------------------------

class QueryBuilder {
 public:
  QueryBuilder(const SpiderSchema& schema, TableOrder order) : m_schema(schema), m_order(order) {}

  SqlQuery statement(const GrammarTree& tree) {
    SqlQuery q = query(tree.fields[0][0]);
    if (tree.production == kRuleSingleQuery) return q;
    q.setOp = tree.production == kRuleExcept  ? kSetExcept
              : tree.production == kRuleUnion ? kSetUnion
                                              : kSetIntersect;
    q.partner = std::make_shared<const SqlQuery>(query(tree.fields[1][0]));
    return q;
  }

 private:
  SqlQuery query(const GrammarTree& tree) {
    std::vector<int> outer;
    std::swap(outer, m_tables);
    SqlQuery q;
    for (const auto& column : tree.fields[0][0].fields[0]) {
      q.select.push_back({static_cast<std::int8_t>(ruleAggregate(column.fields[0][0].production)),
                          valUnit(column.fields[1][0])});
    }
    std::vector<int> twice;
    for (const auto& from : tree.fields[1]) join(from, q, twice);
    for (const auto& where : tree.fields[2]) conditions(where.fields[0][0], q.where);
    for (const auto& having : tree.fields[3]) conditions(having.fields[0][0], q.having);
    for (const auto& order : tree.fields[4]) {
      SqlOrder out;
      out.descending = order.fields[0][0].production == kRuleDesc;
      for (const auto& unit : order.fields[1]) out.units.push_back(valUnit(unit));
      q.orderBy = std::move(out);
      if (order.production == kRuleSuperlative) q.limit = 1;
    }
    for (const auto& group : tree.fields[5]) {
      for (const auto& unit : group.fields[0]) q.groupBy.push_back(columnUnit(unit));
    }
    for (const int table : orderedTables(m_tables, m_order)) q.tables.push_back({table, nullptr});
    for (const int table : twice) q.tables.push_back({table, nullptr});
    std::swap(outer, m_tables);
    return q;
  }

  void join(const GrammarTree& from, SqlQuery& q, std::vector<int>& twice) {
    for (const auto& pair : from.fields[0]) {
      SqlCondition condition;
      condition.unit.first = columnUnit(pair.fields[0][0]);
      condition.first.kind = SqlValue::Kind::Column;
      condition.first.column = columnUnit(pair.fields[1][0]);
      const int left = tableOf(pair.fields[0][0]);
      if (left >= 0 && left == tableOf(pair.fields[1][0])) twice.push_back(left);
      if (!q.on.units.empty()) q.on.connectives.push_back(SqlConnective::And);
      q.on.units.push_back(std::move(condition));
    }
  }

  // Table of a column unit; a star may be that of a table.
  int tableOf(const GrammarTree& unit) const {
    return expandedColumnAt(m_schema, unit.fields[1][0].column).table;
  }

  SqlValUnit valUnit(const GrammarTree& tree) {
    SqlValUnit unit;
    unit.op = tree.production == kRuleValUnitMinus  ? kUnitMinus
              : tree.production == kRuleValUnitPlus ? kUnitPlus
                                                    : kUnitNone;
    unit.first = columnUnit(tree.fields[0][0]);
    if (tree.fields.size() > 1) unit.second = columnUnit(tree.fields[1][0]);
    return unit;
  }

  SqlColumnUnit columnUnit(const GrammarTree& tree) {
    const ExpandedColumn expanded = expandedColumnAt(m_schema, tree.fields[1][0].column);
    SqlColumnUnit unit;
    unit.aggregate = static_cast<std::int8_t>(ruleAggregate(tree.fields[0][0].production));
    unit.column = expanded.column;
    m_tables.push_back(expanded.table);
    return unit;
  }

  void conditions(const GrammarTree& tree, SqlConditions& out) {
    if (tree.production == kRuleAnd || tree.production == kRuleOr) {
      conditions(tree.fields[0][0], out);
      out.connectives.push_back(tree.production == kRuleOr ? SqlConnective::Or : SqlConnective::And);
      conditions(tree.fields[1][0], out);
      return;
    }
    SqlCondition c;
    c.unit = valUnit(tree.fields[0][0]);
    c.op = kOpEqual;
    for (const auto& comparison : kComparisons) {
      if (tree.production == comparison.plain || tree.production == comparison.nested) c.op = comparison.op;
    }
    if (tree.production == kRuleBetween) c.op = kOpBetween;
    if (tree.production == kRuleLike || tree.production == kRuleNotLike) c.op = kOpLike;
    if (tree.production == kRuleIn || tree.production == kRuleNotIn) c.op = kOpIn;
    c.negated = tree.production == kRuleNotIn || tree.production == kRuleNotLike;
    if (tree.fields.size() > 1) {
      c.first.kind = SqlValue::Kind::Query;
      c.first.query = std::make_shared<const SqlQuery>(query(tree.fields[1][0]));
    } else {
      c.first.kind = SqlValue::Kind::Text;
      c.first.text = "\"value\"";
      if (c.op == kOpBetween) c.second = c.first;
    }
    out.units.push_back(std::move(c));
  }

  const SpiderSchema& m_schema;
  TableOrder m_order;
  std::vector<int> m_tables;  // visited in the query being built; its sub-queries have their own
};

// ---- the filter of the search
// ---------------------------------------------------------------------------------

bool bareStar(const SqlValUnit& unit, int outerAggregate) {
  const auto bare = [&](const SqlColumnUnit& c) {
    return c.column == 0 && c.aggregate == kAggNone && outerAggregate == kAggNone;
  };
  return bare(unit.first) || (unit.second && bare(*unit.second));
}

bool queryIsValid(const SqlQuery& q, const SpiderSchema& schema);

bool conditionsAreValid(const SqlConditions& conditions, const SpiderSchema& schema, bool where) {
  return std::all_of(conditions.units.begin(), conditions.units.end(), [&](const SqlCondition& c) {
    const bool aggregate =
        c.unit.first.aggregate != kAggNone || (c.unit.second && c.unit.second->aggregate != kAggNone);
    if (bareStar(c.unit, kAggNone) || (where && aggregate)) return false;
    return !c.first.query || queryIsValid(*c.first.query, schema);
  });
}

bool joinsAreValid(const SqlQuery& q, const SpiderSchema& schema) {
  std::set<int> joined, tables;
  for (const auto& unit : q.tables) tables.insert(unit.table);
  for (const auto& condition : q.on.units) {
    if (condition.unit.first.column == 0 || condition.first.column.column == 0) return false;
    joined.insert(schema.columns[static_cast<std::size_t>(condition.unit.first.column)].table);
    joined.insert(schema.columns[static_cast<std::size_t>(condition.first.column.column)].table);
  }
  if (tables.size() > 1) return joined == tables;
  return q.tables.size() != 1 || q.on.empty();
}

bool queryIsValid(const SqlQuery& q, const SpiderSchema& schema) {
  for (std::size_t i = 0; i < q.select.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (q.select[i] == q.select[k]) return false;
    }
  }
  if (!joinsAreValid(q, schema)) return false;
  if (!conditionsAreValid(q.where, schema, true) || !conditionsAreValid(q.having, schema, false))
    return false;
  for (const auto& unit : q.groupBy) {
    if (unit.column == 0 && unit.aggregate == kAggNone) return false;
  }
  if (q.orderBy && std::any_of(q.orderBy->units.begin(), q.orderBy->units.end(),
                               [](const auto& u) { return bareStar(u, kAggNone); }))
    return false;
  return !q.partner || queryIsValid(*q.partner, schema);
}

}  // namespace

int expandedColumn(const SpiderSchema& schema, int column) {
  return column + static_cast<int>(schema.tables.size());
}
int expandedCount(const SpiderSchema& schema) {
  return static_cast<int>(schema.columns.size() + schema.tables.size());
}

ExpandedColumn expandedColumnAt(const SpiderSchema& schema, int expanded) {
  const int tables = static_cast<int>(schema.tables.size());
  if (expanded <= 0 || expanded >= expandedCount(schema)) return {};
  if (expanded <= tables) return {0, expanded - 1};
  const int column = expanded - tables;
  return {column, schema.columns[static_cast<std::size_t>(column)].table};
}

Result<GrammarTree> treeFromQuery(const SqlQuery& query, const SpiderSchema& schema) {
  try {
    return TreeBuilder(schema).statement(query);
  } catch (const NotExpressible& refusal) {
    return dataError(Phrase::tr("the grammar cannot express %1")(refusal.what));
  }
}

Result<SqlQuery> queryFromTree(const GrammarTree& tree, const SpiderSchema& schema, TableOrder order) {
  const auto checked = treeFromActions(actionsOf(tree), expandedCount(schema));
  if (!checked) return checked.error();
  return QueryBuilder(schema, order).statement(tree);
}

bool treeIsValid(const GrammarTree& tree, const SpiderSchema& schema) {
  const auto query = queryFromTree(tree, schema);
  return query.ok() && queryIsValid(*query, schema);
}

}  // namespace fathom
