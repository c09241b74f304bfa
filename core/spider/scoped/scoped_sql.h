// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/spider/spider_schema.h"

namespace fathom {

// The second parser: SQL as SQLite reads it, with proper scopes. Serves the categoriser and the views; the
// official score never depends on it. Trees own their children; nothing here is shared between threads while
// being built.

// Bytes [begin, end) of the SQL text.
struct SourceSpan {
  std::uint32_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
};

struct ScopedQuery;
struct SqlExpr;
using SqlExprPtr = std::unique_ptr<SqlExpr>;

struct SqlExpr {
  enum class Kind : std::uint8_t {
    Column,   // text = name as written, qualifier = table or alias
    Star,     // "*" or "t.*"
    Literal,  // text as written
    Call,     // text = function in lower case
    Binary,   // text = + - * / % || and the bit operators
    Unary,    // text = - + ~
    Compare,  // text = = != < > <= >= in like between is glob …; args = left, right…
    And,
    Or,
    Not,
    Case,   // args as written
    Query,  // scalar or IN sub-query
    Exists,
    List  // (a, b, c) after IN
  };
  Kind kind = Kind::Literal;
  bool distinct = false;  // count(DISTINCT x)
  bool negated = false;   // NOT IN, NOT LIKE, NOT BETWEEN, IS NOT
  bool quoted = false;    // "x" without qualifier: a name, or a text as SQLite allows; the resolver decides
  std::uint16_t height = 0;  // of the tree below, sub-queries counted
  std::string text, qualifier;
  std::vector<SqlExprPtr> args;
  std::unique_ptr<ScopedQuery> query;
  SourceSpan span;
  // Set by the resolver.
  int column = -1;  // schema column id; 0 for a star; -1: not a base column
  int level = 0;    // 0 = this query, 1 = the query around it, …
  const SqlExpr* definition =
      nullptr;  // what an alias or a derived column stands for (owned elsewhere in the tree)
};

struct ScopedItem {  // SELECT list
  SqlExprPtr expr;
  std::string alias;
};

struct ScopedSource {                  // one entry of FROM
  int table = -1;                      // schema table, or
  std::unique_ptr<ScopedQuery> query;  // a derived table
  std::string name, alias;
  std::string join;  // "" for the first; "join", "left join", ",", "cross join", …
  SqlExprPtr on;
  std::vector<std::string> usingColumns;
  SourceSpan span;
};

struct ScopedOrder {
  SqlExprPtr expr;
  bool explicitDirection = false, descending = false;
};

struct ScopedQuery {
  bool distinct = false;
  std::uint16_t height = 0;  // of its tallest expression, sub-queries counted
  std::vector<ScopedItem> select;
  std::vector<ScopedSource> from;
  SqlExprPtr where, having, limit, offset;
  std::vector<SqlExprPtr> groupBy;
  std::vector<ScopedOrder> orderBy;
  std::string setOp;  // "", intersect, union, union all, except
  std::unique_ptr<ScopedQuery> partner;
  // Whole query and its clauses; empty where a clause is absent.
  SourceSpan span, selectSpan, fromSpan, whereSpan, groupSpan, havingSpan, orderSpan, limitSpan;
};

struct ScopedParse {
  std::unique_ptr<ScopedQuery> query;  // null when refused
  std::string error;                   // why, in words
  std::uint32_t errorAt = 0;           // byte offset of the refusal
  bool tooLarge = false;               // refused for a limit of sql_limits.h, not for what it says
  std::vector<std::string> notes;      // things that are odd, though understood
  std::string refusedBySqlite;  // understood here, but SQLite would not run it: why; "" = nothing known
  std::uint32_t refusedAt = 0;  // byte offset of that
  // Queries of WITH, referred to by FROM entries of the tree.
  std::vector<std::pair<std::string, std::string>> commonTables;
  bool ok() const { return query != nullptr; }
};

// Parses and resolves. Never throws; what passes the limits of sql_limits.h is refused as too large.
ScopedParse parseScopedSql(std::string_view sql, const SpiderSchema& schema);

// Syntax only (names stay unresolved). Used by parseScopedSql and for highlighting while people type.
ScopedParse parseSqlSyntax(std::string_view sql);
// Resolves names in place; false with parse.error set when a name is unknown.
bool resolveScopedSql(ScopedParse& parse, const SpiderSchema& schema);

struct SqlToken {
  enum class Kind : std::uint8_t { Word, QuotedWord, Text, Number, Symbol, End };
  Kind kind = Kind::End;
  std::string text;  // words in lower case; texts without their quotes
  std::string raw;   // words as written
  SourceSpan span;
};
// Tokens with positions; a message instead when a quote is not closed or the text is over the limits.
std::vector<SqlToken> lexSql(std::string_view sql, std::string& error, std::uint32_t& errorAt,
                             bool* tooLarge = nullptr);

}  // namespace fathom
