// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spider/scoped/scoped_sql.h"

namespace fathom {

// Thrown inside the scoped parser and caught in parseSqlSyntax.
struct SyntaxRefusal {
  std::string message;
  std::uint32_t at;
  bool tooLarge = false;
};

// Recursive descent over tokens, without names resolved. Internal to the scoped parser: clauses are in
// scoped_parser.cpp, expressions in scoped_expressions.cpp.
class SyntaxParser {
 public:
  // `parse` is borrowed: it gets notes and what SQLite would refuse.
  SyntaxParser(std::vector<SqlToken> tokens, ScopedParse& parse)
      : m_tokens(std::move(tokens)), m_parse(parse), m_notes(parse.notes) {}

  using CommonTables = std::vector<std::pair<std::string, std::string>>;
  // Throws SyntaxRefusal.
  std::unique_ptr<ScopedQuery> run(CommonTables& commonTables, std::string_view sql);

 private:
  using Kind = SqlExpr::Kind;
  // Counts brackets and sub-queries.
  struct Deeper {
    explicit Deeper(SyntaxParser& p);
    ~Deeper() { --parser.m_depth; }
    SyntaxParser& parser;
  };

  static bool reserved(std::string_view word);
  const SqlToken& token(std::size_t ahead = 0) const;
  bool is(std::string_view text, std::size_t ahead = 0) const;
  bool accept(std::string_view text);
  [[noreturn]] void refuse(const std::string& message) const;
  [[noreturn]] void refuseSize(const std::string& message) const;
  void note(std::string text);
  void grow(SqlExpr& expr, int height);
  void adopt(SqlExpr& expr, SqlExprPtr child);
  void parseQueryOf(SqlExpr& expr);
  void expect(std::string_view text);
  std::uint32_t lastEnd() const { return m_at == 0 ? 0 : m_tokens[m_at - 1].span.end; }
  std::string parseName(const char* what);
  bool aliasAhead() const;

  void parseWith(CommonTables& commonTables, std::string_view sql);
  std::unique_ptr<ScopedQuery> parseCompound();
  std::unique_ptr<ScopedQuery> parseSelect();
  void parseTail(ScopedQuery& query);
  void parseOrder(ScopedQuery& query);
  std::string parseJoinWord();
  void parseFrom(ScopedQuery& query);
  void parseSource(ScopedQuery& query, const std::string& join);
  void finishSource(ScopedQuery& query, ScopedSource source, const std::string& join, std::uint32_t begin);

  SqlExprPtr make(Kind kind, std::string text, std::uint32_t begin) const;
  SqlExprPtr join(Kind kind, std::string text, SqlExprPtr left, SqlExprPtr right);
  SqlExprPtr parseExpr();
  SqlExprPtr parseAnd();
  SqlExprPtr parseNot();
  std::string compareWord();
  SqlExprPtr parseCompare();
  SqlExprPtr parseInSide();
  SqlExprPtr parseSum();
  SqlExprPtr parseProduct();
  SqlExprPtr parseUnary();
  SqlExprPtr parsePrimary();
  SqlExprPtr parseBracket(std::uint32_t begin);
  SqlExprPtr parseExists(std::uint32_t begin);
  SqlExprPtr parseCase(std::uint32_t begin);
  SqlExprPtr parseCall(std::uint32_t begin);
  void parseCastType();
  SqlExprPtr parseColumn(std::uint32_t begin);

  std::vector<SqlToken> m_tokens;
  ScopedParse& m_parse;
  std::vector<std::string>& m_notes;
  std::size_t m_at = 0;
  int m_depth = 0;
  int m_tallest = 0;  // expression of the query that is being read
};

}  // namespace fathom
