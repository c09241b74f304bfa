// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/spider/scoped/scoped_sql.h"

namespace fathom {

// canon(q) of docs/error_categories.md §1: values and DISTINCT erased everywhere, names resolved with proper
// scopes.

struct CanonQuery;
using CanonQueryPtr = std::shared_ptr<const CanonQuery>;

// An expression with its columns masked ("_"), constants as "#", sub-queries as "?", and the columns in
// order. One aggregate has one form wherever it is written: "max(_)".
struct CanonUnit {
  std::string shape;
  std::vector<int> columns;  // schema ids, 0 = "*"
  std::vector<CanonQueryPtr> queries;
  bool distinct = false;  // DISTINCT inside; never compared
  SourceSpan span;
};

struct CanonCondition {
  bool negated = false;
  std::string op;  // = != < > <= >= in like between is glob exists, or "true" for a bare expression
  CanonUnit unit;
  std::vector<CanonQueryPtr> queries;  // sub-queries on the value side; empty: constant
  std::vector<std::string> values;     // constants as written; never compared by canon
  SourceSpan span;
};

struct CanonConditions {
  std::vector<CanonCondition> units;
  std::string words;  // 'a' or 'o' between the units, in text order
};

struct CanonOrder {
  bool descending = false;  // the last direction written
  std::vector<CanonUnit> units;
};

struct CanonQuery {
  bool distinct = false;
  std::vector<CanonUnit> select;
  std::vector<int> tables;  // base tables of FROM, as written
  std::vector<CanonQueryPtr> derived;
  std::vector<std::pair<int, int>> on;  // column equalities of ON, smaller id first
  std::vector<std::string> otherOn;     // shapes of other ON conditions
  bool outerJoin = false, orInOn = false;
  CanonConditions where, having;
  std::vector<CanonUnit> groupBy;
  std::vector<CanonOrder> order;  // 0 or 1
  bool limited = false;
  std::string limit;  // as written; never compared by canon
  std::string setOp;
  CanonQueryPtr partner;
  const ScopedQuery* source = nullptr;  // spans; owned by the parse
};

// The query stays owned by its parse, which must outlive the result's `source` pointers. Error: result
// columns of sub-queries stand for more than sql_limits.h allows.
Result<CanonQuery> canonicalise(const ScopedQuery& query, const SpiderSchema& schema);
// Replaces columns by their foreign-key representative, each query by its own FROM tables.
CanonQuery mergeKeySiblings(const CanonQuery& query, const SpiderSchema& schema);

enum class CanonText {
  Exact,         // select, conditions and group columns as multisets, connectives in order
  Ordered,       // the same, but conditions keep their order where AND and OR are mixed
  SketchTables,  // S(q) with the number of base tables (J on)
  SketchOnly     // S(q) without base tables (J off)
};
// One text per clause; two queries agree under `mode` when all texts agree.
enum CanonClause {
  kClauseSelect,
  kClauseFrom,
  kClauseWhere,
  kClauseWords,
  kClauseGroup,
  kClauseHaving,
  kClauseOrder,
  kClauseLimit,
  kClauseSet
};
constexpr std::size_t kCanonClauses = 9;
const char* canonClauseName(std::size_t clause);  // "select", "from", "where", "and/or", …
std::array<std::string, kCanonClauses> canonTexts(const CanonQuery& query, CanonText mode);
std::string canonText(const CanonQuery& query, CanonText mode);

// Clause path ("where", "where>select", "iue>group", "from>where") -> columns, sub-queries of one path
// pooled.
using ColumnSlots = std::map<std::string, std::vector<int>>;
ColumnSlots columnSlots(const CanonQuery& query);
// Level path ("", "where", "iue", "from") -> base tables.
std::map<std::string, std::vector<int>> tableSlots(const CanonQuery& query);
// Multiset of unordered ON pairs of all levels, sorted.
std::vector<std::pair<int, int>> joinPairs(const CanonQuery& query);
// Joins of the tables of each level, apart from those pairs: outer joins, OR inside ON, conditions of
// ON that are no equality of columns. Empty for inner joins on columns only. Sorted.
std::vector<std::string> joinKinds(const CanonQuery& query);

}  // namespace fathom
