// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/join_rules.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace fathom {

namespace {

std::size_t at(int column) {
  return static_cast<std::size_t>(column);
}

bool isStar(const CanonUnit& unit) {
  return isPlainColumn(unit) && unit.columns[0] == 0;
}

bool hasOr(const CanonConditions& conditions) {
  return conditions.words.find('o') != std::string::npos;
}

// True if the query has SELECT, FROM and WHERE alone.
bool onlyFilters(const CanonQuery& q) {
  return q.groupBy.empty() && q.having.units.empty() && q.order.empty() && !q.limited && !q.partner &&
         q.derived.empty();
}

bool readsOwnTables(const CanonQuery& q, const KeyFacts& facts) {
  const std::set<int> tables(q.tables.begin(), q.tables.end());
  const auto own = [&](int column) { return column == 0 || tables.contains(facts.tableOf(column)); };
  for (const auto& condition : q.where.units) {
    if (!std::all_of(condition.unit.columns.begin(), condition.unit.columns.end(), own)) return false;
  }
  return std::all_of(q.select[0].columns.begin(), q.select[0].columns.end(), own);
}

// Every row of `table` is in the join at most once: the others are reached through their keys.
bool joinedByKeysFrom(const CanonQuery& q, int table, const KeyFacts& facts) {
  if (!JoinClasses(q, facts.schema()).usable() || q.on.size() + 1 != q.tables.size() || !q.otherOn.empty())
    return false;
  std::set<int> reached = {table};
  for (bool more = true; more;) {
    more = false;
    for (const auto& [a, b] : q.on) {
      for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
        const bool next = reached.contains(facts.tableOf(from)) && !reached.contains(facts.tableOf(to));
        if (!next || !facts.isKey(to)) continue;
        reached.insert(facts.tableOf(to));
        more = true;
      }
    }
  }
  return reached.size() == q.tables.size();
}

void addConditions(CanonQuery& q, const CanonConditions& more) {
  if (more.units.empty()) return;
  if (!q.where.units.empty()) q.where.words += 'a';
  q.where.words += more.words;
  q.where.units.insert(q.where.units.end(), more.units.begin(), more.units.end());
}

// Takes condition i and one AND out of the list.
void removeCondition(CanonQuery& q, std::size_t i) {
  q.where.units.erase(q.where.units.begin() + static_cast<std::ptrdiff_t>(i));
  if (!q.where.words.empty()) q.where.words.pop_back();
}

// The only foreign key between a table and those already joined; none when there are several.
const std::pair<int, int>* onlyKeyBetween(const std::set<int>& joined, int table,
                                          const SpiderSchema& schema) {
  const std::pair<int, int>* found = nullptr;
  for (const auto& key : schema.foreignKeys) {
    const int from = schema.columns[at(key.first)].table, to = schema.columns[at(key.second)].table;
    const bool fits = (from == table && joined.contains(to)) || (to == table && joined.contains(from));
    if (!fits || from == to) continue;
    if (found && *found != key) return nullptr;
    found = &key;
  }
  return found;
}

bool dropTable(CanonQuery& q, int table, const KeyFacts& facts) {
  const auto inTable = [&](int c) { return c > 0 && facts.tableOf(c) == table; };
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < q.on.size(); ++i) {
    if (inTable(q.on[i].first) || inTable(q.on[i].second)) pairs.push_back(i);
  }
  if (pairs.size() != 1 || !q.otherOn.empty() || !q.derived.empty()) return false;
  const auto& [a, b] = q.on[pairs[0]];
  const int key = inTable(a) ? a : b;
  const int foreign = inTable(a) ? b : a;
  // The key of the other table would find every row as often as it is referred to: only this way round.
  const auto& foreignKeys = facts.schema().foreignKeys;
  const bool refers =
      std::find(foreignKeys.begin(), foreignKeys.end(), std::pair(foreign, key)) != foreignKeys.end();
  if (!refers || !facts.isKey(key) || !facts.notNull(foreign)) return false;
  bool used = false;
  eachUnit(q, [&](CanonUnit& unit) {
    for (const int c : unit.columns) used = used || (inTable(c) && c != key);
    used = used || isStar(unit) || !unit.queries.empty();
  });
  for (const auto& condition : q.where.units) {
    for (const auto& value : condition.values)
      used = used || (value.starts_with('\x01') && inTable(std::stoi(value.substr(1))));
  }
  if (used) return false;
  eachUnit(q, [&](CanonUnit& unit) { std::replace(unit.columns.begin(), unit.columns.end(), key, foreign); });
  q.on.erase(q.on.begin() + static_cast<std::ptrdiff_t>(pairs[0]));
  q.tables.erase(std::find(q.tables.begin(), q.tables.end(), table));
  return true;
}

