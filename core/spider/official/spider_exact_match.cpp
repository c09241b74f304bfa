// SPDX-License-Identifier: Apache-2.0
#include "core/spider/official/spider_exact_match.h"

#include <algorithm>
#include <bitset>
#include <string_view>

namespace fathom {

namespace {

// ---- normalisation
// --------------------------------------------------------------------------------------------

class Normaliser {
 public:
  Normaliser(const SpiderSchema& schema, MatchRules rules) : m_schema(schema), m_rules(rules) {}

  SqlQuery run(const SqlQuery& query) {
    m_allowed.assign(m_schema.tables.size(), false);
    for (const auto& unit : query.tables) {
      if (unit.table >= 0) m_allowed[static_cast<std::size_t>(unit.table)] = true;
    }
    SqlQuery out = query;
    eraseValues(out);
    mergeColumns(out);
    return out;
  }

 private:
  void eraseValue(SqlValue& value) const {
    if (value.kind != SqlValue::Kind::Query) {
      value = SqlValue{};
      return;
    }
    auto inner = std::make_shared<SqlQuery>(*value.query);
    eraseValues(*inner);
    value.query = std::move(inner);
  }

  void eraseValues(SqlQuery& query) const {
    for (auto* conditions : {&query.on, &query.where, &query.having}) {
      for (auto& condition : conditions->units) {
        eraseValue(condition.first);
        eraseValue(condition.second);
      }
    }
    if (m_rules == MatchRules::DtFixup) {
      for (auto& unit : query.tables) {
        if (!unit.query) continue;
        auto inner = std::make_shared<SqlQuery>(*unit.query);
        eraseValues(*inner);
        unit.query = std::move(inner);
      }
    }
    if (query.partner) {
      auto partner = std::make_shared<SqlQuery>(*query.partner);
      eraseValues(*partner);
      query.partner = std::move(partner);
    }
  }

  void merge(SqlColumnUnit& unit) const {
    unit.distinct = kDistinctIgnored;
    const auto& column = m_schema.columns[static_cast<std::size_t>(unit.column)];
    if (column.table >= 0 && m_allowed[static_cast<std::size_t>(column.table)]) {
      unit.column = m_schema.keyGroup[static_cast<std::size_t>(unit.column)];
    }
  }
  void merge(SqlValUnit& unit) const {
    merge(unit.first);
    if (unit.second) merge(*unit.second);
  }
  void mergeNested(SqlValue& value) const {
    if (m_rules != MatchRules::DtFixup || !value.query) return;
    auto inner = std::make_shared<SqlQuery>(*value.query);
    mergeColumns(*inner);
    value.query = std::move(inner);
  }

  void mergeColumns(SqlQuery& query) const {
    query.distinct = kDistinctIgnored;
    for (auto& item : query.select) merge(item.unit);
    for (auto* conditions : {&query.on, &query.where, &query.having}) {
      for (auto& condition : conditions->units) {
        merge(condition.unit);
        mergeNested(condition.first);
        mergeNested(condition.second);
      }
    }
    for (auto& unit : query.groupBy) merge(unit);
    if (query.orderBy) {
      for (auto& unit : query.orderBy->units) merge(unit);
    }
    if (query.partner) {
      auto partner = std::make_shared<SqlQuery>(*query.partner);
      mergeColumns(*partner);
      query.partner = std::move(partner);
    }
  }

