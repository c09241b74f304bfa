// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/spider/judgement/canonical_sql.h"

namespace fathom {

// Facts that may be relied on when a query is rewritten. `assume`: a fact that is only unknown is taken for
// granted; one that is known to be false never is.
class KeyFacts {
 public:
  KeyFacts(const SpiderSchema& schema, bool assume) : m_schema(schema), m_assume(assume) {}
  const SpiderSchema& schema() const { return m_schema; }
  int tableOf(int column) const { return m_schema.columns[static_cast<std::size_t>(column)].table; }
  bool notNull(int column) const;
  // Alone unique in its table and never NULL.
  bool isKey(int column) const;

 private:
  const SpiderSchema& m_schema;
  bool m_assume;
};

// Columns that are equal in every row because an inner join says so. Not usable where a table comes twice or
// a join is not an inner one.
class JoinClasses {
 public:
  JoinClasses(const CanonQuery& query, const SpiderSchema& schema);
  bool usable() const { return m_usable; }
  int find(int column) const;

 private:
  std::vector<int> m_root;
  bool m_usable = false;
};

// A plain column, without an aggregate or arithmetic.
bool isPlainColumn(const CanonUnit& unit);
// Calls body for every unit of this level.
template <typename Body>
void eachUnit(CanonQuery& q, const Body& body) {
  for (auto& unit : q.select) body(unit);
  for (auto* conditions : {&q.where, &q.having}) {
    for (auto& condition : conditions->units) body(condition.unit);
  }
  for (auto& unit : q.groupBy) body(unit);
  for (auto& order : q.order) {
    for (auto& unit : order.units) body(unit);
  }
}

// The rules about joins. Each rewrites this level of a query in place and says whether it changed something.

// Tables listed without any ON (decoders that print joins only) are joined along foreign keys, where there is
// exactly one way to.
bool completeJoins(CanonQuery& q, const SpiderSchema& schema);
// F9: a table joined only through foreign key -> key and used for nothing else.
bool dropUnusedJoins(CanonQuery& q, const KeyFacts& facts);
// F10: of columns that an inner join makes equal, the first.
bool useJoinRepresentatives(CanonQuery& q, const SpiderSchema& schema);
// F13: c IN (SELECT key …), also with "=", as a join on that key.
bool subQueryToJoin(CanonQuery& q, const KeyFacts& facts);
// F14: A INTERSECT B and A EXCEPT B, where A selects a key, as key (NOT) IN (B); (A) WHERE key IN (SELECT key
// FROM the same table WHERE b) as AND b.
bool setOperatorToIn(CanonQuery& q, const KeyFacts& facts);

}  // namespace fathom