// key IN (SELECT key FROM the same table WHERE b): AND b.
bool mergeOwnKeyFilter(CanonQuery& q, const KeyFacts& facts) {
  bool changed = false;
  for (std::size_t i = 0; i < q.where.units.size() && !hasOr(q.where);) {
    const CanonCondition& c = q.where.units[i];
    const bool in = c.op == "in" && !c.negated && c.queries.size() == 1 && isPlainColumn(c.unit);
    const CanonQueryPtr inner = in ? c.queries[0] : nullptr;
    const bool same = inner && onlyFilters(*inner) && inner->select.size() == 1 && q.tables.size() == 1 &&
                      inner->tables == q.tables && isPlainColumn(inner->select[0]) &&
                      inner->select[0].columns == c.unit.columns && facts.isKey(c.unit.columns[0]) &&
                      facts.tableOf(c.unit.columns[0]) == q.tables[0] && !hasOr(inner->where) &&
                      readsOwnTables(*inner, facts);
    if (!same) {
      ++i;
      continue;
    }
    removeCondition(q, i);
    addConditions(q, inner->where);
    changed = true;
  }
  return changed;
}

// The sub-query of condition i as tables of the query around it.
bool joinSubQuery(CanonQuery& q, std::size_t i, const KeyFacts& facts) {
  const CanonCondition& c = q.where.units[i];
  const bool asks = (c.op == "in" || c.op == "=") && !c.negated && isPlainColumn(c.unit) &&
                    c.unit.columns[0] > 0 && c.queries.size() == 1 && c.values.empty();
  if (!asks) return false;
  const CanonQueryPtr inner = c.queries[0];
  if (!onlyFilters(*inner) || inner->select.size() != 1 || !isPlainColumn(inner->select[0])) return false;
  const int key = inner->select[0].columns[0], column = c.unit.columns[0];
  if (!facts.isKey(key) || hasOr(inner->where) || !readsOwnTables(*inner, facts)) return false;
  if (!joinedByKeysFrom(*inner, facts.tableOf(key), facts)) return false;
  for (const int table : inner->tables) {
    if (std::find(q.tables.begin(), q.tables.end(), table) != q.tables.end()) return false;
  }
  removeCondition(q, i);
  q.tables.insert(q.tables.end(), inner->tables.begin(), inner->tables.end());
  q.on.emplace_back(std::min(column, key), std::max(column, key));
  q.on.insert(q.on.end(), inner->on.begin(), inner->on.end());
  addConditions(q, inner->where);
  return true;
}

}  // namespace

bool KeyFacts::notNull(int column) const {
  return column > 0 && (m_schema.columns[at(column)].notNull || (m_assume && !m_schema.factsKnown));
}

bool KeyFacts::isKey(int column) const {
  return m_schema.isKey(column) || (m_assume && !m_schema.factsKnown && m_schema.isPrimaryKey(column));
}

JoinClasses::JoinClasses(const CanonQuery& query, const SpiderSchema& schema)
    : m_root(schema.columns.size()) {
  std::iota(m_root.begin(), m_root.end(), 0);
  auto tables = query.tables;
  std::sort(tables.begin(), tables.end());
  m_usable =
      !query.outerJoin && !query.orInOn && std::adjacent_find(tables.begin(), tables.end()) == tables.end();
  if (!m_usable) return;
  for (const auto& [a, b] : query.on) m_root[at(std::max(find(a), find(b)))] = std::min(find(a), find(b));
}

