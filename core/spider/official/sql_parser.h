// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/spider/spider_schema.h"

namespace fathom {

// The structure of the official Spider evaluation (docs/spider_evaluation.md §3), ids as there.
enum SqlAggregate : std::int8_t { kAggNone, kAggMax, kAggMin, kAggCount, kAggSum, kAggAvg };
enum SqlUnitOp : std::int8_t { kUnitNone, kUnitMinus, kUnitPlus, kUnitTimes, kUnitDivide };
enum SqlWhereOp : std::int8_t {
  kOpNot,
  kOpBetween,
  kOpEqual,
  kOpGreater,
  kOpLess,
  kOpGreaterEqual,
  kOpLessEqual,
  kOpNotEqual,
  kOpIn,
  kOpLike,
  kOpIs,
  kOpExists
};
enum class SqlConnective : std::int8_t {
  And,
  Or,
  Missing
};  // Missing: two conditions without a word between
enum SqlSetOp : std::int8_t { kSetNone, kSetIntersect, kSetUnion, kSetExcept };
constexpr std::int8_t kDistinctIgnored = -1;  // a DISTINCT flag the metric has erased

const char* aggregateName(int id);  // "none", "max", …
const char* whereOpName(int id);    // "not", "between", "=", …
const char* unitOpName(int id);     // "none", "-", …
const char* setOpName(int id);      // "", "intersect", "union", "except"

struct SqlQuery;

struct SqlColumnUnit {
  std::int8_t aggregate = kAggNone;
  std::int8_t distinct = 0;
  std::int32_t column = 0;  // id in the schema, 0 = "*"
  bool operator==(const SqlColumnUnit&) const = default;
};

struct SqlValUnit {
  std::int8_t op = kUnitNone;
  SqlColumnUnit first;
  std::optional<SqlColumnUnit> second;
  bool operator==(const SqlValUnit&) const = default;
};

struct SqlSelectItem {
  std::int8_t aggregate = kAggNone;  // the outer slot
  SqlValUnit unit;
  bool operator==(const SqlSelectItem&) const = default;
};

struct SqlValue {
  enum class Kind : std::int8_t { None, Number, Text, Column, Query };
  Kind kind = Kind::None;
  double number = 0;
  std::string text;
  SqlColumnUnit column;
  std::shared_ptr<const SqlQuery> query;
};

struct SqlCondition {
  bool negated = false;
  std::int8_t op = kOpEqual;
  SqlValUnit unit;
  SqlValue first, second;
};

// Units and the words between them. `connectives[i]` stands after `units[i]`.
struct SqlConditions {
  std::vector<SqlCondition> units;
  std::vector<SqlConnective> connectives;
  bool empty() const { return units.empty(); }
  // Length of the official alternating list.
  std::size_t length() const { return units.size() + connectives.size(); }
};

struct SqlTableUnit {
  int table = -1;                         // index in the schema, or
  std::shared_ptr<const SqlQuery> query;  // a sub-query in FROM
};

struct SqlOrder {
  bool descending = false;  // one direction for the whole list: the last one written
  std::vector<SqlValUnit> units;
  bool operator==(const SqlOrder&) const = default;
};

struct SqlQuery {
  std::int8_t distinct = 0;
  std::vector<SqlSelectItem> select;
  std::vector<SqlTableUnit> tables;
  SqlConditions on, where, having;
  std::vector<SqlColumnUnit> groupBy;
  std::optional<SqlOrder> orderBy;
  std::optional<std::int64_t> limit;
  // At most one partner: set operators are right-recursive.
  SqlSetOp setOp = kSetNone;
  std::shared_ptr<const SqlQuery> partner;
};

// Strict equality, as Python compares the official dictionaries.
bool operator==(const SqlQuery& a, const SqlQuery& b);
bool operator==(const SqlValue& a, const SqlValue& b);
bool operator==(const SqlCondition& a, const SqlCondition& b);
bool operator==(const SqlConditions& a, const SqlConditions& b);
bool operator==(const SqlTableUnit& a, const SqlTableUnit& b);

// The official parser with its quirks (docs/spider_evaluation.md §3): aliases global over sub-queries, last
// one wins; unqualified columns go to the first FROM table that has them; OR inside a column-valued condition
// swallowed; LIMIT must be a whole number; trailing tokens ignored. The error's message says which token was
// refused and why.
//
// SqlDialect::DtFixup is the same parser with DT-Fixup's changes (docs/spider_evaluation.md §7): lists of
// texts after IN, OR ends a column-valued condition, SELECT DISTINCT of one plain column moves the flag into
// the column.
enum class SqlDialect { Official, DtFixup };
Result<SqlQuery> parseOfficialSql(std::string_view sql, const SpiderSchema& schema,
                                  SqlDialect dialect = SqlDialect::Official);

// Values as Python's float() and int() accept them, decimal digits of other scripts ("１２") among them.
bool pythonFloat(std::string_view text, double& value);
bool pythonInt(std::string_view text, std::int64_t& value);

}  // namespace fathom