  const SpiderSchema& m_schema;
  MatchRules m_rules;
  std::vector<bool> m_allowed;  // tables in FROM of the outermost query
};

// ---- components
// -----------------------------------------------------------------------------------------------

// Size of the multiset intersection of predicted and gold elements under `same`.
template <typename A, typename Same>
int commonCount(const std::vector<A>& predicted, const std::vector<A>& gold, const Same& same) {
  std::vector<bool> used(gold.size(), false);
  int count = 0;
  for (const auto& element : predicted) {
    for (std::size_t i = 0; i < gold.size(); ++i) {
      if (used[i] || !same(element, gold[i])) continue;
      used[i] = true;
      ++count;
      break;
    }
  }
  return count;
}

ComponentScore score(std::size_t gold, std::size_t predicted, int correct) {
  return {static_cast<int>(gold), static_cast<int>(predicted), correct};
}

std::string_view groupName(const SpiderSchema& schema, int column) {
  const std::string_view key = schema.columns[static_cast<std::size_t>(column)].key;
  return key.substr(0, key.find('.'));
}

ComponentScore groupColumns(const SqlQuery& p, const SqlQuery& g, const SpiderSchema& schema,
                            MatchRules rules) {
  const auto same = [&](const SqlColumnUnit& a, const SqlColumnUnit& b) {
    if (a.column == b.column) return true;
    if (rules == MatchRules::DtFixup || a.column == 0 || b.column == 0) return false;
    return groupName(schema, a.column) == groupName(schema, b.column);
  };
  return score(g.groupBy.size(), p.groupBy.size(), commonCount(p.groupBy, g.groupBy, same));
}

ComponentScore groupWithHaving(const SqlQuery& p, const SqlQuery& g) {
  const bool sameColumns = std::equal(p.groupBy.begin(), p.groupBy.end(), g.groupBy.begin(), g.groupBy.end(),
                                      [](const auto& a, const auto& b) { return a.column == b.column; });
  const bool both = !p.groupBy.empty() && !g.groupBy.empty();
  return score(!g.groupBy.empty(), !p.groupBy.empty(), both && sameColumns && p.having == g.having);
}

ComponentScore orderScore(const SqlQuery& p, const SqlQuery& g) {
  const bool correct = g.orderBy && p.orderBy == g.orderBy && p.limit.has_value() == g.limit.has_value();
  return score(g.orderBy.has_value(), p.orderBy.has_value(), correct);
}

std::bitset<3> connectiveSet(const SqlConditions& conditions) {
  std::bitset<3> set;
  for (const auto word : conditions.connectives) set.set(static_cast<std::size_t>(word));
  return set;
}

ComponentScore andOrScore(const SqlQuery& p, const SqlQuery& g) {
  const auto predicted = connectiveSet(p.where);
  const auto gold = connectiveSet(g.where);
  if (predicted == gold) return {1, 1, 1};
  return score(predicted.count(), gold.count(), 0);  // the official script swaps the totals here
}

std::bitset<14> keywordSet(const SqlQuery& q) {
  std::bitset<14> set;
  set[0] = !q.where.empty();
  set[1] = !q.groupBy.empty();
  set[2] = !q.having.empty();
  set[3] = q.orderBy && q.orderBy->descending;
  set[4] = q.orderBy && !q.orderBy->descending;
  set[5] = q.orderBy.has_value();
  set[6] = q.limit.has_value();
  set[7] = q.setOp == kSetExcept;
  set[8] = q.setOp == kSetUnion;
  set[9] = q.setOp == kSetIntersect;
  for (const auto* conditions : {&q.on, &q.where, &q.having}) {
    for (const auto word : conditions->connectives) set[10] = set[10] || word == SqlConnective::Or;
    for (const auto& unit : conditions->units) {
      set[11] = set[11] || unit.negated;
      set[12] = set[12] || unit.op == kOpIn;
      set[13] = set[13] || unit.op == kOpLike;
    }
  }
  return set;
}

bool sameTables(const SqlQuery& p, const SqlQuery& g) {
  if (p.tables.size() != g.tables.size()) return false;
  const auto same = [](const SqlTableUnit& a, const SqlTableUnit& b) { return a == b; };
  return commonCount(p.tables, g.tables, same) == static_cast<int>(g.tables.size());
}

}  // namespace

const char* matchComponentName(std::size_t component) {
  static constexpr std::array<const char*, kMatchComponents> kNames = {
      "select", "select(no AGG)", "where",  "where(no OP)", "group(no Having)",
      "group",  "order",          "and/or", "IUEN",         "keywords"};
  return kNames.at(component);
}

SqlQuery normaliseForMatch(const SqlQuery& query, const SpiderSchema& schema, MatchRules rules) {
  return Normaliser(schema, rules).run(query);
}

MatchResult compareNormalised(const SqlQuery& p, const SqlQuery& g, const SpiderSchema& schema,
                              MatchRules rules) {
  MatchResult result;
  auto& out = result.components;
  const auto set = [&](MatchComponent c, const ComponentScore& s) { out[static_cast<std::size_t>(c)] = s; };
  using C = MatchComponent;
  const auto equal = [](const auto& a, const auto& b) { return a == b; };
  set(C::Select, score(g.select.size(), p.select.size(), commonCount(p.select, g.select, equal)));
  set(C::SelectNoAgg,
      score(g.select.size(), p.select.size(),
            commonCount(p.select, g.select, [](auto& a, auto& b) { return a.unit == b.unit; })));
  set(C::Where,
      score(g.where.units.size(), p.where.units.size(), commonCount(p.where.units, g.where.units, equal)));
  set(C::WhereNoOp,
      score(g.where.units.size(), p.where.units.size(),
            commonCount(p.where.units, g.where.units, [](auto& a, auto& b) { return a.unit == b.unit; })));
  set(C::GroupNoHaving, groupColumns(p, g, schema, rules));
  set(C::Group, groupWithHaving(p, g));
  set(C::Order, orderScore(p, g));
  set(C::AndOr, andOrScore(p, g));
  ComponentScore iuen;
  for (const auto op : {kSetIntersect, kSetExcept, kSetUnion}) {
    iuen.goldTotal += g.setOp == op;
    iuen.predictedTotal += p.setOp == op;
  }
  if (g.partner && p.partner && g.setOp == p.setOp) {
    iuen.correct = compareNormalised(*p.partner, *g.partner, schema, rules).exact;
  }
  set(C::Iuen, iuen);
  const auto predictedWords = keywordSet(p);
  const auto goldWords = keywordSet(g);
  set(C::Keywords, score(goldWords.count(), predictedWords.count(),
                         static_cast<int>((predictedWords & goldWords).count())));
  const bool components = std::all_of(out.begin(), out.end(), [](const auto& s) { return s.score() == 1; });
  result.tablesDiffer = components && !g.tables.empty() && !sameTables(p, g);
  result.exact = components && !result.tablesDiffer;
  return result;
}

MatchResult exactMatch(const SqlQuery& predicted, const SqlQuery& gold, const SpiderSchema& schema,
                       MatchRules rules) {
  return compareNormalised(normaliseForMatch(predicted, schema, rules),
                           normaliseForMatch(gold, schema, rules), schema, rules);
}

}  // namespace fathom