int JoinClasses::find(int column) const {
  while (m_root[at(column)] != column) column = m_root[at(column)];
  return column;
}

bool isPlainColumn(const CanonUnit& unit) {
  return unit.shape == "_" && unit.queries.empty();
}

bool completeJoins(CanonQuery& q, const SpiderSchema& schema) {
  const bool bare = q.on.empty() && q.otherOn.empty() && q.derived.empty() && q.tables.size() > 1;
  if (!bare || !JoinClasses(q, schema).usable()) return false;
  std::set<int> joined = {q.tables[0]};
  std::vector<std::pair<int, int>> on;
  for (bool more = true; more && joined.size() < q.tables.size();) {
    more = false;
    for (const int table : q.tables) {
      if (joined.contains(table)) continue;
      const auto* key = onlyKeyBetween(joined, table, schema);
      if (!key) continue;
      on.emplace_back(std::min(key->first, key->second), std::max(key->first, key->second));
      joined.insert(table);
      more = true;
    }
  }
  if (joined.size() < q.tables.size()) return false;
  q.on = std::move(on);
  return true;
}

bool useJoinRepresentatives(CanonQuery& q, const SpiderSchema& schema) {
  const JoinClasses classes(q, schema);
  if (!classes.usable()) return false;
  bool changed = false;
  eachUnit(q, [&](CanonUnit& unit) {
    for (int& c : unit.columns) {
      const int root = classes.find(c);
      changed = changed || root != c;
      c = root;
    }
  });
  return changed;
}

bool dropUnusedJoins(CanonQuery& q, const KeyFacts& facts) {
  // Usable means that no table comes twice: there are no more of them than in the schema.
  if (q.tables.size() < 2 || !JoinClasses(q, facts.schema()).usable()) return false;
  bool changed = false;
  for (std::size_t i = 0; i < q.tables.size();) {
    if (q.tables.size() > 1 && dropTable(q, q.tables[i], facts)) {
      changed = true;
      i = 0;
    } else {
      ++i;
    }
  }
  return changed;
}

bool subQueryToJoin(CanonQuery& q, const KeyFacts& facts) {
  if (q.tables.empty() || !q.derived.empty() || hasOr(q.where) || !JoinClasses(q, facts.schema()).usable())
    return false;
  // A star would select the other table's columns, too.
  if (std::any_of(q.select.begin(), q.select.end(), isStar)) return false;
  bool changed = false;
  for (std::size_t i = 0; i < q.where.units.size();) {
    if (joinSubQuery(q, i, facts)) {
      changed = true;
      i = 0;
    } else {
      ++i;
    }
  }
  return changed;
}

bool setOperatorToIn(CanonQuery& q, const KeyFacts& facts) {
  const bool operates = (q.setOp == "intersect" || q.setOp == "except") && q.partner && !q.partner->partner;
  if (!operates) return mergeOwnKeyFilter(q, facts);
  CanonQuery left = q;
  left.setOp.clear();
  left.partner.reset();
  const CanonQuery& right = *q.partner;
  if (left.select.size() != 1 || right.select.size() != 1 || !onlyFilters(left) || hasOr(left.where))
    return false;
  const CanonUnit& key = left.select[0];
  if (!isPlainColumn(key) || !isPlainColumn(right.select[0]) || !right.order.empty() || right.limited)
    return false;
  if (!facts.isKey(key.columns[0]) || !joinedByKeysFrom(left, facts.tableOf(key.columns[0]), facts))
    return false;
  // One NULL among the others, and NOT IN finds nothing.
  if (q.setOp == "except" && !facts.notNull(right.select[0].columns[0])) return false;
  CanonCondition in;
  in.negated = q.setOp == "except";
  in.op = "in";
  in.unit = key;
  in.queries.push_back(q.partner);
  if (!left.where.units.empty()) left.where.words += 'a';
  left.where.units.push_back(std::move(in));
  q = std::move(left);
  mergeOwnKeyFilter(q, facts);
  return true;
}

}  // namespace fathom
